"""The agents of this machine for the app: implements `core.agents.Agents`.

Each method imports what it needs, so that the app starts without them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..db.home import Home

if TYPE_CHECKING:
    from ..core.agents import AgentState, Finding, Host, Scope, SetupPlan


class Desk:
    """The agents for one project's folder and one home; both default to the current ones."""

    def __init__(self, home: Home | None = None, project_dir: str | None = None) -> None:
        self._home = home or Home()
        self._folder = project_dir

    def survey(self) -> tuple[AgentState, ...]:
        """Return the state of each host, in the order of `HOSTS`."""
        from . import doctor

        return tuple(doctor.survey(self._home, self._folder))

    def plan(self, host: Host, scope: Scope = "user", *, remove: bool = False) -> SetupPlan:
        """Return the changes of connecting or disconnecting `host`."""
        from ..hosts import install

        return install.plan(host, scope, self._folder, self._home, is_removal=remove)

    def apply(self, plan: SetupPlan) -> None:
        """Carry out a plan. Raises Refused when it has problems or a file changed since."""
        from ..hosts import settings

        settings.carry_out(plan, self._home)

    def fix(self, finding: Finding) -> str:
        """Carry out a safe fix; return the action in words. Raises Refused."""
        from . import doctor

        return doctor.fix_problem(finding.fix, self._home, self._folder)

    def examine(self) -> tuple[Finding, ...]:
        """Return the checks of the store, its files and settings."""
        from . import doctor

        return tuple(doctor.examine(self._home, self._folder, with_agents=False))
