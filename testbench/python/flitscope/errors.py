# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions."""
from __future__ import annotations

import dataclasses
from typing import Any, Mapping, Optional, Sequence


@dataclasses.dataclass(frozen=True)
class Finding:
    """One error of the program: its place, what is wrong, what to do."""

    message: str
    file: Optional[str] = None  #: as it was named; None for a dict, an override, the command line
    line: Optional[int] = None  #: from 1, of the file
    column: Optional[int] = None  #: likewise
    key: Optional[str] = None  #: the configuration key in question
    remedy: Optional[str] = None

    @classmethod
    def of(cls, error: Mapping[str, Any], has_file: bool) -> Finding:
        """From an error of JSON.md; `has_file`: whether its source is a file of the user."""
        place = (error["source"], error["line"], error["column"]) if has_file else (None, None, None)
        return cls(error["message"], *place, error["key"], error["remedy"])

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        remedy = f" ({self.remedy})" if self.remedy else ""
        return (f"{place}: " if place else "") + self.message + remedy


class FlitscopeError(Exception):
    """The program gave no result. `findings` says why, each with its place."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__("\n".join(map(str, findings)))
        self.findings = tuple(findings)


class ConfigError(FlitscopeError):
    """A configuration, a file that it names, or an argument is wrong; nothing was simulated. What
    `file`, `line`, `key` and `message` tell is the first finding."""

    @property
    def file(self) -> Optional[str]:
        return self.findings[0].file

    @property
    def line(self) -> Optional[int]:
        return self.findings[0].line

    @property
    def key(self) -> Optional[str]:
        return self.findings[0].key

    @property
    def message(self) -> str:
        return self.findings[0].message


class ProgramError(FlitscopeError):
    """There is no program, or one of another version."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__([Finding(message, remedy=remedy)])


class RunFailed(FlitscopeError):
    """The program ended with a result that is not a good one: a deadlock, a time-out, a check of the
    run that failed. `result` is what there is of it, or None; `exit_code` that of the program."""

    def __init__(self, message: str, exit_code: int, result: Any = None) -> None:
        super().__init__([Finding(message)])
        self.exit_code = exit_code
        self.result = result


class Interrupted(KeyboardInterrupt):
    """Ctrl-C has ended the program in good order: files are whole, and `result` is what there is up
    to then, or None."""

    def __init__(self, result: Any = None) -> None:
        super().__init__("interrupted")
        self.result = result
