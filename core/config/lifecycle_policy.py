"""The table `[lifecycle]` of the settings. The docstring under a field is its manual."""

from pydantic import Field

from .section import Section


class LifecyclePolicy(Section):
    """How memories age. What is off is left as it is."""

    decay: bool = True
    """Let worth fall with the weeks in which a memory is not used (002-31)."""

    expiry: bool = True
    """Retire what is past its time: by category (002-32), by its own date."""

    eviction: bool = True
    """Keep to `max_memories`: the least worth leave (002-33)."""

    tiers: bool = True
    """Sort memories into hot, warm and cold (003-08); cold ones are told only when asked for."""

    summaries: bool = True
    """Sum up tasks, days, weeks, months and the project, and fold what is old and of little
    importance into the summary of its day (003-09, 003-12)."""

    consolidation: bool = True
    """Make a fact of what happened in three sessions or more, with its evidence (000-52)."""

    staleness: bool = True
    """Look whether what a memory names still stands: files, versions, commands."""

    git_seconds: float = Field(default=20.0, ge=1, le=600)
    """How long git may take over one question about a project's past."""

    profile: bool = True
    """Tell a session that starts who you are, in a share of its own (003-13, 004-08); off, what you
    prefer counts there as any other memory, and `memdeck profile` shows it all the same."""

    max_memories: int = Field(default=3_000, ge=100, le=1_000_000)
    """Automatic memories of a project from which on the least worth leave (002-33)."""

    keep_memories: int = Field(default=2_700, ge=50, le=1_000_000)
    """How many of them stay then; above `max_memories`, nine tenths of that (002-33, 004-06)."""

    @property
    def staying(self) -> int:
        """How many stay when there are too many."""
        most = self.max_memories
        return self.keep_memories if self.keep_memories <= most else 9 * most // 10
