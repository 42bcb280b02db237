# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The examples of the issue "Hardening", with the inputs that it gives: point by point, in its order.
Those that other tests replay as they are stand there; testbench/app/cli/ATTACKS.md has them all."""
import json
import os
import re
import signal
import subprocess

from flitscope_cli import (CliTest, EXIT_INTERRUPTED, EXIT_OK, EXIT_STANDSTILL, EXIT_USAGE, GIB, TIMEOUT_S,
                           binary, hypercube, is_sanitized, main)

C_YAML = ("fabric: {topology: {kind: mesh, dims: [2, 2]}}\n"
          "traffic: {schedule: gen, message_bytes: 8}\n")
SECONDS = 10  # of a processor, where a minute was too long


class HardeningExamples(CliTest):
    def setUp(self):
        super().setUp()
        self.write("c.yaml", C_YAML)

    def within_bounds(self, *arguments, memory=GIB):
        """The process, of which neither memory nor time grew with what it was given."""
        if is_sanitized():
            return self.call(*arguments)
        done, seconds = self.call_with(memory, *arguments)
        self.assertLess(seconds, SECONDS)
        return done

    def refused(self, *arguments, says=()):
        """Exit code 2, one message that has all of `says`, and the folder as it was."""
        before = self.everything()
        done = self.within_bounds(*arguments)
        self.assertEqual(done.returncode, EXIT_USAGE, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr[:1000])
        for text in says:
            self.assertIn(text, done.stderr)
        self.assertEqual(self.everything(), before)

    def graph_refused(self, name, content, says):
        self.write(name, content)
        self.refused("check", "c.yaml", "--set",
                     f"fabric.topology={{kind: custom, file: {name}}}", says=says)

    # ---- 1. Crash on a 1 KB DOT file ------------------------------------------------------------

    def test_1_a_syntax_error_in_a_dot_file_with_a_path_of_1200_characters(self):
        name = "/".join(["d" * 240] * 5) + "/g.dot"
        self.graph_refused(name, "graph { a -- ; }", says=[name + ":1:14: error: this is not DOT"])

    def test_1_a_syntax_error_behind_a_line_name_of_1200_characters(self):
        self.graph_refused("g.dot", '# 1 "' + "n" * 1200 + '"\ngraph { a -- ; }',
                           says=["g.dot:2:14: error: this is not DOT: syntax error near ';'"])

    def test_1_tokens_of_1000_characters(self):
        token = "t" * 1000
        self.graph_refused("g.dot", f"graph {{ a -- {token} {token} ] }}",
                           says=["g.dot:1:2016: error: this is not DOT: syntax error near ']'"])
        self.graph_refused("g.dot", f"graph {{ a -- b [{token}] }}", says=["g.dot:1:", "syntax error"])

    def test_1_a_dot_string_of_50_mb(self):
        self.graph_refused("g.dot", 'graph { a -- "' + "s" * 50_000_000 + '" }',
                           says=["g.dot:1:14: error: this is not DOT: a quoted text of more than 16384"])

    def test_1_a_sum_of_dot_strings_of_4_mb(self):
        self.graph_refused("g.dot", "graph { a -- " + "+".join(['"a"'] * 1_000_000) + " }",
                           says=["g.dot:1:14: error: this is not DOT: a quoted text of more than 16384"])

    def test_1_two_groups_of_3000_nodes_joined(self):
        groups = [" ".join(f"{side}{i}" for i in range(3000)) for side in "ab"]
        text = f"graph {{ {{{groups[0]}}} -- {{{groups[1]}}} }}"
        self.assertLess(len(text), 40_000)
        self.graph_refused("g.dot", text, says=["g.dot:1:9: error: more than 4194304 edges"])

    def test_1_60_mb_of_links_in_yaml(self):
        self.graph_refused("g.yaml", "nodes: 2\nlinks: [" + "1," * 30_000_000 + "1]\n",
                           says=["g.yaml:2:", "has more than 8388608 entries", "as CSV"])

    def test_1_a_csv_header_of_commas(self):
        self.graph_refused("g.csv", "," * 60_000_000 + "\n",
                           says=["g.csv:1:1: error: more than 1000 columns"])

    # ---- 2. Wrong results for huge times --------------------------------------------------------

    def program_refused(self, row, says, *options, header="id,source,destination,bytes,time"):
        self.write("p.csv", f"{header}\n{row}\n")
        for command, engine in (("check", ()), ("run", ("--engine", "cycle")), ("run", ("--engine", "tlm"))):
            self.refused(command, "c.yaml", *engine, "--set", "traffic={program: p.csv}", *options,
                         says=["p.csv:2:9: error: time ", *says])

    def test_2_a_time_of_2_to_the_63(self):
        self.program_refused("1,0,1,8,9223372036854775808",
                             says=["'9223372036854775808' is too large (0 .. 1000000000000000"])

    def test_2_times_from_2_to_the_61(self):
        for time_of_row in (2**61, 2**62, 2**63 - 1):
            self.program_refused(f"1,0,1,8,{time_of_row}", says=[f"'{time_of_row}' is too large"])

    def test_2_a_time_and_a_startup_that_wrapped_together(self):
        self.program_refused("1,0,1,8,18446744073709551616",
                             ["'18446744073709551616' is too large"],
                             "--set", "node.send_startup=1000000000")

    def test_2_large_times_and_startups_that_are_taken_wrap_on_no_engine(self):
        self.write("p.csv", f"id,source,destination,bytes,time\n1,0,1,8,{10**15 - 2 * 10**9}\n")
        for engine in ("cycle", "tlm"):
            done = self.within_bounds("run", "c.yaml", "--engine", engine, "--json", "--set",
                                      "traffic={program: p.csv}", "--set", "node.send_startup=1000000000",
                                      "--set", f"limits.max_cycles={10**15}")
            self.assertEqual(done.returncode, EXIT_OK, done.stderr)
            self.assertGreater(json.loads(done.stdout)["cycles"], 10**15 - 10**9)

    UNENDING = "traffic={pattern: uniform, injection_rate: 0.1, message_bytes: 8, measure_cycles: %d}"

    def test_2_a_run_beyond_the_clock_of_systemc_is_refused(self):
        self.refused("run", "c.yaml", "--set", "clock_ns=1000000", "--set", self.UNENDING % 19e9,
                     says=["a clock of 1000000 ns never reaches the end of the measurement",
                           "2^64 ps, 18446744073 cycles", "clock_ns"])

    def test_2_a_run_that_comes_to_the_end_of_the_clock_stops_there(self):
        self.write("p.csv", "id,source,destination,bytes,time\n1,0,1,8,18446744000\n")
        for engine in ("cycle", "tlm"):
            for limit, stops in ((19_000_000_000, 18446744073), (1_000_000, 1_000_000)):
                done = self.within_bounds("run", "c.yaml", "--set", "clock_ns=1000000", "--json", "--set",
                                          "traffic={program: p.csv}", "--set", "node.send_startup=1000000",
                                          "--set", f"limits.max_cycles={limit}", "--engine", engine)
                self.assertEqual(done.returncode, EXIT_STANDSTILL, done.stderr)
                self.assertEqual(json.loads(done.stdout)["simulated_cycles"], stops)

    def test_2_the_first_sigint_ends_a_run_with_that_clock(self):
        with open(self.path("said"), "wb") as said:
            process = self.start("run", "c.yaml", "--set", "clock_ns=1000000", "--json", "--progress",
                                 "--set", self.UNENDING % 18e9, "--set", "limits.max_cycles=18446744073",
                                 stdout=subprocess.PIPE, stderr=said)
            self.wait_until(lambda: b"%" in self.read("said"), "the run never started", process)
            process.send_signal(signal.SIGINT)
            out = process.communicate(timeout=TIMEOUT_S)[0]
        self.assertEqual(process.returncode, EXIT_INTERRUPTED, self.read("said"))
        self.assertEqual(json.loads(out)["status"], "interrupted")

    # ---- 4. Memory ------------------------------------------------------------------------------

    def taken(self, *settings):
        sets = [word for setting in settings for word in ("--set", setting)]
        done = self.within_bounds("check", "c.yaml", *sets)
        self.assertEqual(done.returncode, EXIT_OK, done.stderr)
        return done.stdout

    def test_4_a_recursive_exchange_on_hypercube_14_needs_no_12_gb(self):
        self.assertIn("recursive-exchange: 229,376 messages in 14 steps", self.taken(
            f"fabric.topology={json.dumps(hypercube(14))}",
            "traffic={schedule: recursive-exchange, message_bytes: 8}"))

    def test_4_a_step_of_4294967294(self):
        self.write("p.csv", "source,destination,bytes,step\n0,1,8,4294967294\n")
        self.refused("check", "c.yaml", "--set", "traffic={program: p.csv}",
                     says=["p.csv:2:7: error: step '4294967294' is too large (0 .. 16777215)"])

    def test_4_a_pipelined_chain_with_65536_pieces(self):
        chain = ("traffic={schedule: broadcast, algorithm: pipelined_chain, message_bytes: 524288, "
                 "pieces: 65536}")
        self.assertIn("196,608 messages", self.taken(chain))
        self.refused("check", "c.yaml", "--set", "fabric.topology={kind: mesh, dims: [64, 64]}",
                     "--set", chain, says=["65536 pieces among 4096 nodes are too many (at most 16388"])

    # ---- 5. Shell -------------------------------------------------------------------------------

    def test_5_a_backquote_in_the_folder_of_a_reproduction(self):
        done = self.call("reproduce", "boppana", "--out", "a`touch ran`b")
        self.assertEqual(done.returncode, EXIT_OK, done.stderr)
        self.assertIn("a`touch ran`b/boppana_eta.svg", self.everything())
        self.assertEqual([name for name in self.everything() if os.path.basename(name) == "ran"], [])

    # ---- 10. Smaller ----------------------------------------------------------------------------

    def test_10_an_rtl_module_of_5000_letters(self):
        self.refused("check", "c.yaml", "--set", "fabric.rtl_module=" + "m" * 5000,
                     says=["--set fabric.rtl_module="])

    def test_10_json_of_names_that_are_not_utf_8(self):
        """`synth` of the smallest router that there is."""
        ring = ("fabric: {topology: {kind: custom, file: ring.csv}, buffer_depth: 1}\n"
                "traffic: {pattern: uniform, injection_rate: 0.1, message_bytes: 8}\n")
        self.write("ring.csv", "from,to\n0,1\n1,0\n")
        with open(os.fsencode(self.folder) + b"/bad\xff.yaml", "w", encoding="utf-8") as file:
            file.write(ring)
        for command in ("compare", "synth"):
            done = subprocess.run([binary(), command, b"bad\xff.yaml", "--json"], cwd=self.folder,
                                  capture_output=True, timeout=TIMEOUT_S, check=False)
            self.assertEqual(done.returncode, EXIT_OK, done.stderr)
            json.loads(done.stdout.decode())  # raises where it is not UTF-8

    def test_10_hundreds_of_thousands_of_wrong_lines(self):
        for name, text, option in (
                ("p.csv", "source,destination,bytes,step\n" + "0,1,x,0\n" * 300_000,
                 "traffic={program: p.csv}"),
                ("g.csv", "from,to\n" + "0,x\n" * 300_000, "fabric.topology={kind: custom, file: g.csv}")):
            self.write(name, text)
            done = self.within_bounds("check", "c.yaml", "--set", option)
            self.assertEqual(done.returncode, EXIT_USAGE, done.stderr[:1000])
            self.assertLessEqual(len(done.stderr.splitlines()), 51)
            self.assertIn(name, done.stderr)

    def test_10_the_timescale_of_a_clock_in_small_parts_of_a_nanosecond(self):
        for clock in ("123456.7891234", "123.4567891234"):
            self.ok("run", "c.yaml", "--set", "clock_ns=" + clock, "--trace", "run.vcd")
            self.assertIn("$timescale 1fs $end", self.read("run.vcd").decode())

    def test_10_auto_takes_the_quicker_engine_where_little_is_sent(self):
        report = self.report("run", "c.yaml", "--engine", "auto", "--set",
                             "traffic={pattern: uniform, injection_rate: 0.001, message_bytes: 8}")
        self.assertEqual(report["engine"], "cycle")
        self.assertIn("packets have 2 flits", report["engine_reason"])

    def test_10_a_side_of_1_in_a_generalized_hypercube_reserves_no_ports(self):
        """Four nodes in a line, fully joined: three links and the node are all ports that there are."""
        for dims in ("[4]", "[1, 4]", "[4, 1]"):
            text = self.ok("topology", "c.yaml", "--set",
                           f"fabric.topology={{kind: ghc, dims: {dims}}}")
            self.assertEqual(re.search(r"router_p(\d+)_", text).group(1), "4", dims)


if __name__ == "__main__":
    main()
