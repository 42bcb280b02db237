# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C ends a long run in good order: valid traces, tables, and a summary that says so."""
import json
import os
import signal
import subprocess
import time

from flitscope_cli import CliTest, EXIT_INTERRUPTED, POLL_S, TIMEOUT_S, machine, main, mesh, suite
from waveform import check_vcd, fst_to_vcd, link_busy_cycles

# Far more cycles than any machine simulates while the test waits.
LONG_PATTERN = machine(mesh(4, 4), {"pattern": "uniform", "injection_rate": 0.1,
                                    "message_bytes": 64, "measure_cycles": 10**9},
                       limits={"max_cycles": 10**12}, waveform={"until": 5000})
# Its mean is not that precise for many seconds.
LONG_STEADY = machine(mesh(8, 8), {"pattern": "uniform", "injection_rate": 0.1,
                                   "message_bytes": 64},
                      steady={"half_width": 0.001, "confidence": 0.999, "max_cycles": 10**9},
                      limits={"max_cycles": 10**12})
LONG_SCHEDULE = machine(mesh(4, 4), {"schedule": "gen", "message_bytes": 2**30},
                        limits={"max_cycles": 10**12}, waveform={"until": 5000})
# These end us at once, with all that we have started; its folders stay.
NOT_HANDLED = (signal.SIGKILL, signal.SIGUSR1)


def is_running(process):
    """Somebody else's, which may be dead while nobody has asked how it ended."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def processor_seconds(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        user, system = file.read().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class Interrupt(CliTest):
    def interrupted(self, config, has_started, *arguments, engine="cycle", number=signal.SIGINT,
                    command="run"):
        """Starts a run, sends the signal once it has started, and returns what it printed."""
        self.write("config.yaml", config)
        with open(self.path("stderr"), "wb") as err, open(self.path("stdout"), "wb") as out:
            process = self.start(command, "config.yaml", "--engine", engine, *arguments, stdout=out,
                                 stderr=err)
            self.wait_until(has_started, lambda: self.read("stderr"), process)
            process.send_signal(number)
            code = process.wait(timeout=TIMEOUT_S)
        error = self.read("stderr").decode()
        self.assert_no_crash(code, error)
        self.assertEqual(code, EXIT_INTERRUPTED, error)
        self.assertIn("interrupted", error)
        return self.read("stdout").decode()

    def trace_grew(self, name, size):
        return lambda: os.path.exists(self.path(name)) and os.path.getsize(self.path(name)) > size

    def reported_progress(self):
        return lambda: b"%" in self.read("stderr")

    def check_files(self, report):
        self.assertEqual(report["status"], "interrupted")
        self.assertTrue(any("interrupted" in p for p in report["problems"]))
        rows = self.read_csv("out", "links.csv")
        self.assertEqual(len(rows), 48)
        self.assertEqual(sum(int(r["flits"]) for r in rows), report["flit_hops"])
        self.assertGreater(report["flit_hops"], 0)
        self.assertEqual(json.loads(self.read("out", "summary.json")), report)
        self.assertIn("out/config.yaml", self.everything())
        self.assertEqual([f for f in self.everything() if f.endswith(".partial")], [])

    def test_nothing_is_compared_when_a_run_is_missing(self):
        self.assertEqual(self.interrupted(LONG_SCHEDULE, self.reported_progress(), "--run",
                                          "--progress", command="compare"), "")

    def test_a_path_is_in_the_waveform_as_far_as_it_came(self):
        report = json.loads(self.interrupted(LONG_SCHEDULE, self.reported_progress(), "--json",
                                             "--progress", "--explain", "--trace", "run.vcd",
                                             "--out", "out"))
        self.assertEqual(sum(report["causes"].values()), report["cycles"])
        self.check_files(report)
        vcd = self.read("run.vcd").decode()
        check_vcd(self, vcd)
        self.assertIn(" cause ", vcd)

    def test_a_vcd_is_complete_and_the_summary_says_interrupted(self):
        report = json.loads(self.interrupted(LONG_PATTERN, self.trace_grew("run.vcd", 100000),
                                             "--json", "--trace", "run.vcd", "--out", "out"))
        self.check_files(report)
        vcd = self.read("run.vcd").decode()
        check_vcd(self, vcd)
        self.assertGreater(sum(link_busy_cycles(vcd).values()), 0)
        self.assertIn("run.vcd.gtkw", self.everything())
        self.assertLessEqual(report["messages_delivered"], report["messages_expected"])
        self.assertGreater(report["messages_delivered"], 0)

    def test_an_fst_is_complete(self):
        report = json.loads(self.interrupted(LONG_PATTERN, self.reported_progress(), "--json",
                                             "--progress", "--trace", "run.fst", "--out", "out"))
        self.check_files(report)
        vcd = fst_to_vcd(self.path("run.fst"))
        check_vcd(self, vcd)
        self.assertGreater(sum(link_busy_cycles(vcd).values()), 0)
        self.assertIn("run.fst.gtkw", self.everything())

    def test_the_tlm_engine_leaves_its_files_complete_too(self):
        for trace in ("run.vcd", "run.fst"):
            report = json.loads(self.interrupted(LONG_PATTERN, self.reported_progress(), "--json",
                                                 "--progress", "--trace", trace, "--out", "out",
                                                 engine="tlm"))
            self.assertEqual(report["engine"], "tlm")
            self.check_files(report)
            vcd = (fst_to_vcd(self.path(trace)) if trace.endswith("fst") else
                   self.read(trace).decode())
            check_vcd(self, vcd)
            self.assertGreater(sum(link_busy_cycles(vcd).values()), 0)
            self.assertIn(trace + ".gtkw", self.everything())

    def test_a_schedule_keeps_the_steps_it_did(self):
        report = json.loads(self.interrupted(LONG_SCHEDULE, self.reported_progress(), "--json",
                                             "--progress", "--trace", "run.vcd", "--out", "out"))
        self.check_files(report)
        check_vcd(self, self.read("run.vcd").decode())
        self.assertEqual(report["messages_expected"], 240)
        self.assertLess(report["messages_delivered"], 240)
        self.assertLessEqual(report["link_utilization"]["max"], 1)
        rows = self.read_csv("out", "steps.csv")
        self.assertEqual(len(rows), 15)
        for row in rows:
            if row["end"] != "":
                self.assertLess(int(row["start"]), int(row["end"]))
        self.assertEqual(rows[-1]["end"], "")

    def test_the_summary_for_people_says_interrupted(self):
        text = self.interrupted(LONG_PATTERN, self.reported_progress(), "--progress")
        self.assertIn("interrupted", text)

    def test_nobody_knows_how_much_is_left_until_a_mean_is_sure(self):
        self.interrupted(LONG_STEADY, lambda: b"cycles/s" in self.read("stderr"), "--progress")
        said = self.read("stderr").decode()
        self.assertRegex(said, r"(?m)^cycle \d+  \d+ k cycles/s  \d+ messages"
                               r"(  latency \+- [\d.]+ %, 0\.1 % wanted)?$")
        self.assertNotIn(" left", said)

    def test_a_search_for_a_schedule_ends_at_once(self):
        self.write("config.yaml", machine(mesh(16, 16), {"schedule": "gen", "message_bytes": 8}))
        process = self.start("find-schedule", "config.yaml", "--collective", "all_gather", "--time",
                             "1000000", "-o", "found.csv")
        # The search prints nothing while it runs; everything before it takes a tenth of a second.
        self.wait_until(lambda: processor_seconds(process) > 1, "the search never started", process)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=TIMEOUT_S), -signal.SIGTERM)
        self.assertEqual(self.everything(), {"config.yaml"})

    def test_a_signal_that_is_ignored_stays_so(self):
        self.write("config.yaml", LONG_PATTERN)
        with open(self.path("stderr"), "wb") as err:
            process = self.start("run", "config.yaml", "--progress", stderr=err,
                                 preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
            self.wait_until(self.reported_progress(), lambda: self.read("stderr"), process)
            process.send_signal(signal.SIGINT)
            with self.assertRaises(subprocess.TimeoutExpired):
                process.wait(timeout=1)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(timeout=TIMEOUT_S), EXIT_INTERRUPTED)

    def assert_ends_with_its_programs(self, program, count, *arguments, number=signal.SIGINT,
                                       code=EXIT_INTERRUPTED):
        """That they have ended when the command has, and that their folders are gone."""
        self.endless_program(program)
        os.mkdir(self.path("tmp"))
        places = {"PATH": self.path("bin") + ":" + os.environ["PATH"], "TMPDIR": self.path("tmp"),
                  "FLITSCOPE_CACHE": self.path("cache")}
        process = self.start(*arguments, stderr=subprocess.PIPE, env={**os.environ, **places})
        self.wait_until(lambda: len(self.programs(program)) >= count,
                        f"{program} was started fewer than {count} times", process)
        process.send_signal(number)
        error = process.communicate(timeout=TIMEOUT_S)[1].decode()
        self.assertEqual(process.returncode, code, error)
        if number in NOT_HANDLED:
            self.wait_until(lambda: not any(map(is_running, self.programs(program))),
                            f"{program} goes on")
            return
        self.assertFalse(any(map(is_running, self.programs(program))), f"{program} goes on")
        self.assertEqual(os.listdir(self.path("tmp")), [])
        left = {path for path in self.everything() if "partial" in path}
        self.assertEqual(left, set())

    @suite.needs_synthesis
    def test_programs_of_many_syntheses_end_too(self):
        codes = {signal.SIGINT: EXIT_INTERRUPTED, signal.SIGTERM: EXIT_INTERRUPTED}
        for number in (*codes, signal.SIGHUP, signal.SIGQUIT, *NOT_HANDLED):
            with self.subTest(number=number):
                self.setUp()
                self.write("config.yaml", machine(mesh(4, 4), {"pattern": "uniform"}))
                self.assert_ends_with_its_programs(
                    "yosys", 2, "synth", "config.yaml", "--jobs", "2", "--sweep",
                    "fabric.buffer_depth=2,3,4", number=number, code=codes.get(number, -number))

    def test_a_folder_that_is_not_finished_goes_with_us(self):
        self.write("config.yaml", machine(mesh(24, 24), {"schedule": "gen", "message_bytes": 64}))
        os.mkdir(self.path("out"))
        for first, second in ((signal.SIGHUP, None), (signal.SIGQUIT, None),
                              (signal.SIGTERM, signal.SIGTERM), (signal.SIGINT, signal.SIGINT)):
            with self.subTest(first=first, second=second):
                process = self.start("export", "config.yaml", "--rtl", "out/rtl")
                self.wait_until(lambda: os.listdir(self.path("out")), "nothing was begun", process,
                                poll_s=POLL_S / 10)
                process.send_signal(first)
                if second:
                    time.sleep(POLL_S)
                    process.send_signal(second)
                process.wait(timeout=TIMEOUT_S)
                self.assertEqual(os.listdir(self.path("out")), [])

    def test_the_program_that_draws_ends_too(self):
        self.write("config.yaml", machine(mesh(4, 4), {"pattern": "uniform", "injection_rate": 0.1,
                                                       "message_bytes": 64, "measure_cycles": 1000}))
        self.assert_ends_with_its_programs("gnuplot", 1, "curve", "config.yaml", "--rates", "0.1",
                                           "--plot", "curve.svg")

    def test_the_program_that_draws_a_network_ends_too(self):
        self.write("config.yaml", machine(mesh(4, 4), {"pattern": "uniform"}))
        self.assert_ends_with_its_programs("neato", 1, "topology", "config.yaml", "--draw", "n.svg",
                                           code=-signal.SIGINT)

    def test_a_request_to_terminate_is_an_interrupt_too(self):
        report = json.loads(self.interrupted(LONG_PATTERN, self.trace_grew("run.vcd", 100000),
                                             "--json", "--trace", "run.vcd",
                                             number=signal.SIGTERM))
        self.assertEqual(report["status"], "interrupted")
        check_vcd(self, self.read("run.vcd").decode())


if __name__ == "__main__":
    main()
