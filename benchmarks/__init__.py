"""What memdeck costs, measured and printed, never asserted: machines differ, and are busy.

    make bench                     everything
    python -m benchmarks hooks     one of: hooks, search, size

Ratios are taken inside one run, against a bare `python -c pass` of the same interpreter. Results
are also written to `benchmarks/results/` as JSON.
"""
