#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""What verilator has made of some sources is made once on a machine, and never taken for that of others.

usage: verilate_test.py ROOT CMAKE
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402

CMAKE = sys.argv.pop(2)
HW = pathlib.Path(sys.argv.pop(1)).resolve() / "hw"
SCRIPT = HW / "verilated/verilate.cmake"
VARIANTS = ("router_p3_v1_d2_w64_r1_mesh", "valid_ready_router_p5_v1_d2_w64_r1_mesh_valid_ready")
MODULE = "module counter #(parameter int Step = 1) (input logic clk, output logic [7:0] q);\n" \
         "always_ff @(posedge clk) q <= q + 8'(Step);\nendmodule\n"
# Verilator, with a note for each router that it makes, and a version that tests choose.
VERILATOR = """#!/bin/sh
if [ "$1" = --version ]; then echo "${VERSION:-1}"; exit; fi
echo made >> "$LOG"
exec verilator "$@"
"""


class Folders(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="flitscope_verilate_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.log = self.folder / "log"
        self.log.touch()
        self.cache = self.folder / "cache/verilated"
        self.verilator = self.folder / "verilator"
        self.verilator.write_text(VERILATOR)
        self.verilator.chmod(0o755)

    def environment(self, **more):
        return {**os.environ, "LOG": str(self.log), "FLITSCOPE_CACHE": str(self.cache.parent), **more}

    def made(self):
        """How often verilator has made something."""
        return len(self.log.read_text().splitlines())

    def generated(self, folder):
        return {file.name: file.read_text() for file in folder.glob("Vrouter*") if file.suffix in (".cpp", ".h")}


class Archive(Folders):
    def setUp(self):
        super().setUp()
        self.source = self.folder / "counter.sv"
        self.source.write_text(MODULE)

    def begin(self, name, *arguments, reads=("../counter.sv",), defines=(), **environment):
        (self.folder / name).mkdir(exist_ok=True)
        return subprocess.Popen(
            [CMAKE, "-D", f"READS={';'.join(reads)}", *defines, "-P", SCRIPT, "--", self.verilator, "--cc",
             "--prefix", "Vrouter", "--top", "counter", *arguments, "../counter.sv"],
            cwd=self.folder / name, env=self.environment(**environment), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def verilate(self, name, *arguments, **options):
        process = self.begin(name, *arguments, **options)
        said, _ = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 0, said)
        return self.generated(self.folder / name)

    def test_the_same_is_made_once_and_is_the_same(self):
        (self.folder / "a").mkdir()
        (self.folder / "a/Vrouter__of_another_time.cpp").touch()
        first = self.verilate("a")
        self.assertEqual(self.verilate("b"), first)
        self.assertEqual(self.made(), 1)
        self.assertIn("Vrouter__ALL.cpp", first)
        self.assertNotIn("Vrouter__of_another_time.cpp", first)

    def test_whatever_differs_is_made_anew(self):
        seen = [self.verilate("a")]
        self.source.write_text(MODULE.replace("q + 8", "q - 8"))
        seen.append(self.verilate("a"))
        seen.append(self.verilate("a", "-GStep=3"))
        self.verilate("a", "-GStep=3", VERSION="2")
        self.assertEqual(self.made(), 4)
        self.assertEqual(len({str(files) for files in seen}), 3)
        self.source.write_text(MODULE)
        self.assertEqual(self.verilate("a"), seen[0])
        self.assertEqual(self.made(), 4)

    def test_what_was_made_of_a_file_that_nobody_named_is_not_kept(self):
        (self.folder / "step.svh").write_text("`define STEP 5\n")
        self.source.write_text('`include "../step.svh"\n' + MODULE.replace("'(Step)", "'(`STEP)"))
        for reads, kept in ((("../counter.sv",), 0), (("../counter.sv", "../step.svh"), 1)):
            self.verilate("a", reads=reads)
            self.assertEqual(len(list(self.cache.glob("*"))), kept)

    def test_a_damaged_archive_is_replaced(self):
        first = self.verilate("a")
        archive, = self.cache.iterdir()
        whole = archive.read_bytes()
        archive.write_bytes(whole[:len(whole) // 2])
        for _ in range(2):
            self.assertEqual(self.verilate("b"), first)
            self.assertEqual(self.made(), 2)

    def test_builds_at_once_do_not_disturb_each_other(self):
        processes = [self.begin(f"at_once_{i}") for i in range(3)]
        for process in processes:
            said, _ = process.communicate(timeout=100)
            self.assertEqual(process.returncode, 0, said)
        self.assertEqual(len({str(self.generated(self.folder / f"at_once_{i}")) for i in range(3)}), 1)
        self.assertEqual([file.suffixes for file in self.cache.iterdir()], [[".tar", ".zst"]])

    def test_what_was_not_used_longest_goes_first(self):
        few = {"defines": ("-D", "MOST_ARCHIVES=2")}
        self.cache.mkdir(parents=True)
        (self.cache / "interrupted.partial").write_text("half")
        os.utime(self.cache / "interrupted.partial", (1, 1))
        for step, age in ((1, 200), (2, 100)):
            before = set(self.cache.iterdir())
            self.verilate("a", f"-GStep={step}", **few)
            new, = set(self.cache.iterdir()) - before
            os.utime(new, (os.stat(new).st_mtime - age,) * 2)
        self.assertEqual({file.suffix for file in self.cache.iterdir()}, {".zst"})
        self.verilate("a", "-GStep=1", **few)  # used again
        self.verilate("a", "-GStep=3", **few)
        self.assertEqual((self.made(), len(list(self.cache.iterdir()))), (3, 2))
        for step, made in ((1, 3), (2, 4)):
            self.verilate("a", f"-GStep={step}", **few)
            self.assertEqual(self.made(), made)

    def test_it_does_without_a_cache(self):
        self.cache.parent.write_text("a file where the folder would be")
        self.assertEqual(self.verilate("a"), self.verilate("b", FLITSCOPE_CACHE="", XDG_CACHE_HOME="", HOME=""))
        self.assertEqual(self.made(), 2)
        for name, at in (("XDG_CACHE_HOME", "flitscope"), ("HOME", ".cache/flitscope")):
            home = self.folder / name
            self.verilate("a", **{"FLITSCOPE_CACHE": "", "XDG_CACHE_HOME": "", name: str(home)})
            self.assertEqual(len(list((home / at / "verilated").iterdir())), 1)

    def test_an_error_is_that_of_verilator_and_leaves_nothing(self):
        self.source.write_text(MODULE.replace("endmodule", "oops endmodule"))
        process = self.begin("a")
        said, _ = process.communicate(timeout=100)
        self.assertNotEqual(process.returncode, 0)
        self.assertRegex(said, r"%Error: \.\./counter\.sv:3:.*syntax error")
        self.assertEqual((list(self.cache.iterdir()), self.generated(self.folder / "a")), ([], {}))


class Checkouts(Folders):
    def setUp(self):
        super().setUp()
        for file in ("verilated", "verilated_threads", "verilated_vcd_c"):  # not what this is about
            (self.folder / (file + ".cpp")).touch()

    def verilate(self, name, change=lambda text: text):
        """The C++ of VARIANTS in a build of a checkout of that name."""
        root = self.folder / name
        for part in ("rtl", "verilated"):
            shutil.copytree(HW / part, root / "hw" / part, dirs_exist_ok=True)
        arbiter = root / "hw/rtl/round_robin_arbiter.sv"
        arbiter.write_text(change(arbiter.read_text()))
        (root / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(routers CXX)\n"
            "add_library(flitscope::headers INTERFACE IMPORTED)\ninclude(hw/verilated/Routers.cmake)\n" +
            "".join(f"flitscope_add_router({variant})\n" for variant in VARIANTS))
        folders = [root / "build/verilated" / v for v in VARIANTS]
        build = root / "build"
        for command in ([CMAKE, "-S", root, "-B", build, "-G", "Ninja", f"-DFLITSCOPE_VERILATOR={self.verilator}",
                         f"-DFLITSCOPE_VERILATOR_INCLUDE={self.folder}"],
                        ["ninja", "-C", build, *(f"verilated/{v}/Vrouter__ALL.cpp" for v in VARIANTS)]):
            done = subprocess.run(command, env=self.environment(CXX="c++"), capture_output=True, text=True,
                                  timeout=200, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return [self.generated(folder) for folder in folders]

    def test_another_one_verilates_nothing_that_this_one_has(self):
        first = self.verilate("one")
        self.assertEqual(self.verilate("two"), first)
        self.assertEqual(self.made(), len(VARIANTS))
        for files in first:
            self.assertNotIn(str(self.folder), str(files))
        # All of a foreign router's files count, those of ours inside its adapter, too.
        self.verilate("three", lambda text: text + "// changed\n")
        self.assertEqual(self.made(), 2 * len(VARIANTS))


if __name__ == "__main__":
    suite.main()
