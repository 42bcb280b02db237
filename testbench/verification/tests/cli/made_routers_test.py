# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Routers that nobody has built: verilated when a configuration asks for them, once, and kept."""
import os
import pathlib
import shutil
import subprocess
from unittest import mock

from flitscope_cli import CliTest, EXIT_FAILED, EXIT_OK, EXIT_STANDSTILL, EXIT_USAGE, machine, main, mesh, suite

ROOT = pathlib.Path(__file__).resolve().parents[4]
THEIRS = ROOT / "testbench/examples/own_router/registered_router.sv"
GEN = {"schedule": "gen", "message_bytes": 64}
TIMEOUT_S = 300


class MadeRouters(CliTest):
    def setUp(self):
        super().setUp()
        environment = mock.patch.dict(os.environ, FLITSCOPE_CACHE=self.path("the cache"))
        environment.start()
        self.addCleanup(environment.stop)

    def their_router(self, change=lambda text: text):
        """A configuration with somebody's router, in a folder with a blank in its name."""
        self.write("a router/registered_router.sv", change(THEIRS.read_text()))
        return self.write("a router/net.yaml", machine(
            mesh(2, 2), GEN, fabric={"router": {"top": "registered_router",
                                                "sources": ["registered_router.sv"]}}))

    def made(self):
        """The libraries in the cache."""
        return sorted(pathlib.Path(self.path("the cache/rtl")).glob("*/*.so"))

    def test_one_is_made_once_by_however_many_ask_for_it(self):
        # More flits than verilator unrolls loops for by itself, and not a power of two.
        self.write("deep.yaml", machine(mesh(2), GEN, fabric={"router": "rtl", "buffer_depth": 67}))
        both = [self.start("run", "deep.yaml", "--json", stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True) for _ in range(2)]
        said = [process.communicate(timeout=TIMEOUT_S) for process in both]
        self.assertEqual([process.returncode for process in both], [EXIT_OK] * 2, said)
        self.assertEqual(sum("verilating router_p3_v1_d67" in errors for _, errors in said), 1)
        self.assertEqual(len(self.made()), 1)
        again = self.call("cosim", "deep.yaml", "--no-verilate")  # the same to the cycle
        self.assertEqual((again.returncode, again.stderr), (EXIT_OK, ""))

    @suite.campaign
    def test_routers_of_users_are_made_from_their_source_and_made_again_where_that_changes(self):
        config = self.their_router()
        self.assertEqual(self.report("run", config)["status"], "complete")
        self.their_router(lambda text: text.replace(
            "endmodule", 'final if (node_i == 1) $error("not at rest");\nendmodule'))
        self.refused("run", config, "--no-verilate", says=["is not built", "--no-verilate"])
        for command in ("run", "verify"):  # the check at the end counts
            done = self.call(command, config)
            self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
            self.assertRegex(done.stderr + done.stdout, r"router_001 \(RTL\), cycle \d+:.*not at rest")
        self.assertEqual(len(self.made()), 2)
        self.their_router()
        # It belongs to the user.
        os.mkdir(self.path("out"))
        os.link(self.path("a router/registered_router.sv"), self.path("out/links.csv"))
        self.refused("run", config, "--out", "out", says=["links.csv has been read"])
        # The error for one that cannot be made is that of the tools.
        self.their_router(lambda text: text.replace("endmodule", "oops endmodule"))
        broken = self.call("run", config)
        self.assertEqual(broken.returncode, EXIT_USAGE)
        for words in ("cannot be verilated", "syntax error", "verilate.log"):
            self.assertIn(words, broken.stderr)
        # Warnings, of which there may be many before it, do not hide it.
        pins = "".join(f"open_pin pin_{i} (.a(1'b0), .b());\n" for i in range(9))
        self.their_router(lambda text: text.replace("endmodule", pins + "oops what ();\nendmodule") +
                          "module open_pin (input logic a, output logic b);\nassign b = a;\nendmodule\n")
        broken = self.call("run", config)
        self.assertIn("%Error", broken.stderr)
        self.assertIn("'oops'", broken.stderr)
        self.assertNotIn("%Warning", broken.stderr)
        self.assertEqual(len(self.made()), 2)

    @suite.campaign
    def test_a_router_with_valid_and_ready_needs_no_adapter_of_its_own(self):
        ours = (ROOT / "hw/rtl/foreign/valid_ready_router.sv").read_text()
        self.write("theirs/quick_router.sv", ours.replace("valid_ready_router", "quick_router"))
        fabric = {"router": {"top": "quick_router", "sources": ["quick_router.sv"],
                             "protocol": "valid_ready"}, "buffer_depth": 3}
        config = self.write("theirs/net.yaml", machine(mesh(2, 2), GEN, fabric=fabric))
        report = self.report("run", config)
        self.assertEqual((report["status"], report["rtl_routers"]), ("complete", 4))
        self.assertIn("quick_router_p5_v1_d3_w64_r1_mesh_valid_ready", self.made()[0].name)
        # Its own modules may be called as those of the adapter, in files beside it or in its own.
        quick = ours.replace("valid_ready_router", "quick_router")
        self.write("theirs/credit_counter.sv", "module credit_counter; endmodule\n")
        self.write("theirs/quick_router.sv", quick.replace(
            "endmodule", "credit_counter theirs();\nflit_fifo beside(.a(rst));\nendmodule") +
            "\nmodule flit_fifo (input logic a);\nlogic unused;\nassign unused = a;\nendmodule\n")
        self.assertEqual(self.report("run", config)["cycles"], report["cycles"])
        os.remove(self.path("theirs/credit_counter.sv"))
        # Another module than the one that was named.
        self.write("theirs/quick_router.sv", ours.replace("valid_ready_router", "other_router"))
        broken = self.call("run", config)
        self.assertEqual(broken.returncode, EXIT_USAGE, broken.stdout)
        self.assertIn("quick_router", broken.stderr)

    def broken_streams(self):
        """The router with valid and ready, with faults: router 1 offers a flit that waits in every
        second cycle only, router 2 takes eight flits at an input and then is no longer ready."""
        text = (ROOT / "hw/rtl/foreign/valid_ready_router.sv").read_text()
        for old, new in (
                ("valid_ready_router", "broken_streams"),
                ("logic valid_q;", "logic valid_q, hidden_q;"),
                ("space = !valid_q || out_ready[o];",
                 "space = !valid_q || (out_ready[o] && !hidden_q);\nalways_ff @(posedge clk) "
                 "hidden_q <= my_node == 1 && out_valid[o] && !out_ready[o];"),
                ("out_valid[o] = valid_q;", "out_valid[o] = valid_q && !hidden_q;"),
                ("logic [Ports-1:0] head, tail;", "logic [Ports-1:0] head, tail, valid;"),
                ("assign head[i] =",
                 "logic [3:0] taken_q;\nalways_ff @(posedge clk)\nif (rst) taken_q <= '0;\n"
                 "else if (in_ready[i] && my_node == 2 && !taken_q[3]) taken_q <= taken_q + 4'd1;\n"
                 "assign valid[i] = in_valid[i] && !taken_q[3];\nassign head[i] ="),
                ("in_valid[i] && head[i] && route", "valid[i] && head[i] && route"),
                ("& in_valid;", "& valid;")):
            self.assertIn(old, text)
            text = text.replace(old, new)
        self.write("broken_streams.sv", text)
        return {"top": "broken_streams", "sources": ["broken_streams.sv"],
                "protocol": "valid_ready"}

    @suite.campaign
    def test_a_router_that_breaks_valid_or_ready_is_named_with_port_packet_and_cycle(self):
        routers = self.broken_streams()
        for node, says in (
                (1, r"router_001 \(RTL\), cycle \d+:.*offer_stays: output port \d withdraws a flit "
                    r"of packet \d+ of node \d+ for node \d+"),
                (2, r"router_002 \(RTL\), cycle \d+: input port \d took \d+ flits of packet \d+ of "
                    r"node \d+ for node \d+ from cycle \d+ on, returned \d credits and sent \d "
                    r"flits, and is at rest although output port \d is free and has credits")):
            config = self.write("net.yaml", machine(
                mesh(4, 4), GEN, fabric={"buffer_depth": 2,
                                         "router_overrides": [{"nodes": [node], "router": routers}]}))
            done = self.call("run", config)
            self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
            self.assertRegex(done.stderr, says)

    @suite.campaign
    def test_packets_that_wait_for_each_other_are_named_across_any_router(self):
        self.their_router()
        theirs = {"top": "registered_router", "sources": ["a router/registered_router.sv"]}
        self.write("ring.csv", "source,destination,bytes,step\n" + "".join(
            f"{6 + i},{6 + (i + 2) % 6},400,0\n" for i in range(6)))
        said = []
        for routers in ([], [{"nodes": [8, 10, 11], "router": theirs}]):
            config = self.write("net.yaml", machine(
                {"kind": "torus", "dims": [2, 6]}, {"program": "ring.csv"},
                fabric={"buffer_depth": 2, "virtual_channels": 1, "allow_deadlock": True,
                        "router_overrides": routers}))
            done = self.call("run", config)
            self.assertEqual(done.returncode, EXIT_STANDSTILL, done.stderr)
            said.append([line for line in done.stdout.splitlines() if "holds" in line])
        self.assertEqual(len(said[0]), 12)  # six packets, each in two places
        self.assertEqual(said[1], said[0])

    def test_a_router_is_made_of_the_files_that_are_listed_in_their_order(self):
        text = THEIRS.read_text()
        self.write("theirs/widths.sv", "package widths;\n  localparam int One = 1;\nendpackage\n")
        self.write("theirs/shared/marks.svh", "`define MARKED(x) x\n")
        self.write("theirs/all of it.sv", "`include \"marks.svh\"\n" + text.replace(
            "valid : '0", "`MARKED(valid) : {Ports{1'(widths::One - 1)}}"))
        self.write("theirs/shared/nothing.v", "module nothing; endmodule\n")
        sources = ["widths.sv", "all of it.sv", "shared/nothing.v"]
        config = self.write("theirs/net.yaml", machine(
            mesh(2, 2), GEN, fabric={"router": {"top": "registered_router", "sources": sources}}))
        report = self.report("run", config)
        self.assertEqual((report["status"], report["rtl_routers"]), ("complete", 4))
        self.assertEqual(len(self.made()), 1)
        # Their includes are a part of it.
        self.write("theirs/shared/marks.svh", "`define MARKED(x) (x)\n")
        self.refused("run", config, "--no-verilate", says=["is not built", "--no-verilate"])

    def test_sources_are_files_in_verilog_that_are_there(self):
        config = self.their_router()
        for router, words in (
                ("{top: router, sources: [router.sv]}", "is the router of flitscope"),
                ("{sources: [r.sv]}", "key 'fabric.router.top' is missing"),
                ("{top: other, sources: []}", "'fabric.router.sources' is empty"),
                ("{top: other, sources: other.sv}", "write [my_router.sv]"),
                ("{top: other, sources: [other.vhd]}", "name of a .sv or .v file"),
                ("{top: other, source: [other.sv]}", "did you mean 'fabric.router.sources'?"),
                ("{top: other, protocol: axi}", "unknown protocol 'axi'"),
                ("{top: other, sources: [nowhere/other.sv]}",
                 "on the command line names are relative to the current folder")):
            self.refused("check", config, "--set", f"fabric.router={router}",
                         says=["fabric.router", words])

    def test_no_name_of_a_source_means_anything_to_the_tools(self):
        fabric = {"router": {"top": "registered_router", "sources": ["registered_router.sv"]}}
        for folder in ("a$(shell touch ran)b", "a\"b", "a;b", "a]==])\nfile(WRITE ran \"\")\n#"):
            self.write(folder + "/registered_router.sv", THEIRS.read_text())
            config = self.write(folder + "/net.yaml", machine(mesh(2, 2), GEN, fabric=fabric))
            self.refused("run", config, says=["the name of the source", "rename the file"])
        # Those next to it are found, too.
        config = self.their_router()
        self.write("a router/$(shell touch ran).svh", "")
        self.refused("run", config, says=["the name of the source", "has a '$'"])
        os.remove(self.path("a router/$(shell touch ran).svh"))
        os.mkfifo(self.path("a router/pipe.svh"))
        self.refused("run", config, "--no-verilate", says=["is not built", "--no-verilate"])

    def test_programs_that_it_takes_are_named(self):
        self.write("c.yaml", machine(mesh(2, 2), GEN, fabric={"router": "rtl", "buffer_depth": 3}))
        os.mkdir(self.path("bin"))
        for program in ("cmake", "make"):
            os.symlink(shutil.which(program), self.path("bin", program))
        with mock.patch.dict(os.environ, PATH=self.path("bin")):
            self.refused("run", "c.yaml", says=["to build it takes verilator, c++", "Debian"])


if __name__ == "__main__":
    main()
