# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The flitscope program: finding it, calling it, ending it."""
from __future__ import annotations

import functools
import importlib.metadata
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import IO, Any, Callable, Dict, List, NoReturn, Optional, Sequence, Tuple, TypeVar, Union

from .errors import ConfigError, Finding, FlitscopeError, Interrupted, ProgramError, RunFailed

PathLike = Union[str, "os.PathLike[str]"]
Kind = TypeVar("Kind")

EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
SCRATCH = "flitscope_python_"  # what folders that are made here for the program are called
FIRST_PROGRESS_S, PROGRESS_S = 2, 10  # after which lines of progress are shown, less on a terminal
# The sources of flitscope, where the package is used within them.
_TREE = pathlib.Path(__file__).resolve().parents[3]


def package_version() -> str:
    """The version of this package, which is that of the program that it belongs to."""
    lists = _TREE / "CMakeLists.txt"
    found = lists.is_file() and re.search(r"^project\(flitscope VERSION ([\d.]+)", lists.read_text(), re.M)
    return found[1] if found else importlib.metadata.version("flitscope")


def find_program(program: Optional[PathLike] = None) -> str:
    """The program that is called: `program`, else the one that the environment's FLITSCOPE names,
    else `flitscope` on PATH, else the one that was built in the sources around this package."""
    named = os.fspath(program) if program is not None else os.environ.get("FLITSCOPE", "")
    if named:
        path = shutil.which(named)
        if path is None:
            raise ProgramError(f"no program '{named}'", "name flitscope by program=, or by the "
                               "environment variable FLITSCOPE")
    else:
        path = shutil.which("flitscope") or shutil.which(str(_TREE / "build/release/flitscope"))
        if path is None:
            raise ProgramError("the program flitscope is not on PATH", "install the Debian package "
                               "flitscope, or build it with ./dev build and set the environment "
                               "variable FLITSCOPE to build/release/flitscope")
    _require_version(path, os.stat(path).st_mtime_ns)
    return path


@functools.lru_cache(maxsize=None)
def _require_version(path: str, _built: int) -> None:
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError as error:
        raise ProgramError(f"{path} cannot be run: {error.strerror}", "name flitscope itself") from None
    found = re.match(r"flitscope ([\d.]+),", said)
    if found is None:
        raise ProgramError(f"{path} is not flitscope: it has no version", "name flitscope itself")
    if found[1] != package_version():
        raise ProgramError(f"{path} is flitscope {found[1]}, this Python package is for "
                           f"{package_version()}", "install both in the same version")


def _pass_on(stream: IO[str], kept: List[str]) -> None:
    """Shows notes, and now and then the progress; keeps the errors, which an exception will hold."""
    due = time.monotonic() + FIRST_PROGRESS_S
    for line in stream:
        if kept or re.match("(.*: )?error: ", line):
            kept.append(line.rstrip("\n"))
            continue
        if not line.startswith("note:"):
            if time.monotonic() < due:
                continue
            due = time.monotonic() + PROGRESS_S
        sys.stderr.write(line)
        sys.stderr.flush()


def _wait(child: "subprocess.Popen[str]") -> Tuple[int, bool]:
    """The exit code of the program, and whether Ctrl-C has ended it. The first one ends a run in good
    order, the second one at once."""
    try:
        return child.wait(), False
    except KeyboardInterrupt:
        child.send_signal(signal.SIGINT)
    try:
        return child.wait(), True
    except KeyboardInterrupt:
        child.kill()
        child.wait()
        raise


def _call(command: str, words: Sequence[str], program: Optional[PathLike]) -> Tuple[int, bool, str, List[str]]:
    """Exit code, whether Ctrl-C ended it, what the program printed on standard output, its errors. Its
    notes and its progress go to standard error, on a terminal as the line that it rewrites."""
    path = find_program(program)
    said: List[str] = []
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
        # In a session of its own: Ctrl-C in a terminal reaches us alone, and the program gets one.
        with subprocess.Popen([path, command, *words], stdin=subprocess.DEVNULL, stdout=out,
                              stderr=None if os.isatty(2) else subprocess.PIPE, encoding="utf-8",
                              errors="replace", start_new_session=True) as child:
            reader = threading.Thread(target=_pass_on, args=(child.stderr, said)) if child.stderr else None
            if reader:
                reader.start()
            code, is_interrupted = _wait(child)
            if reader:
                reader.join()
        out.seek(0)
        return code, is_interrupted or code == EXIT_INTERRUPTED, out.read(), said


def call_text(command: str, words: Sequence[str], program: Optional[PathLike]) -> str:
    """What the program prints on standard output."""
    code, is_interrupted, text, said = _call(command, words, program)
    if is_interrupted:
        raise Interrupted()
    if code != 0:
        raise RunFailed("\n".join(said) or f"flitscope {command}: exit code {code}", code)
    return text


def call_json(command: str, words: Sequence[str], program: Optional[PathLike],
              kind: Callable[[Dict[str, Any]], Kind]) -> Kind:
    """The object that the program prints for --json (testbench/app/cli/JSON.md), made a `kind`; or an
    exception, with what there is of it."""
    code, is_interrupted, text, said = _call(command, [*words, "--json", "--json-errors"], program)
    found = _last_object(text)
    if "errors" in found:
        findings = [Finding.of(error, _is_of_user(error["source"])) for error in found["errors"]]
        raise (ConfigError if code == EXIT_USAGE else FlitscopeError)(findings)
    result = kind(found) if found else None
    if is_interrupted:
        raise Interrupted(result)
    if code != 0 or result is None:
        _fail(f"flitscope {command}", code, found, said, result)
    return result


def _fail(what: str, code: int, found: Dict[str, Any], said: List[str], result: Any) -> NoReturn:
    ending = f"ended by signal {-code}" if code < 0 else f"exit code {code}"
    reasons = said or [found.get("status", ending), *found.get("problems", [])]
    raise RunFailed("\n".join([f"{what}: {reasons[0].removeprefix('error: ')}", *reasons[1:]]), code, result)


def _last_object(text: str) -> Dict[str, Any]:
    """A result may be followed by the errors that came after it."""
    found: Dict[str, Any] = {}
    while text.startswith("{"):
        found, end = json.JSONDecoder().raw_decode(text)
        text = text[end:].lstrip()
    return found


def _is_of_user(source: Optional[str]) -> bool:
    """Whether this is a file that the user has named, rather than an override or a file made here."""
    return bool(source) and not str(source).startswith("--") and SCRATCH not in str(source)
