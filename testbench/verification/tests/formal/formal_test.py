#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The small modules of the RTL do what they have to, proved by yosys' SAT solver for every input and,
by induction, for any time; and what is broken on purpose is found.

usage: formal_test.py ROOT

With FLITSCOPE_DEPTH=all every router and every slip below; else a few of them.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
HERE = pathlib.Path(__file__).resolve().parent
PROVED = "Induction step proven: SUCCESS!"
# Turns in dimension order: in a row of nodes, at its end, in a mesh and in its corner.
LINE = [(i, o) for i in range(3) for o in range(3) if i != o]
END_OF_LINE = [(0, 1), (1, 0)]
INNER = [(i, o) for i in range(5) for o in range(5) if i != o and not (i > 2 and 1 <= o <= 2)]
CORNER = [(0, 1), (0, 3), (1, 0), (3, 0), (1, 3)]
HOLD, NAMED = {"Hold": "1'b1"}, {"RouteNamesVcs": "1'b1"}
BOUNDED = "proved base case for {} steps: SUCCESS!"


@suite.needs_synthesis
class Formal(unittest.TestCase):
    def prove(self, properties, sources, parameters, wires=(), steps=None, slip=None, defines=""):
        """What yosys says of the assertions in `properties`, from the first cycle of reset on: for any
        time, or where `steps` are given for so many cycles (what fails then is a run that it found).
        `wires` are connected with registers of the modules: pairs, or what makes pairs of all registers.
        `slip` is a file, what stands in it, and what is to stand there instead."""
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for source in sources:
                text = next(path for folder_of in (ROOT / "hw/rtl", ROOT / "hw/rtl/node", HERE)
                            if (path := folder_of / source).exists()).read_text()
                if slip and slip[0] == source:
                    self.assertEqual(text.count(slip[1]), 1, slip)
                    text = text.replace(slip[1], slip[2])
                (pathlib.Path(folder) / source).write_text(text)
                names.append(source)
            how = "-tempinduct -maxsteps 4"
            if steps:
                how = f"-tempinduct -tempinduct-baseonly -maxsteps {steps}"

            def design():
                chosen = " ".join(f"-set {name} {value}" for name, value in parameters.items())
                # With a router inside, `hierarchy -chparam` of yosys 0.23 fails by itself.
                return [f"read_verilog -defer -sv {' '.join(names)}",
                        f"read_verilog -sv -formal {defines} {HERE / properties}.sv",
                        f"chparam {chosen} {properties}", f"hierarchy -check -top {properties}",
                        "proc", "flatten"]
            if callable(wires):
                wires = wires(self.registers_of(folder, design()))
            # Without -nounset yosys would take what it has already simplified for drivers of a wire.
            script = [*design(),
                      *(f"connect -nounset -set {wire} {register}" for wire, register in wires),
                      "opt", "dffunmap",
                      f"sat -verify {how} -set-assumes -prove-asserts -set-at 1 rst_ni 0 -seq 1"]
            done = subprocess.run(["yosys", "-p", "; ".join(script)], cwd=folder, text=True,
                                  capture_output=True, timeout=900)
        said = done.stdout + done.stderr
        wanted = BOUNDED.format(steps) if steps else PROVED
        if done.returncode == 0:
            self.assertIn(wanted, said[-5000:])
            self.assertGreater(len(re.findall("Import proof for assert", said)), 4)
            return True
        self.assertIn("Called with -verify and proof did fail!", said[-2000:])
        return False

    def registers_of(self, folder, design):
        """The registers of a design, by name, with their numbers of bits."""
        netlist = pathlib.Path(folder) / "netlist.json"
        subprocess.run(["yosys", "-q", "-p", "; ".join([*design, f"write_json {netlist}"])], cwd=folder,
                       check=True, capture_output=True, timeout=900)
        module, = (each for each in json.loads(netlist.read_text())["modules"].values() if each["cells"])
        outputs = {tuple(cell["connections"]["Q"]) for cell in module["cells"].values()
                   if cell["type"] == "$dff"}
        return {name: len(wire["bits"]) for name, wire in module["netnames"].items()
                if tuple(wire["bits"]) in outputs and re.search(r"_q(\[\d+\])?$", name)}

    def turns(self, ports, turns, parameters, slip=None):
        """Of a router with these turns only, pairs of an input and an output port, and one with all."""
        mask = sum(1 << (out * ports + into) for into, out in turns)
        all_parameters = {"Ports": ports, "Turns": f"{ports * ports}'h{mask:x}", **parameters}

        def wires(registers):
            both = [name.removeprefix("built.") for name in registers if name.startswith("built.") and
                    "full." + name.removeprefix("built.") in registers]
            both.remove("target_vc_q")
            all_parameters["StateBits"] = sum(registers[f"full.{name}"] for name in both)
            ends = [(f"{router}_{end}", register) for router in ("full", "built") for end, register in (
                ("state", ",".join(f"{router}.{name}" for name in both)), ("vc", f"{router}.target_vc_q"))]
            return ends + [("full_valid", "full.valid"), ("full_holding", "full.holding_q"),
                           ("full_target", "full.target")]

        return self.prove("turns_properties", [
            "router_pkg.sv", "round_robin_arbiter.sv", "output_vc_allocator.sv", "vc_allocator.sv",
            "target_credit.sv", "vc_offers.sv", "combined_allocator.sv", "switch_allocator.sv",
            "crossbar.sv", "output_queue.sv", "credit_counter.sv", "link_rate.sv", "output_credits.sv",
            "router_outputs.sv", "class_channels.sv",
            "delay_line.sv", "flit_fifo.sv", "input_port.sv",
            "route_mesh.sv", "route_hypercube.sv", "route_table.sv", "router_inputs.sv", "router.sv"],
            all_parameters, wires, slip=slip)

    def arbiter(self, requests, slip=None):
        return self.prove("arbiter_properties", ["round_robin_arbiter.sv"], {"Requests": requests},
                          [("preferred", "dut.gen_arbiter.preferred_q")], slip=slip)

    def channel(self, depth, steps=None, slip=None):
        return self.prove("channel_properties", ["credit_counter.sv", "flit_fifo.sv"],
                          {"Depth": depth},
                          [] if steps else [("credits", "sender.count_q"),
                                            ("count", "receiver.count_q")], steps, slip,
                          "-DORDER" if steps else "")

    def streams(self, parameters, steps, slip=None):
        return self.prove("stream_properties", [
            "small_headers.sv", "round_robin_arbiter.sv", "credit_counter.sv", "flit_fifo.sv",
            "register_slice.sv", "message_sender.sv", "packet_receiver.sv", "stream_interface.sv"],
            parameters, steps=steps, slip=slip)

    def queue(self, pushes, depth, slip=None):
        return self.prove("queue_properties", ["output_queue.sv"], {"Pushes": pushes, "Depth": depth},
                          [("filled", "dut.filled_q"), ("slots", "dut.slots_q")], slip=slip)

    def allocators(self, parameters, slip=None):
        return self.prove("allocator_properties", [
            "router_pkg.sv", "round_robin_arbiter.sv", "class_arbiter.sv", "output_vc_allocator.sv",
            "switch_allocator.sv"], parameters, slip=slip)

    def classes(self, parameters, slip=None):
        """Of three classes with weights of two bits."""
        left = ",".join(f"dut.gen_budgets.gen_class[{k}].left_q" for k in (2, 1, 0))
        return self.prove("class_properties", ["router_pkg.sv", "class_arbiter.sv"], parameters,
                          [("left", left), ("budget", "dut.gen_budgets.budget_q")], slip=slip)

    def combined(self, parameters, steps=None, slip=None):
        """Of a router with combined allocation, all that stands between its FIFOs and its pins."""
        ports, vcs = parameters["Ports"], parameters["VirtualChannels"]
        wires = []
        if "Only" not in parameters:
            def each(count, name):  # of yosys: the highest first
                return ",".join(name.format(n) for n in reversed(range(count)))

            def counters(register):
                return ",".join(f"dut.i_outputs.i_credits.gen_output[{n // vcs}].gen_vc[{n % vcs}].i_counter.{register}"
                                for n in reversed(range(ports * vcs)))
            mask = "i_arbiter.gen_arbiter.preferred_q"
            of_switch = f"gen_arbiter.{mask}"
            allocation, switch = "dut.gen_allocation.i_allocator", "dut.gen_switch.i_allocator"
            wires = [("holding", "dut.holding_q"), ("taken", "dut.taken_q"),
                     ("held_vc", "dut.target_vc_q"),
                     ("counts", counters("count_q")),
                     ("availables", counters("available_q"))]
            if vcs == 1:
                wires += [("output_masks", each(ports, f"{allocation}.gen_output[{{}}].i_allocator."
                                                       f"gen_vc[0].{mask}"))]
            else:
                wires += [("output_masks", each(ports, f"{switch}.gen_output[{{}}].{of_switch}")),
                          ("input_masks", each(ports, f"{switch}.gen_input[{{}}].{of_switch}")),
                          ("vc_masks", f"{allocation}.i_offers.preferred_q"),
                          ("free", f"{allocation}.free_q"), ("any_free", f"{allocation}.any_free_q"),
                          ("credit_known", f"{allocation}.credit_q")]
            if "Hold" in parameters:
                wires += [("streaming", f"{switch}.gen_hold.streaming_q")]
        return self.prove("combined_properties", [
            "router_pkg.sv", "round_robin_arbiter.sv", "output_vc_allocator.sv", "vc_allocator.sv",
            "target_credit.sv", "vc_offers.sv", "combined_allocator.sv", "switch_allocator.sv",
            "crossbar.sv", "output_queue.sv", "credit_counter.sv", "link_rate.sv", "output_credits.sv",
            "router_outputs.sv", "class_channels.sv",
            "any_fronts.sv", "router.sv"],
            parameters, wires, steps, slip)

    def test_arbiters_are_their_specification_and_fair(self):
        for requests in (2, 3, 4, 5, 9):
            self.assertTrue(self.arbiter(requests), requests)

    def test_a_broken_arbiter_is_found(self):
        name = "round_robin_arbiter.sv"
        for old, new in (("preferred_q <= passed", "preferred_q <= '0"),
                         ("advance_i && request_i", "request_i"),
                         ("passed[i-1] | grant_o[i-1]", "passed[i-1] | grant_o[i]"),
                         ("? after & (~after + 1'b1)", "? after")):
            self.assertFalse(self.arbiter(4, (name, old, new)), new)

    def test_class_arbiters_are_their_specification(self):
        for policy in ("100300020003", "000200030002", "100300030002"):  # ranks and weights, last class first
            for shape in ({}, {"Channels": 1, "First": 3}, {"Requests": 2, "Channels": 3, "First": 3}):
                self.assertTrue(self.classes({"Classes": f"272'h{policy}0003", **shape}), (policy, shape))

    def test_a_broken_class_arbiter_is_found(self):
        name = "class_arbiter.sv"
        for old, new in (("> Classes[16*k+28+:4]", "< Classes[16*k+28+:4]"),
                         ("due != '0 ? due : urgent", "due"),
                         ("(First + n) %", "n %"),
                         ("new_round ? CountBits'(Weight)", "sent[k] & ~budget_q[k] ? CountBits'(Weight)"),
                         ("budget_q[k] <= left != '0", "budget_q[k] <= left_q != '0"),
                         ("(sent[b] & ~budget_q[b])", "~budget_q[b]")):
            self.assertFalse(self.classes({"First": 2}, (name, old, new)), new)

    def test_a_virtual_channel_never_overflows_and_loses_no_credit(self):
        for depth in (2, 3, 5, 8):
            self.assertTrue(self.channel(depth), depth)

    def test_a_fifo_keeps_the_order_of_flits(self):
        """Nor does it overflow, in any run of so many cycles."""
        for depth, cycles in suite.sample_of(((1, 10), (2, 12), (3, 14)), 2):
            self.assertTrue(self.channel(depth, cycles), depth)

    def test_a_broken_counter_or_fifo_is_found(self):
        counter, fifo = "credit_counter.sv", "flit_fifo.sv"
        for slip in ((counter, "credit_i ? count_q : count_q - 1'b1", "count_q - 1'b1"),
                     (counter, "(count_q >> 1) != '0", "count_q != '0"),
                     (counter, "count_q <= Bits'(Depth);", "count_q <= Bits'(Depth) + 1'b1;"),
                     (fifo, "pop_i ? loads_popped : valid_q || push_i", "loads_popped"),
                     (fifo, "push_i ? count_q : count_q - 1'b1", "count_q - 1'b1")):
            self.assertFalse(self.channel(3, slip=slip), slip)
        for slip in ((fifo, "marks_q[(s+1)%Depth]", "marks_q[s]"),
                     (fifo, "if (push_i) write_q <=", "if (pop_i) write_q <="),
                     (fifo, "loads_kept = push_i && !valid_q", "loads_kept = push_i")):
            self.assertFalse(self.channel(3, 14, slip), slip)

    def test_the_queue_of_an_output_is_a_list(self):
        for pushes, depth in ((2, 2), (2, 3), (2, 5), (3, 3), (3, 6), (4, 5)):
            self.assertTrue(self.queue(pushes, depth), (pushes, depth))

    def test_a_broken_queue_is_found(self):
        name = "output_queue.sv"
        for old, new in (("!filled_q[Depth-Pushes]", "!filled_q[Depth-1]"),
                         ("filled = filled | place", "filled = filled_q | place"),
                         ("push_i[p] && place[s]", "push_i[p]"),
                         ("valid_o ? slots >> Bits : slots", "valid_o ? slots_q >> Bits : slots"),
                         ("filled[0] && pop_i", "filled_q[0] && pop_i")):
            self.assertFalse(self.queue(3, 4, (name, old, new)), new)

    def test_what_a_node_sends_itself_comes_as_it_was_sent(self):
        """In any run of so many cycles, with any stalls."""
        for parameters in suite.sample_of((
                {"Depth": 2}, {"Depth": 1, "PacketFlits": 2}, {"Depth": 1}, {"Depth": 3, "PacketFlits": 3},
                {"Depth": 2, "PacketFlits": 1}, {"Depth": 2, "Classes": 2},
                {"Depth": 1, "Classes": 2, "PacketFlits": 2}), 4):
            self.assertTrue(self.streams(parameters, 12 if suite.TAKES_ALL else 9), parameters)

    def test_a_broken_network_interface_is_found(self):
        sender, receiver, both = "message_sender.sv", "packet_receiver.sv", "stream_interface.sv"
        for parameters, slip in suite.sample_of((
                ({"Depth": 2}, ("register_slice.sv", "behind_valid_q ? behind_q : data_i", "data_i")),
                ({"Depth": 1}, (receiver, "pop && second_q", "pop")),
                ({"Depth": 2, "PacketFlits": 2}, (sender, "left > LengthBits'(PacketFlits)",
                                                  "left >= LengthBits'(PacketFlits)")),
                ({"Depth": 2}, (sender, "&& (available_i & vc_o) != '0", "")),
                ({"Depth": 2, "Classes": 2}, (both, ".take_i(sent_vc[v])", ".take_i(inject_valid_o)")),
                ({"Depth": 2}, (receiver, "(is_header || ready_i)", "(is_header || ready_i || tail)")),
                ({"Depth": 1}, (receiver, "!front || pop", "1'b1")),
                ({"Depth": 2, "PacketFlits": 2}, (sender, "last || full", "last"))), 4):
            self.assertFalse(self.streams(parameters, 11, slip), slip)

    def test_allocators_give_nothing_twice(self):
        for parameters in ({"Ports": 3, "VirtualChannels": 2}, {"Ports": 5, "VirtualChannels": 3},
                           {"Ports": 3, "VirtualChannels": 2, "Hold": "1'b1"},
                           {"Ports": 3, "VirtualChannels": 2, "Hold": "1'b1", "Combined": "1'b1"},
                           {"Ports": 3, "VirtualChannels": 4, "InputSpeedup": 2},
                           {"Ports": 3, "VirtualChannels": 2, "InputSpeedup": 2, "Hold": "1'b1"},
                           {"Ports": 3, "VirtualChannels": 2, "OutputSpeedup": 2},
                           {"Ports": 3, "VirtualChannels": 4, "InputSpeedup": 2, "OutputSpeedup": 2,
                            "Classes": "272'h100300030002"},
                           {"Ports": 3, "VirtualChannels": 4, "InputSpeedup": 2, "OutputSpeedup": 3}):
            self.assertTrue(self.allocators(parameters), parameters)

    def test_a_broken_allocator_is_found(self):
        for slip in (("output_vc_allocator.sv", "served[w*Inputs+:Inputs] | grant", "grant"),
                     ("output_vc_allocator.sv", " & ~served[w*Inputs+:Inputs]", ""),
                     ("output_vc_allocator.sv", "taken_i[w]\n", "taken_i[0]\n"),
                     ("switch_allocator.sv", "assign sends[s] = by_output != '0",
                      "assign sends[s] = 1'b1"),
                     ("switch_allocator.sv", "assign asking = ready_i;", "assign asking = '1;")):
            # A grant replaced in `served` shows with a third virtual channel.
            self.assertFalse(self.allocators({"Ports": 3, "VirtualChannels": 3}, slip), slip)
        for old, new in (("% OutputSpeedup == o % OutputSpeedup", "% OutputSpeedup == 0"),
                         ("localparam int P = o / OutputSpeedup", "localparam int P = o % Ports")):
            slip = ("switch_allocator.sv", old, new)
            parameters = {"Ports": 3, "VirtualChannels": 2, "OutputSpeedup": 2}
            self.assertFalse(self.allocators(parameters, slip), slip)

    def test_combined_allocation_is_its_specification(self):
        """With what that comes to: one grant, only to who may go, nobody idles, everybody's turn comes."""
        self.assert_combined((2, 1, 1, {}), (2, 2, 1, HOLD))

    @suite.campaign
    def test_larger_combined_allocation_is_its_specification(self):
        self.assert_combined((3, 1, 2, {}), (3, 2, 3, {}), (2, 2, 2, NAMED),
                             (2, 3, 2, {**HOLD, **NAMED}), (2, 4, 2, {}),
                             (2, 4, 2, {**HOLD, **NAMED}))

    def assert_combined(self, *routers):
        for ports, vcs, depth, more in routers:
            parameters = {"Ports": ports, "VirtualChannels": vcs, "Depth": depth, **more}
            self.assertTrue(self.combined(parameters), parameters)

    def test_a_router_without_unused_turns_is_the_full_one(self):
        """In every cycle of every trace in which no packet asks for a turn that is missing."""
        for turns in (LINE, END_OF_LINE):
            self.assertTrue(self.turns(3, turns, {}), turns)

    @suite.campaign
    def test_larger_routers_without_unused_turns_are_the_full_ones(self):
        for ports, turns, parameters in ((5, INNER, {}), (5, CORNER, {}),
                                         (3, END_OF_LINE, {"VirtualChannels": 2}),
                                         (3, LINE, {"VirtualChannels": 2}),
                                         (3, END_OF_LINE, {"VirtualChannels": 2, **HOLD})):
            self.assertTrue(self.turns(ports, turns, parameters), (turns, parameters))

    def test_a_router_without_a_turn_that_it_needs_is_found(self):
        # Without a mask that does anything both are the same, so a slip is seen only in the one built.
        mask, one_way = "& Turns[o*Ports+i/VirtualChannels];", [(0, 1), (2, 0)]
        for turns, parameters, old, new in (
                (one_way, {}, mask, "& Turns[i/VirtualChannels*Ports+o];"),
                (one_way, {}, "exists | Turns[o*Ports+port]", "exists | Turns[port*Ports+o]"),
                (END_OF_LINE, {"VirtualChannels": 2}, mask, "& Turns[o*Ports+i];")):
            slip = ("router_inputs.sv", old, new)
            self.assertFalse(self.turns(3, turns, parameters, slip), slip)

    def test_broken_combined_allocation_is_found(self):
        """By every group of properties alone, in a run from reset on."""
        one_grant, may_go, nobody_idles, fair, equal = 1, 2, 3, 4, 5
        arbiter, offers = "round_robin_arbiter.sv", "vc_offers.sv"
        allocator, switch, router = "combined_allocator.sv", "switch_allocator.sv", "router.sv"
        slips = (
            # an output, an input port, an output virtual channel given to two
            (one_grant, 1, (arbiter, "? after & (~after + 1'b1)", "? after"), {"Ports": 3}),
            (one_grant, 2, (switch, "assign sends[s] = by_output != '0", "assign sends[s] = 1'b1"),
             {}),
            (one_grant, 2, (allocator, "~sent_i & ~taken_i & kept_i", "~sent_i & kept_i"), {}),
            # inputs without flit or credit, outputs of others or not on the route
            (may_go, 2, (allocator, "ready_o = valid_i &", "ready_o ="), {}),
            (may_go, 2, (allocator, "~taken_i & kept_i)", "~taken_i)"), {}),
            (may_go, 2, (allocator, "sent_tail_i & several_i", "sent_tail_i"), {}),
            (may_go, 2, (allocator, "send_i & credit_after", "send_i"), {}),
            (may_go, 2, (allocator, "(sent_i & sent_tail_i &", "(sent_i &"), {}),
            (may_go, 2, (offers, "open & route_vcs_i[i*VirtualChannels+:VirtualChannels]", "open"),
             NAMED),
            # who could send does not
            (nobody_idles, 2, (allocator, " | (~send_i & credit_without)", ""), {}),
            (nobody_idles, 2, (allocator, "(sent_i & sent_tail_i & several_i) | ", ""), {}),
            (nobody_idles, 2, (offers, "offered_o[i] = open != '0", "offered_o[i] = open[0]"), NAMED),
            # a turn does not come: of ports, of virtual channels, of those offered
            (fair, 1, (arbiter, "preferred_q <= passed", "preferred_q <= '0"), {}),
            (fair, 2, (arbiter, "preferred_q <= passed", "preferred_q <= '0"), {}),
            (fair, 2, (offers, "preferred_q[First+:VirtualChannels] <= passed",
                       "preferred_q[First+:VirtualChannels] <= '0"), {}),
            # another one than is said
            (equal, 2, (router, ".sent_head_i(flit_valid_o & flit_head_o)",
                        ".sent_head_i(flit_valid_o)"), {}),
            (equal, 2, (switch, ".advance_i(sends[s])", ".advance_i(1'b1)"), {}),
            (equal, 2, ("crossbar.sv", "VcBits'(w)", "'0"), {}))
        for only, vcs, slip, more in suite.sample_of(slips, 6):
            parameters = {"Ports": 2, "VirtualChannels": vcs, "Only": only, **more}
            with self.subTest(slip):
                self.assertFalse(self.combined(parameters, 8, slip))


if __name__ == "__main__":
    suite.main()
