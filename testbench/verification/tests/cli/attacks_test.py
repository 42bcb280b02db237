# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""What goes wrong in somebody's first week, many times over: slips in every kind of input, outputs that
cannot be written, runs that are killed. Whatever happens, the exit code is one of those documented, the
message is one, nothing crashes or hangs, and no file is half-written under its final name.

FLITSCOPE_DEPTH=N tries N slips in place of 250; the slips of a number are always the same."""
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
from unittest import mock

from flitscope_cli import (CliTest, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, EXIT_STANDSTILL,
                           EXIT_USAGE, TIMEOUT_S, binary, machine, main, mesh, suite)
from waveform import check_vcd, fst_to_vcd

SLIPS = suite.cases_of(250, 2500)
CPU_SECONDS = 60  # of one call; those below take milliseconds
WALL_SECONDS = 20 * CPU_SECONDS  # on a busy machine
CONFIGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "configs")
VALUES = ["0", "1", "-1", "2", "3", "7", "64", "65535", "65536", "4294967296", "18446744073709551615",
          "18446744073709551616", "0.5", "1/3", "1/0", "1e9", "-0", "nan", ".inf", "null", "~", "none",
          "true", "no", "[]", "[0]", "[1, 1]", "[[1]]", "{}", "{a: b}", "''", "\"", "4KB", "xy",
          "../../x", "/dev/null", "$(id)", ";id", "%s%n", "é", "\t", "x" * 3000]
PIECES = ["\t", "\0", "{", "}", "[", "]", ":", ": ", "- ", ",", "#", "'", "\"", "&a ", "*a ", "!x ", "|",
          ">", "%", "@", "`", "~", "\n", "\r", "\xff", "\ufeff", "---\n", "0", "-", "<<: "]
GRAPHS = {
    "g.yaml": "nodes: 3\nlinks:\n  - {from: 0, to: 1, both: true, length: 2}\n"
              "  - {from: 1, to: 2, both: true}\n",
    "g.csv": "from,to,length\n0,1,1\n1,0,1\n1,2,2\n2,1,2\n",
    "g.dot": "digraph g {\n  0 -> 1;\n  1 -> 0 [length=2];\n  1 -> 2;\n  2 -> 1;\n}\n",
    "g.graphml": "<?xml version=\"1.0\"?>\n<graphml>\n<graph edgedefault=\"undirected\">\n"
                 "<node id=\"0\"/>\n<node id=\"1\"/>\n<node id=\"2\"/>\n"
                 "<edge source=\"0\" target=\"1\"/>\n<edge source=\"1\" target=\"2\"/>\n"
                 "</graph>\n</graphml>\n",
}
PROGRAMS = {
    "p.csv": "# ping pong\nid,source,destination,bytes,time,after\n1,0,15,16,0,\n2,15,0,4096,0,1\n",
    "q.csv": "source,destination,bytes,step\n0,1,256,0\n1,0,256,0\n0,2,256,1\n",
    "p.yaml": "barrier: {per_doubling: 0, fixed: 5}\ntransfers:\n"
              "  - {source: 0, destination: 1, bytes: 64, step: 0}\n"
              "  - {source: 3, destination: 2, bytes: 64, step: 1}\n",
    "q.yaml": "transfers:\n  - {id: 7, source: 0, destination: 1, bytes: 64, time: 0}\n"
              "  - {source: 1, destination: 2, bytes: 64, time: 10, after: [7]}\n",
}


def limit_processor_time():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def slip(rng, text, words):
    """`text` with one to three mistakes."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        lines = text.split("\n")
        at = rng.randrange(len(lines))
        kind = rng.randrange(8)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(rng.randrange(len(lines) + 1), lines[at])
        elif kind == 2:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        text = "\n".join(lines)
        places = list(re.finditer(r"[A-Za-z_]+|[0-9.]+", text))
        if kind in (3, 4, 5) and places:
            found = rng.choice(places)
            new = rng.choice(words if kind == 3 else VALUES)
            text = text[:found.start()] + new + text[found.end():]
        at = rng.randrange(len(text) + 1)
        if kind == 6:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        elif kind == 7:
            text = text[:at] if rng.random() < 0.3 else text[:at] + text[at + 1:]
    return text


class Attacks(CliTest):
    def judged(self, *arguments):
        """The exit code of a call that goes as documented, however it goes."""
        before = self.everything()
        done = subprocess.run([binary(), *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=WALL_SECONDS,
                              preexec_fn=limit_processor_time)
        code, error = done.returncode, done.stderr.decode(errors="replace")
        self.assert_no_crash(code, error)
        self.assertIn(code, (EXIT_OK, EXIT_USAGE, EXIT_STANDSTILL), error)
        self.assertEqual(self.everything(), before, "left behind or lost")
        if code != EXIT_OK:
            self.assertIn("error: ", error)
            lines = error.splitlines()
            self.assertEqual(len(lines), len(set(lines)), f"told twice:\n{error}")
        # `check` tells of a network that can deadlock, and that it can.
        if code == EXIT_USAGE and not (arguments[0] == "check" and "can deadlock" in error):
            self.assertEqual(done.stdout, b"")
        return code

    def attack(self, number, texts, arguments_of):
        """Slips in `texts`, by name; half of them are read by `run`, if they can be."""
        rng = random.Random(number)
        words = sorted(set(re.findall(r"[A-Za-z_]+", " ".join(texts.values()))))
        refused = 0
        for trial in range(SLIPS // 5):
            name = rng.choice(sorted(texts))
            text = slip(rng, texts[name], words)
            arguments = arguments_of(name)
            self.write(name, text)
            with self.subTest(trial=trial, name=name, text=text):
                code = self.judged("check", *arguments)
                refused += code == EXIT_USAGE
                if code == EXIT_OK and trial % 2 == 0:
                    self.judged("run", *arguments, "--set", "limits.max_cycles=2000")
            self.write(name, texts[name])
        return refused

    def shipped(self, folder=""):
        texts = {}
        for name in sorted(os.listdir(os.path.join(CONFIGS, folder))):
            if not name.endswith((".yaml", ".csv")):
                continue
            with open(os.path.join(CONFIGS, folder, name), encoding="utf-8") as file:
                texts[os.path.join(folder, name)] = file.read()
                self.write(os.path.join(folder, name), texts[os.path.join(folder, name)])
        return texts

    def test_slips_in_configurations(self):
        texts = self.shipped()
        texts.update(self.shipped("schedules"))
        configs = {name: text for name, text in texts.items() if "\nfabric:" in "\n" + text}
        self.assertGreater(len(configs), 40)
        refused = self.attack(1, configs, lambda name: [name])
        self.assertGreater(refused, SLIPS // 20)

    def test_slips_in_graphs(self):
        for name in GRAPHS:
            self.write("config_" + name, machine({"kind": "custom", "file": name},
                                                 {"schedule": "gen", "message_bytes": 64}))
        for name, text in GRAPHS.items():
            self.write(name, text)
            self.ok("check", "config_" + name)
        self.attack(2, GRAPHS, lambda name: ["config_" + name])

    def test_slips_in_programs(self):
        for name, text in PROGRAMS.items():
            self.write(name, text)
            self.write("config_" + name, machine(mesh(4, 4), {"program": name}))
            self.ok("check", "config_" + name)
        self.attack(3, PROGRAMS, lambda name: ["config_" + name])

    def test_slips_in_overrides(self):
        self.shipped()
        keys = re.findall(r"^\| `([^`]*)` \|", self.ok("keys", "--markdown"), re.MULTILINE)
        self.assertGreater(len(keys), 50)
        rng = random.Random(4)
        for trial in range(2 * SLIPS // 5):
            override = f"{rng.choice(keys)}={rng.choice([v for v in VALUES if v != chr(0)])}"
            if rng.random() < 0.2:
                override = slip(rng, override, keys).replace("\0", "")
            name = rng.choice(("mesh_8x8_pex.yaml", "mesh_16x16_uniform.yaml", "dragonfly.yaml",
                               "mesh_8x8_broadcast.yaml", "hypercube_5_aap_circuit.yaml"))
            with self.subTest(trial=trial, name=name, override=override):
                self.judged("check", name, "--set", override)

    # ---- Outputs --------------------------------------------------------------------------------

    def long_run(self):
        self.write("long.yaml", machine(mesh(4, 4), {"pattern": "uniform", "injection_rate": 0.2,
                                                     "message_bytes": 64, "measure_cycles": 20000}))

    def check_outputs(self, folder):
        """Whatever is there under its final name is whole."""
        for name in os.listdir(self.path(folder)):
            if name.endswith(".partial") or name == "ballast":
                continue
            content = self.read(folder, name).decode()
            self.assertTrue(content.endswith("\n"), name)
            if name == "summary.json":
                json.loads(content)
            elif name == "links.csv":
                self.assertEqual(len(content.splitlines()), 1 + 48)

    def test_a_full_disk_is_an_error_that_leaves_no_half_file(self):
        self.mount_small_disk("full", "16k")
        self.long_run()
        with open(self.path("full", "ballast"), "wb") as file:
            file.write(bytes(12 << 10))
        for arguments in (["--out", "full"], ["--trace", "full/run.vcd"],
                          ["--trace", "full/run.fst"]):
            with self.subTest(arguments=arguments):
                done = self.call("run", "long.yaml", *arguments)
                self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
                self.assertIn("full", done.stderr)
                left = os.listdir(self.path("full"))
                self.assertEqual([n for n in left if "partial" in n or n.startswith("run")], [])
                self.check_outputs("full")

    def test_a_long_trace_names_the_folder_that_does_not_take_it(self):
        self.mount_small_disk("full", "2M")
        ring = "".join(f"rank {rank} {{\n" + f"send 8b to {(rank + 1) % 4}\n" * 50000 +
                       f"recv 8b from {(rank + 3) % 4}\n" * 50000 + "}\n" for rank in range(4))
        self.write("t.goal", "num_ranks 4\n" + ring)
        self.write("t.yaml", machine(mesh(2, 2), {"trace": {"file": "t.goal"}}))
        with mock.patch.dict(os.environ, TMPDIR=self.path("full")):
            done = self.call("run", "t.yaml", "--out", "out")
        self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for text in ("temporary file", self.path("full"), "No space left", "TMPDIR"):
            self.assertIn(text, done.stderr)
        self.assertEqual(os.listdir(self.path("full")), [])
        self.assertFalse(os.path.exists(self.path("out")))

    def test_a_full_disk_takes_no_pictures_and_no_networks(self):
        self.mount_small_disk("full", "4k")
        self.long_run()
        with open(self.path("full", "ballast"), "wb") as file:
            file.write(bytes(4 << 10))
        for option, name in (("--export", "net.yaml"), ("--draw", "net.svg")):
            done = self.call("topology", "long.yaml", option, "full/" + name)
            self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
            for text in ("full/" + name, "No space left on device"):
                self.assertIn(text, done.stderr)
            self.assertEqual(os.listdir(self.path("full")), ["ballast"])
            self.assertEqual(self.call("topology", "long.yaml", option, "none/" + name).returncode,
                             EXIT_USAGE)

    def test_an_fst_needs_no_room_elsewhere(self):
        self.write("wide.yaml", machine(mesh(16, 16), {"program": "one.csv"}))
        self.write("one.csv", "source,destination,bytes,step\n0,1,64,0\n")
        shutil.copy(binary(), self.path("program"))  # which may be in /tmp, too
        small = ("mount --bind . /mnt && mount -t tmpfs -o size=4k none /tmp && cd /mnt && "
                 "exec ./program run wide.yaml --trace run.fst")
        if subprocess.run(["unshare", "--mount", "true"], check=False).returncode != 0:
            self.skipTest("only root can mount a small disk")
        done = subprocess.run(["unshare", "--mount", "sh", "-c", small], cwd=self.folder, text=True,
                              capture_output=True, timeout=TIMEOUT_S, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        check_vcd(self, fst_to_vcd(self.path("run.fst")))
        self.assertEqual([n for n in os.listdir(self.folder) if "partial" in n], [])

    def test_a_pipe_takes_a_waveform_and_gives_a_configuration(self):
        self.long_run()
        os.mkfifo(self.path("pipe.vcd"))
        os.mkfifo(self.path("pipe.yaml"))
        readers = [subprocess.Popen(["cp", self.path("long.yaml"), self.path("pipe.yaml")]),
                   subprocess.Popen(["dd", "if=" + self.path("pipe.vcd"), "status=none",
                                     "of=" + self.path("read.vcd")])]
        for reader in readers:
            self.addCleanup(reader.wait)
            self.addCleanup(reader.kill)
        self.ok("run", "pipe.yaml", "--trace", "pipe.vcd")
        for reader in readers:
            self.assertEqual(reader.wait(timeout=TIMEOUT_S), 0)
        check_vcd(self, self.read("read.vcd").decode())

    def test_runs_into_one_folder_at_a_time_leave_whole_files(self):
        self.long_run()
        running = [self.start("run", "long.yaml", "--out", "out", "--json", stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) for _ in range(4)]
        for process in running:
            error = process.communicate(timeout=WALL_SECONDS)[1].decode()
            self.assertEqual(process.returncode, EXIT_OK, error)
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         ["config.yaml", "links.csv", "summary.json"])
        self.check_outputs("out")

    def test_files_of_the_user_in_the_output_folder_stay(self):
        self.long_run()
        for name in (".flitscope", "links.csv.partial", "notes"):
            self.write(os.path.join("out", name), "mine")
        self.ok("run", "long.yaml", "--out", "out")
        for name in (".flitscope", "links.csv.partial", "notes"):
            self.assertEqual(self.read("out", name), b"mine")

    def test_a_killed_run_leaves_no_half_file_under_its_name(self):
        self.write("endless.yaml", machine(
            mesh(4, 4), {"pattern": "uniform", "injection_rate": 0.1, "message_bytes": 64,
                         "measure_cycles": 10**9}, limits={"max_cycles": 10**12}))
        for number, code in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, EXIT_INTERRUPTED)):
            out = f"out{int(number)}"
            process = self.start("run", "endless.yaml", "--engine", "cycle", "--out", out, "--trace",
                                 "run.vcd", stderr=subprocess.PIPE)

            def has_written():
                self.assertFalse(os.path.exists(self.path("run.vcd")), "has its name too early")
                return sum(os.path.getsize(self.path(name)) for name in os.listdir(self.folder)
                           if name.startswith("run.vcd.")) > 50000
            self.wait_until(has_written, "the run never started", process)
            process.send_signal(number)
            error = process.communicate(timeout=TIMEOUT_S)[1].decode()
            self.assertEqual(process.returncode, code, error)
            self.check_outputs(out)
            if number == signal.SIGKILL:
                self.assertFalse(os.path.exists(self.path("run.vcd")))
            else:
                check_vcd(self, self.read("run.vcd").decode())
            for name in os.listdir(self.folder):
                if name.startswith("run.vcd"):
                    os.remove(self.path(name))


if __name__ == "__main__":
    main()
