# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Reads value change dumps (IEEE 1364-2005, clause 18) for the system tests."""
import re
import subprocess

PS_PER_CYCLE = 1000  # clock_ns defaults to 1, a tick is 1 ps


def fst_to_vcd(path):
    """GTKWave's own reader decodes the file."""
    done = subprocess.run(["fst2vcd", path], capture_output=True, timeout=120, check=True)
    return done.stdout.decode()


def signals(vcd):
    """Identifier -> (scopes, name, bits) of the declarations, and the text after them."""
    header, changes = vcd.split("$enddefinitions $end", 1)
    scopes, found = [], {}
    for kind, rest in re.findall(r"\$(scope|var|upscope)\s+(.*?)\s*\$end", header, re.DOTALL):
        words = rest.split()
        if kind == "scope":
            scopes.append(words[1])
        elif kind == "upscope":
            scopes.pop()
        else:
            found.setdefault(words[2], (tuple(scopes), words[3], int(words[1])))
    return found, changes


def check_vcd(test, vcd):
    """A well-formed dump to its last line: known signals, rising time, values of their width."""
    test.assertTrue(vcd.endswith("\n"), "the last line is cut off")
    known, changes = signals(vcd)
    test.assertTrue(known)
    time = -1
    seen = 0
    sound = set()  # changes that were looked at: most come again, in dumps of millions of lines
    for line in changes.splitlines():
        if line in sound:
            seen += 1
        elif not line or line.startswith("$"):
            continue
        elif line[0] == "#":
            if int(line[1:]) <= time:
                test.fail(f"time {line} after #{time}")
            time = int(line[1:])
        elif line[0] == "b":
            value, name = line[1:].split()
            test.assertLessEqual(set(value), set("01xz"))
            test.assertLessEqual(len(value), known[name][2])
            sound.add(line)
            seen += 1
        else:
            test.assertIn(line[0], "01xz")
            test.assertEqual(known[line[1:]][2], 1)
            sound.add(line)
            seen += 1
    test.assertGreater(seen, 0)
    return time


def link_busy_cycles(vcd, signal="busy"):
    """Link -> cycles in which its `busy`, or `blocked`, is 1."""
    known, changes = signals(vcd)
    link_of = {name: scopes[-1] for name, (scopes, named, _) in known.items()
               if named == signal and scopes[-1].startswith("link_")}
    busy = dict.fromkeys(link_of.values(), 0)
    since = {}
    time = 0
    for line in changes.splitlines():
        if line.startswith("#"):
            time = int(line[1:])
        elif line and line[0] in "01xz" and line[1:] in link_of:
            link = link_of[line[1:]]
            if link in since and line[0] != "1":
                busy[link] += (time - since.pop(link)) // PS_PER_CYCLE
            elif line[0] == "1":
                since.setdefault(link, time)
    for link, begin in since.items():
        busy[link] += (time - begin) // PS_PER_CYCLE
    return busy


class Values:
    """All values of a dump, by the name that a save file has for the signal: scopes, name, range."""

    def __init__(self, vcd):
        header, changes = vcd.split("$enddefinitions $end", 1)
        self.times = []
        self._changes = {}  # name -> [(time, digits)]
        names, scopes = {}, []
        for kind, rest in re.findall(r"\$(scope|var|upscope)\s+(.*?)\s*\$end", header, re.DOTALL):
            words = rest.split()
            if kind == "scope":
                scopes.append(words[1])
            elif kind == "upscope":
                scopes.pop()
            else:
                name = ".".join(scopes + ["".join(words[3:])])
                names.setdefault(words[2], []).append((name, int(words[1])))
                self._changes[name] = []
        for line in changes.splitlines():
            if line.startswith("#"):
                self.times.append(int(line[1:]))
            elif line and line[0] in "b01xz":
                digits, code = line[1:].split() if line[0] == "b" else (line[0], line[1:])
                for name, width in names[code]:
                    fill = "0" if digits[0] == "1" else digits[0]
                    self._changes[name].append((self.times[-1], digits.rjust(width, fill)))

    def names(self):
        return list(self._changes)

    def at(self, name, time):
        """Its digits from `time` on, the most significant first."""
        return [digits for since, digits in self._changes[name] if since <= time][-1]

    def all(self, name):
        """Its digits from the first to the last."""
        return [digits for _, digits in self._changes[name]]

    def row_at(self, row, time):
        """The number that a row of a GTKWave save file shows: "(2)a[5:0] (3)a[5:0]" or "a[5:0]"."""
        digits = ""
        for index, name in re.findall(r"(?:\((\d+)\))?(\S+)", row):
            value = self.at(name, time)
            digits += value[int(index)] if index else value
        return int(digits, 2) if set(digits) <= set("01") else digits
