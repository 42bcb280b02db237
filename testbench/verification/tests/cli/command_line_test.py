# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""What is said of a command line that cannot be understood: each error once, in the order given, with
the option that was probably meant."""
import pathlib

from flitscope_cli import CliTest, EXIT_OK, machine, main, mesh

PAPERS = pathlib.Path(__file__).resolve().parents[3] / "papers"


class CommandLine(CliTest):
    def setUp(self):
        super().setUp()
        self.write("config.yaml", machine(mesh(4, 4), {"schedule": "gen", "message_bytes": 64}))

    def errors(self, *arguments):
        lines = self.refused(*arguments).splitlines()
        self.assertTrue(lines[-1].startswith("Run flitscope "), lines)
        return [line.removeprefix("error: ") for line in lines[:-1]]

    def test_unknown_options_name_the_nearest_one_in_the_order_given(self):
        self.assertEqual(
            self.errors("run", "config.yaml", "--tace", "x.vcd", "--jsn", "--xyzzy=3"),
            ["unknown option '--tace' (did you mean '--trace'?)",
             "unknown option '--jsn' (did you mean '--json'?)", "unknown option '--xyzzy'"])
        self.assertEqual(self.errors("check", "--sett", "seed=1", "config.yaml"),
                         ["unknown option '--sett' (did you mean '--set'?)"])
        self.assertEqual(self.errors("list", "-j"), ["unknown option '-j'"])
        self.assertEqual(self.errors("--versoin"),
                         ["unknown option '--versoin' (did you mean '--version'?)"])

    def test_they_come_before_what_is_wrong_with_known_ones(self):
        self.assertEqual(self.errors("run", "--engine", "warp", "--enigne", "tlm"),
                         ["unknown option '--enigne' (did you mean '--engine'?)"])

    def test_a_value_that_looks_like_an_option_is_a_value(self):
        self.refused("check", "config.yaml", "--set", "--sed=3", says=["--set --sed=3: error:"])

    def test_a_value_may_stand_behind_the_letter_of_its_option(self):
        for word in ("-oshort.csv", "-oa=b.csv"):
            self.ok("find-schedule", "config.yaml", "--collective", "all_to_all", "--time", "1", word)
            self.assertIn(word.removeprefix("-o"), self.everything())
        self.assertEqual(self.errors("find-schedule", "config.yaml", "-oc.csv", "--tme=1", "-xyz"),
                         ["unknown option '--tme' (did you mean '--time'?)",
                          "unknown option '-xyz'"])

    def test_former_names_are_accepted_and_not_shown(self):
        for command in ("synthesize", "find-schedule"):
            self.ok(command, "config.yaml", "--collective", "broadcast", "-o", f"{command}.csv")
        self.assertEqual(self.read("synthesize.csv"), self.read("find-schedule.csv"))
        self.assertEqual(self.ok("explain", "config.yaml", "--verify", "1"),
                         self.ok("explain", "config.yaml", "--try", "1"))
        self.assertEqual(self.errors("explain", "config.yaml", "--verify", "1", "--csv"),
                         self.errors("explain", "config.yaml", "--try", "1", "--csv"))
        rtl = ("run", "config.yaml", "--set", "fabric.router=rtl", "--set", "fabric.buffer_depth=77")
        self.assertEqual(self.refused(*rtl, "--offline", says=("--no-verilate",)),
                         self.refused(*rtl, "--no-verilate"))
        self.refused("reproduce", "no_paper", "--synthesized", says=("no_paper",))
        shown = [self.ok(*words) for words in (["--help"], ["explain", "--help"], ["run", "--help"],
                                               ["reproduce", "--help"], ["manual"], ["completion", "bash"])]
        for name in ("synthesize ", "--verify", "--offline", "--synthesized"):
            self.assertFalse([text for text in shown if name in text.replace("\\", "")], name)

    def test_a_part_of_a_paper_is_named_by_its_title(self):
        kept = (PAPERS / "kept" / "bokhari.txt").read_text()
        heading, figure = self.ok("reproduce", "bokhari", "--only", "figure 12").split("\n\n", 1)
        self.assertTrue(figure.startswith("Figure 12: slice at 15232 bytes, 4 x 4 nodes"), figure)
        self.assertTrue(kept.startswith(heading))
        self.assertIn(figure, kept)
        self.refused("reproduce", "boppana", "--only", "figure 99",
                     says=("figure 99", "boppana", "Table 1: lower bounds", "boppana_eta:"))
        self.refused("reproduce", "cheung", "--only", "cheung_values",
                     says=("only plots have these words", "--out DIR", "--json"))
        self.refused("reproduce", "boppana", "--only", "...", says=("--only", "words of a title"))
        self.refused("reproduce", "boppana", "--only", "table 1", "--physical", says=("--only",))

    def test_papers_are_priced_in_a_technology_that_there_is(self):
        self.refused("reproduce", "boppana", "--liberty", "osu035", says=("--physical",))
        self.refused("reproduce", "boppana", "--synthesized", "--liberty", "osu19",
                     says=("'osu19': there is no such cell library", "osu018, osu035"))

    def test_words_too_many_are_named_in_the_order_given(self):
        self.assertEqual(self.errors("check", "config.yaml", "one.yaml", "two.yaml"),
                         [f"unexpected '{word}.yaml' (check takes one configuration; compare and "
                          "curve take several, explain and report two)" for word in ("one", "two")])
        self.assertEqual(self.errors("explain", "config.yaml", "one.yaml", "two.yaml"),
                         ["unexpected 'two.yaml' (explain takes two configurations; compare and curve take "
                          "several, explain and report two)"])
        self.assertIn("each --set takes one KEY=VALUE",
                      self.errors("explain", "config.yaml", "--set", "seed=2", "limits.max_cycles=9")[0])
        self.assertEqual(self.errors("check", "config.yaml", "one", ".yam"),
                         ["unexpected 'one'", "unexpected '.yam'"])
        self.assertEqual(self.errors("list", "config.yaml"), ["unexpected 'config.yaml'"])

    def test_an_override_takes_no_word_behind_its_value(self):
        seed = ("--set", "seed=2")
        self.ok("check", *seed, "config.yaml")
        self.ok("compare", *seed, "config.yaml", "config.yaml")
        self.ok("compare", "config.yaml", *seed, "config.yaml")
        self.assertEqual(self.errors("check", "config.yaml", *seed, "limits.max_cycles=9"),
                         ["unexpected 'limits.max_cycles=9' (each --set takes one KEY=VALUE)"])

    def test_a_value_that_a_shell_has_taken_apart_is_told_with_quotes(self):
        for words, says in (
                (["fabric.topology={kind:", "mesh,", "dims:", "[4,", "4]}"],
                 ["split the value at its blanks", "--set 'fabric.topology={kind: mesh, dims: [4, 4]}'"]),
                (["fabric.topology=kind:mesh", "fabric.topology=dims:[4", "fabric.topology=4]"],
                 ["split the value at its commas", "in quotes"])):
            with self.subTest(words=words):
                error = self.refused("check", "config.yaml", "--set", *words,
                                     says=[f"--set {words[0]}: error: the shell has split", *says])
                self.assertEqual(len(error.splitlines()), 1)
        self.ok("check", "config.yaml", "--set", "fabric.topology={kind: mesh, dims: [2, 4]}",
                "--set", "seed=2")
        self.ok("check", "config.yaml", "--set", "traffic.program=a:b", "--set", "traffic={schedule: gen}")
        # Which is not the shell's doing.
        self.refused("check", "config.yaml", "--set", "fabric.topology={kind: mesh",
                     "--set", "seed=}", says=["--set fabric.topology={kind: mesh: error: a key must be a word",
                                            "--set seed=}: error: not valid"])

    def test_help_is_given_whatever_stands_beside_it(self):
        done = self.call("run", "--xyzzy", "--help")
        self.assertEqual(done.returncode, EXIT_OK, done.stderr)
        self.assertIn("--engine", done.stdout)


if __name__ == "__main__":
    main()
