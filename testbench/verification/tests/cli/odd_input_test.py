# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Names and values that nobody types on purpose: what is refused says so in one message that a terminal
can show, and what is accepted comes back the same."""
import json
import os
import signal
import subprocess
from unittest import mock

from flitscope_cli import CliTest, EXIT_FAILED, EXIT_USAGE, TIMEOUT_S, binary, machine, main, mesh

CONFIG = machine(mesh(2, 2), {"schedule": "gen", "message_bytes": 8})
PROGRAM = "source,destination,bytes,step\n0,1,8,0\n"


class OddInput(CliTest):
    def refused(self, *arguments, says=()):
        done = subprocess.run([binary(), *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=TIMEOUT_S, check=False)
        error = done.stderr.decode()  # raises where it is not UTF-8
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
        name = os.fsencode(self.folder) + b"/bad\xff.yaml"
        with open(name, "wb") as file:
            file.write(CONFIG.encode())
        done = subprocess.run([binary(), "compare", b"bad\xff.yaml", "--json"], cwd=self.folder,
                              capture_output=True, timeout=TIMEOUT_S, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("bad\ufffd", json.dumps(json.loads(done.stdout), ensure_ascii=False))

    def test_a_resolved_configuration_is_read_back_from_a_folder_of_any_name(self):
        for folder in ("line\nfeed", "tab\t\x7f\x1b", "quo\"te\\s", "é"):
            with self.subTest(folder=folder):
                self.write(folder + "/p.csv", PROGRAM)
                self.write(folder + "/p.yaml", machine(mesh(2, 2), {"program": "p.csv"}))
                self.ok("run", folder + "/p.yaml", "--out", "out")
                self.ok("run", "out/config.yaml", "--out", "again")
                self.assertEqual(self.read("out", "config.yaml"), self.read("again", "config.yaml"))
                self.ok("report", "out", "-o", "page.html")

    def test_the_folder_of_a_run_may_be_anybodys(self):
        self.write("c.yaml", CONFIG)
        self.ok("run", "c.yaml", "--out", "out")
        summary = json.loads(self.read("out", "summary.json"))
        deep = json.dumps(summary).replace(json.dumps(summary["version"]),
                                           "[" * 1000000 + "]" * 1000000)
        self.write("out/summary.json", deep)  # as many levels as would need more stack than there is
        self.refused("report", "out", "-o", "page.html", says=["is not what a run writes"])
        self.write("out/summary.json", json.dumps(dict(summary, version="1\x1b[31m\n2", cycles=1)))
        done = self.call("report", "out", "-o", "page.html")
        self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
        self.assertIn(r"written by flitscope 1\x1b[31m\x0a2", done.stderr)

    def test_a_wait_for_somebody_who_reads_a_pipe_ends_with_a_signal(self):
        self.write("c.yaml", CONFIG)
        os.mkfifo(self.path("pipe.vcd"))
        for number in (signal.SIGTERM, signal.SIGINT):
            process = self.start("run", "c.yaml", "--trace", "pipe.vcd")
            with open(f"/proc/{process.pid}/syscall", encoding="ascii") as calls:
                self.wait_until(lambda: self.opens_a_pipe(calls, process.pid),
                                "the pipe was never opened", process)
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=TIMEOUT_S), -number)

    @staticmethod
    def opens_a_pipe(calls, pid):
        """Whether the process waits in openat, the system call 257 of x86-64."""
        calls.seek(0)
        with open(f"/proc/{pid}/wchan", encoding="ascii") as where:
            name = where.read()
        return "fifo" in name or "wait_for_partner" in name or calls.read().split()[0] == "257"

    def test_a_library_that_is_cut_short_is_refused(self):
        name = "rtl/router_p5_v1_d8_w64_r1_mesh.so"
        with open(binary(), "rb") as file:  # an ELF file, and no library of a router
            whole = file.read()
        self.write("c.yaml", machine(mesh(2, 2), {"schedule": "gen", "message_bytes": 8},
                                     fabric={"router": "rtl"}))
        with mock.patch.dict(os.environ, FLITSCOPE_RTL_LIBRARIES=self.path("rtl")):
            for size in (0, 3, 40, 64, 500, len(whole) // 2, len(whole) - 1):
                self.write(name, whole[:size])
                self.refused("check", "c.yaml", says=[name, "is no whole library", "remove it"])
            self.write(name, whole)
            self.refused("check", "c.yaml", says=[name])
            os.remove(self.path(name))
            os.mkfifo(self.path(name))
            self.refused("check", "c.yaml", says=[name, "is in the place of a library", "remove it"])

    def test_a_full_folder_of_temporary_files_is_named(self):
        self.write("c.yaml", CONFIG)
        self.mount_small_disk("full", "4k")
        with open(self.path("full", "ballast"), "wb") as file:
            file.write(bytes(4 << 10))
        done = subprocess.run([binary(), "topology", "c.yaml", "--draw", "net.svg"], cwd=self.folder,
                              capture_output=True, text=True, timeout=TIMEOUT_S, check=False,
                              env=dict(os.environ, TMPDIR=self.path("full")))
        self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
        for text in (self.path("full"), "No space left on device", "TMPDIR"):
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    main()
