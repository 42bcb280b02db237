# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Every command under limits of memory (ulimit -v) from those in which the program just begins to those
in which it does all: it goes well, or says in one message that memory did not suffice, exit code 2; files
are whole or not there, and no library speaks for itself."""
import os
import re
import shutil
import signal

from flitscope_cli import CliTest, EXIT_OK, EXIT_USAGE, is_sanitized, machine, main, mesh

MIB = 1 << 20
PEX = {"schedule": "pex", "message_bytes": 64}
CONFIGS = {
    "c.yaml": machine(mesh(4, 4), PEX),
    "r.yaml": machine(mesh(4, 4), PEX, fabric={"buffer_depth": 4}),
    "s.yaml": machine(mesh(4, 4), {"pattern": "uniform", "message_bytes": 64}, steady={"half_width": 0.2}),
    "parts.yaml": machine(mesh(32, 32), {"schedule": "broadcast", "message_bytes": 64}),
    "large.yaml": machine(mesh(128, 128), {"pattern": "uniform", "message_bytes": 64}),
    "ranks.yaml": machine(mesh(8, 8), {"trace": {"file": "ring.goal", "placement": "volume"}}),
    "study.yaml": '{"base": "c.yaml", "objectives": {"min": ["cycles", "pins"]},'
                  ' "vary": {"fabric.buffer_depth": [2, 4]}}',
    "ring.goal": "num_ranks 64\n" + "".join(
        f"rank {rank} {{\nsend 8b to {(rank + 1) % 64}\nrecv 8b from {(rank + 63) % 64}\n}}\n"
        for rank in range(64)),
}
COMMANDS = {
    "check": ["check", "large.yaml"],
    "run in parts": ["run", "parts.yaml", "--threads", "2", "--engine", "cycle", "--out", "o/run"],
    "run with ranks": ["run", "ranks.yaml", "--trace", "o/run.vcd"],
    "explain": ["explain", "c.yaml"],
    "explain a pattern": ["explain", "s.yaml"],
    "verify": ["verify", "c.yaml"],
    "compare": ["compare", "c.yaml", "s.yaml", "--run"],
    "report": ["report", "c.yaml", "-o", "o/page.html"],
    "report of a folder": ["report", "kept", "-o", "o/page.html"],
    "synthesize": ["synthesize", "c.yaml", "--collective", "all_to_all", "-o", "o/found.csv"],
    "export": ["export", "r.yaml", "--rtl", "o/rtl"],
    "topology": ["topology", "large.yaml", "--export", "o/net.yaml"],
    "curve": ["curve", "s.yaml", "--rates", "0.1", "--jobs", "1", "--json"],
    "saturate": ["saturate", "s.yaml", "--jobs", "1", "--json"],
    "explore": ["explore", "study.yaml", "--jobs", "1"],
}
TELL_WHAT_THEY_HAVE = ("curve", "explore")  # of points and designs that could be measured
STEPS_MIB = (0, 1, 2, 3, 5, 7, 10, 16)  # above what the program takes to begin
PLENTY_MIB = 1024
# What standard error has besides: how far it is, line over line.
PROGRESS = re.compile(r"\s*(\w+ )?[\d,]+ of (at most )?[\d,]+ .*|.*%.*| *$")


class MemorySweeps(CliTest):
    def setUp(self):
        super().setUp()
        if is_sanitized():
            self.skipTest("a sanitizer needs an address space of its own")
        for name, text in CONFIGS.items():
            self.write(name, text)
        self.ok("run", "c.yaml", "--out", "kept")

    def least(self):
        """MiB in which it begins: with less, a signal ends it before our first line, or it is not even
        loaded."""
        mib = 8
        while not self.begins(mib):
            mib += 1
            self.assertLess(mib, PLENTY_MIB)
        return mib

    def begins(self, mib):
        try:
            return self.call_with(mib * MIB, "--version")[0].returncode == EXIT_OK
        except AssertionError:  # a signal
            return False

    def assert_no_crash(self, code, stderr):
        """PROMISES.md names one: the library of SystemC does not look whether it got its memory."""
        if code != -signal.SIGSEGV:
            super().assert_no_crash(code, stderr)

    def outputs(self):
        """What the command has left: names, and what is in them."""
        found = {}
        for base, _, names in os.walk(self.path("o")):
            for name in names:
                found[os.path.relpath(os.path.join(base, name), self.folder)] = self.read(base, name)
        return found

    def done_with(self, mib, command):
        shutil.rmtree(self.path("o"), ignore_errors=True)
        os.mkdir(self.path("o"))
        return self.call_with(mib * MIB, *COMMANDS[command])[0]

    def test_commands_do_all_or_say_that_memory_does_not_suffice(self):
        least = self.least()
        end_for_memory = set()
        for command in COMMANDS:
            done = self.done_with(PLENTY_MIB, command)
            self.assertEqual(done.returncode, EXIT_OK, done.stderr)
            whole = self.outputs()
            for mib in [least + step for step in STEPS_MIB]:
                with self.subTest(command=command, mib=mib):
                    done = self.done_with(mib, command)
                    if done.returncode == -signal.SIGSEGV:
                        continue
                    self.assertIn(done.returncode, (EXIT_OK, EXIT_USAGE), done.stderr)
                    said = [line for line in done.stderr.splitlines() if not PROGRESS.fullmatch(line)]
                    left = self.outputs()
                    if done.returncode == EXIT_OK:
                        self.assertEqual(set(left), set(whole))
                        self.assertEqual(said, [])
                    else:
                        end_for_memory.add(command)
                        if command not in TELL_WHAT_THEY_HAVE:
                            self.assertEqual(done.stdout, "")
                        self.assertEqual(len(said), 1, done.stderr)
                        self.assertRegex(said[0], r"^error: .*out of memory: this process may use [\d.]+ MiB")
                    for name, content in left.items():
                        self.assertIn(name, whole)
                        if not name.endswith((".json", ".html", ".vcd")):  # which tell times and versions
                            self.assertEqual(content, whole[name])
        self.assertEqual(end_for_memory, set(COMMANDS))

    def test_a_reproduction_names_the_experiment_and_keeps_whole_outcomes(self):
        """In as little as never suffices for the papers: all of them take minutes."""
        least = self.least()
        for step in (0, 1, 2, 4):
            os.makedirs(self.path("o"), exist_ok=True)
            done, _ = self.call_with((least + step) * MIB, "reproduce", "boppana", "--out", "o/papers")
            with self.subTest(step=step):
                self.assertEqual(done.returncode, EXIT_USAGE, done.stderr)
                self.assertEqual(done.stdout, "")
                said = [line for line in done.stderr.splitlines() if not PROGRESS.fullmatch(line)]
                self.assertEqual(len(said), 1, done.stderr)
                self.assertRegex(said[0], r"^error: (experiment .*)?out of memory: this process may use")
                for name in self.outputs():
                    self.assertRegex(name, r"^o/papers/runs/.*\.json$")


if __name__ == "__main__":
    main()
