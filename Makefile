# Everything starts here: each goal sets up what it needs, with nothing but Python 3.11+ and make.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
BIN := .venv/bin
READY := .venv/.ready

.PHONY: demo test test-fast check lint types contracts format screenshots ceilings bench clients mutants postgres docs site reference hooks release clean

demo: $(READY)
	@$(BIN)/memdeck demo

test: $(READY)
	@start=$$(date +%s); $(BIN)/python -m pytest -n 3 --dist worksteal && \
  echo $$(($$(date +%s) - start)) > .venv/suite_seconds  # some tests wait for locks: three keep two cores busy

# What needs no screen, no played session and few processes: while you work.
FAST = -m "not slow" --ignore tests/tui --ignore tests/journeys --ignore tests/reliability
test-fast: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal $(FAST)

check: lint
	@$(MAKE) --no-print-directory -j 2 contracts types ceilings site test

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(READY)
	$(BIN)/mypy

contracts: $(READY)
	$(BIN)/lint-imports --no-cache

screenshots: $(READY)
	$(BIN)/python screenshots/take.py

# Sizes and counts that may only fall; LOWER=1 writes those that fell as the new ceilings.
ceilings: $(READY)
	@$(BIN)/python -m benchmarks.ceilings $(if $(LOWER),--lower)

bench: $(READY)
	$(BIN)/python -m benchmarks

# The agents themselves, from their npm packages, against stand-ins for their models; no network.
clients: $(READY)
	$(BIN)/python -m benchmarks.clients

# Do the tests notice when what matters most is changed? A sample of changes, half an hour.
mutants: $(READY)
	@$(BIN)/python -c "import cosmic_ray" 2>/dev/null || { $(call INSTALL,mutants); }
	$(BIN)/python -m benchmarks.mutants

ZENSICAL = $(BIN)/python -c "import zensical" 2>/dev/null || { $(call INSTALL,docs); }
site: $(READY)
	@$(ZENSICAL)
	@$(BIN)/zensical build --strict

# The generated parts of docs/reference/: commands, settings and glossary.
reference: $(READY)
	$(BIN)/python docs/generate.py

docs: $(READY)
	@$(ZENSICAL)
	@$(BIN)/zensical serve

# Refuse commit subjects that are too long or begin without a verb.
hooks:
	git config core.hooksPath .githooks

# The release checklist, step by step; it tags and uploads nothing.
release: $(READY)
	$(BIN)/python -m benchmarks.release

# The driver of PostgreSQL lies beside the packages, for Peewee imports it with every command.
postgres: $(READY)
	@test -d .venv/postgres || if command -v uv >/dev/null 2>&1; \
  then uv pip install --quiet --python $(BIN)/python --target .venv/postgres 'psycopg[binary]>=3.2'; \
  else "$(PYTHON)" -m pip --python $(BIN)/python install $(QUIET) --target .venv/postgres 'psycopg[binary]>=3.2'; fi

clean:
	rm -rf .venv build *.egg-info

# The package is found by a path with a link of its name in it. Setuptools, which cannot say so of a
# package that is the repository's root, leaves a finder instead: imported by each process of the
# hundreds that tests start, it costs more than the interpreter.
BY_PATH = mkdir -p .venv/src && ln -sfn "$(CURDIR)" .venv/src/memdeck && \
  for path in .venv/lib/python3*/site-packages/__editable__.memdeck-*.pth; do \
    echo "$(CURDIR)/.venv/src" > "$$path"; done

# uv where it is present (seconds), else the pip that Python has; where it has none, venv brings one,
# which alone takes as long as uv takes for everything.
INSTALL = if command -v uv >/dev/null 2>&1; then \
  uv venv --quiet --allow-existing --python "$(PYTHON)" .venv && uv pip install --quiet --python $(BIN)/python -e '.[$(1)]'; \
elif "$(PYTHON)" -m pip --version >/dev/null 2>&1; then \
  "$(PYTHON)" -m venv --without-pip .venv && "$(PYTHON)" -m pip --python $(BIN)/python install $(QUIET) -e '.[$(1)]'; \
else \
  "$(PYTHON)" -m venv .venv && $(BIN)/python -m pip install $(QUIET) -e '.[$(1)]'; \
fi && $(BY_PATH)
QUIET = --quiet --disable-pip-version-check

$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { echo "memdeck needs Python 3.11 or newer; install it and run make again." >&2; exit 1; }
	@echo "Setting up .venv; the first time this takes a minute or two."
	@$(call INSTALL,dev)
	@touch $(READY)
