# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Names and values that nobody types on purpose: what is refused says so in one message that a terminal
can show, and what is accepted comes back the same."""
import json
import os
import subprocess

from flitscope_cli import (CliTest, EXIT_USAGE, GIB, TIMEOUT_S, binary, is_sanitized, machine, main, mesh)

CONFIG = machine(mesh(2, 2), {"schedule": "gen", "message_bytes": 8})
PROGRAM = "source,destination,bytes,step\n0,1,8,0\n"
SECONDS = 10  # processor time, where a minute was too long


class OddInput(CliTest):
    def refused(self, *arguments, says=()):
        done = subprocess.run([binary(), *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=TIMEOUT_S, check=False)
        error = done.stderr.decode()  # raises if it is not UTF-8
        self.assert_no_crash(done.returncode, error)
        self.assertEqual(done.returncode, EXIT_USAGE, error)
        self.assertEqual(done.stdout, b"")
        self.assertEqual([c for c in error if ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160], [])
        for text in says:
            self.assertIn(text, error)
        return error

    def test_control_characters_and_broken_text_are_escaped_in_messages(self):
        self.write("c.yaml", CONFIG)
        self.refused("check", b"no\x1b[31mred\xff\nx.yaml", says=[r"no\x1b[31mred\xff\x0ax.yaml"])
        self.refused("check", "c.yaml", "--set", b"fabric.bu\x1b[31mred=\xff", says=[r"=\xff: error"])
        self.refused("check", "c.yaml", "--set", b"traffic.schedule=ab\xffcd", says=[r"ab\xffcd"])
        self.refused(b"r\xc2\x9b\xff", says=[r"unknown command 'r\xc2\x9b\xff'"])
        self.refused("run", "c.yaml", b"--tr\xff", says=[r"--tr\xff"])
        self.write("p.csv", b"source,destination,bytes,step\n0,1,8\x1b[31m,\xff\n")
        self.refused("check", "c.yaml", "--set", "traffic={program: p.csv}", says=[r"step '\xff'"])
        self.write("g.dot", b"graph { a -- \x1b[31m\xff }")
        self.refused("check", "c.yaml", "--set", "fabric.topology={kind: custom, file: g.dot}",
                     says=["syntax error near"])

    def test_hundreds_of_findings_of_one_file_are_not_all_told(self):
        self.write("c.yaml", "fabric: {topology: {kind: mesh, dims: [2, 2]}}\n" +
                   "".join(f"key{n}: 1\n" for n in range(5000)))
        error = self.refused("check", "c.yaml", says=["\nerror: 4950 more of these\n"])
        self.assertEqual(len(error.splitlines()), 51)

    def test_names_of_modules_have_a_bound(self):
        self.write("c.yaml", CONFIG)
        self.refused("check", "c.yaml", "--set",
                     "fabric.router={top: " + "m" * 5000 + "}",
                     says=["'fabric.router.top' must be a name of at most 128 characters"])

    def test_periods_of_synthesis_have_a_range(self):
        self.write("c.yaml", CONFIG)
        for period in ("1e308", "1e-320", "0", "-1", "nan", "inf"):
            self.refused("synth", "c.yaml", "--period", period, says=["period"])

    def test_json_of_names_that_are_not_utf_8_is_json(self):
        with open(os.fsencode(self.folder) + b"/bad\xff.yaml", "wb") as file:
            file.write(CONFIG.encode())
        done = subprocess.run([binary(), "compare", b"bad\xff.yaml", "--json"], cwd=self.folder,
                              capture_output=True, timeout=TIMEOUT_S, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("bad\ufffd", json.dumps(json.loads(done.stdout), ensure_ascii=False))

    def test_a_resolved_configuration_is_read_back_from_a_folder_of_any_name(self):
        for folder in ("line\nfeed", "tab\t", "quo\"te\\s", "é"):
            with self.subTest(folder=folder):
                self.write(folder + "/p.csv", PROGRAM)
                self.write(folder + "/p.yaml", machine(mesh(2, 2), {"program": "p.csv"}))
                self.ok("run", folder + "/p.yaml", "--out", "out")
                self.ok("run", "out/config.yaml", "--out", "again")
                self.assertEqual(self.read("out", "config.yaml"), self.read("again", "config.yaml"))
                self.ok("report", "out", "-o", "page.html")

    # ---- Limits of readers ----------------------------------------------------------------------

    def within_bounds(self, *arguments):
        """The process, of which neither memory nor time grew with what it was given."""
        if is_sanitized():
            return self.call(*arguments)
        done, seconds = self.call_with(GIB, *arguments)
        self.assertLess(seconds, SECONDS)
        return done

    def test_graphs_have_bounds(self):
        groups = [" ".join(f"{side}{i}" for i in range(3000)) for side in "ab"]
        self.write("c.yaml", CONFIG)
        for name, text, *says in (
                ("d" * 240 + "/g.dot", "graph { a -- ; }", ":1:14: error: this is not DOT"),
                ("g.dot", '# 1 "' + "n" * 1200 + '"\ngraph { a -- ; }', "g.dot:2:14: error: this is not DOT"),
                ("g.dot", "graph { a -- " + "t" * 1000 + " " + "t" * 1000 + " ] }", "g.dot:1:2016: error: "),
                ("g.dot", 'graph { a -- "' + "s" * 50_000_000 + '" }', "g.dot:1:14:", "more than 16384"),
                ("g.dot", "graph { a -- " + "+".join(['"a"'] * 1_000_000) + " }", "more than 16384"),
                ("g.dot", f"graph {{ {{{groups[0]}}} -- {{{groups[1]}}} }}", "more than 4194304 edges"),
                ("g.yaml", "nodes: 2\nlinks: [" + "1," * 30_000_000 + "1]\n",
                 "g.yaml:2:", "has more than 8388608 entries", "as CSV"),
                ("g.csv", "," * 60_000_000 + "\n", "g.csv:1:1: error: more than 1000 columns")):
            self.write(name, text)
            with self.subTest(name=name, text=text[:40]):
                done = self.within_bounds("check", "c.yaml", "--set",
                                          f"fabric.topology={{kind: custom, file: {name}}}")
                self.assertEqual(done.returncode, EXIT_USAGE, done.stderr[:1000])
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr[:1000])
                for words in says:
                    self.assertIn(words, done.stderr)

    def test_hundreds_of_thousands_of_wrong_lines_are_not_all_told(self):
        self.write("c.yaml", CONFIG)
        for name, text, option in (
                ("p.csv", "source,destination,bytes,step\n" + "0,1,x,0\n" * 300_000,
                 "traffic={program: p.csv}"),
                ("g.csv", "from,to\n" + "0,x\n" * 300_000, "fabric.topology={kind: custom, file: g.csv}")):
            self.write(name, text)
            done = self.within_bounds("check", "c.yaml", "--set", option)
            self.assertEqual(done.returncode, EXIT_USAGE, done.stderr[:1000])
            self.assertLessEqual(len(done.stderr.splitlines()), 51)
            self.assertIn(name, done.stderr)


if __name__ == "__main__":
    main()
