# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""What goes wrong in somebody's first week, many times over: slips in every kind of input. Whatever happens,
the exit code is one of those documented, no message comes twice, nothing crashes, hangs or is left behind.

FLITSCOPE_DEPTH=N tries N slips in place of 150; the slips of a number are always the same."""
import os
import random
import re
import resource
import subprocess

from flitscope_cli import CliTest, EXIT_OK, EXIT_STANDSTILL, EXIT_USAGE, binary, machine, main, mesh, suite

SLIPS = suite.cases_of(150, 2500)
CPU_SECONDS = 60  # for one call; those below take milliseconds
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
    "g.anynet": "router 0 node 0 router 1 2\nrouter 1 node 1 router 2\nrouter 2 node 2\n",
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


class Slips(CliTest):
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
        # `check` describes a network that can deadlock, and reports that.
        if code == EXIT_USAGE and not (arguments[0] == "check" and "can deadlock" in error):
            self.assertEqual(done.stdout, b"")
        return code

    def try_slips(self, number, texts, arguments_of):
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
        refused = self.try_slips(1, configs, lambda name: [name])
        self.assertGreater(refused, SLIPS // 20)

    def test_slips_in_graphs(self):
        for name in GRAPHS:
            self.write("config_" + name, machine({"kind": "custom", "file": name},
                                                 {"schedule": "gen", "message_bytes": 64}))
        for name, text in GRAPHS.items():
            self.write(name, text)
            self.ok("check", "config_" + name)
        self.try_slips(2, GRAPHS, lambda name: ["config_" + name])

    def test_slips_in_programs(self):
        for name, text in PROGRAMS.items():
            self.write(name, text)
            self.write("config_" + name, machine(mesh(4, 4), {"program": name}))
            self.ok("check", "config_" + name)
        self.try_slips(3, PROGRAMS, lambda name: ["config_" + name])

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


if __name__ == "__main__":
    main()
