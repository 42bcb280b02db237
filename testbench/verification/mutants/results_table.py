# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The list of mutants, and the table of what caught them in README.md: how it is read, written and
checked."""
import json
import pathlib
import re
import signal

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / "README.md"
MARKS = ("<!-- results: begin -->", "<!-- results: end -->")
SURVIVED = "**SURVIVED**"
NOT_RUN = "*not run*"
NOT_BUILT = "**DOES NOT BUILD**"
NOT_CAUGHT = (SURVIVED, NOT_BUILT, NOT_RUN)
IN_ONE_RUN = "in one run"
IN_SEVERAL = "put together from several runs"
HEAD = ["| mutant | file | the bug | caught by |", "|---|---|---|---|"]


def load_mutants():
    """In the order of the list; ValueError when two have the same name."""
    def text(value):
        return "\n".join(value) if isinstance(value, list) else value

    mutants = json.loads((HERE / "mutants.json").read_text())["mutants"]
    for mutant in mutants:
        mutant["find"] = text(mutant["find"])
        mutant["replace"] = text(mutant["replace"])
    names = [mutant["name"] for mutant in mutants]
    if len(names) != len(set(names)):
        raise ValueError("two mutants have the same name")
    return mutants


def verdict(code, said):
    """What a test binary that ended with `code` says: None when it passes, otherwise its first test
    that failed, or the one in which it crashed or ran out of processor time."""
    if code == 0:
        return None
    began = re.findall(r"^\[ RUN      \] (\S+)", said, re.MULTILINE)
    last = began[-1] if began else "before its first test"
    if -code in (signal.SIGXCPU, signal.SIGKILL):
        return f"{last} (hangs)"
    if code < 0:
        return f"{last} (crashes, {signal.Signals(-code).name})"
    failed = re.search(r"^\[  FAILED  \] ([^\s,]+)", said, re.MULTILINE)
    return failed.group(1) if failed else f"exit code {code}"


def hint(caught):
    """The binary of a cell of the last column, and the one of its tests to try first, if it says."""
    binary, what = re.match(r"(\w+): (.*)", caught).groups()
    test = re.match(r"[\w/]+\.[\w/]+", what)
    return binary, test.group() if test else None


def parts():
    before, rest = TABLE.read_text().split(MARKS[0])
    inside, after = rest.split(MARKS[1])
    return before, inside, after


def cells():
    """All rows: name, file, bug, caught by."""
    return re.findall(r"^\| (\w+) \| (\S+\.\w+) \| (.*) \| ([^|]*) \|$", parts()[1], re.MULTILINE)


def rows():
    """What the table says of each mutant that a test caught."""
    return {row[0]: row[3] for row in cells() if row[3] not in NOT_CAUGHT}


def write(mutants, results):
    """Renews the rows of the mutants of `results`; the others keep what the table says."""
    before, _, after = parts()
    caught = {row[0]: row[3] for row in cells()}
    caught.update({name: what or SURVIVED for name, what in results.items()})
    lines = [*HEAD, *(f"| {m['name']} | {m['file']} | {m['bug']} | "
                      f"{caught.get(m['name'], NOT_RUN)} |" for m in mutants)]
    survived = sum(caught.get(m["name"]) in (SURVIVED, NOT_BUILT) for m in mutants)
    how = IN_ONE_RUN if {m["name"] for m in mutants} <= results.keys() else IN_SEVERAL
    summary = f"{len(mutants)} mutants, {survived} survived; {how}."
    TABLE.write_text("\n".join([before + MARKS[0], summary, "", *lines, MARKS[1] + after]))


def faults():
    """Where the table is not that of the list, or not of tests that see everything."""
    mutants = load_mutants()
    said = re.search(r"^(\d+) mutants, (\d+) survived; (.*)\.$", parts()[1], re.MULTILINE)
    found = []
    if not said:
        return ["there is no line 'N mutants, N survived; ...' above the table"]
    if int(said[1]) != len(mutants):
        found.append(f"the table counts {said[1]} mutants, the list has {len(mutants)}")
    if int(said[2]) != 0:
        found.append(f"{said[2]} survived")
    table = {row[0]: row for row in cells()}
    names = {mutant["name"] for mutant in mutants}
    found += [f"{name} is in the table alone" for name in table if name not in names]
    for mutant in mutants:
        name = mutant["name"]
        if name not in table:
            found.append(f"{name} is in the list alone")
        elif table[name][1:3] != (mutant["file"], mutant["bug"]):
            found.append(f"{name} has another file or bug in the table than in the list")
        elif table[name][3] in NOT_CAUGHT:
            found.append(f"{name}: {table[name][3]}")
    return found
