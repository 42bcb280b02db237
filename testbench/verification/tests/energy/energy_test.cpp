// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Energies from gates: functions of cells, netlists and their transitions, the cells that count as
// crossbar, the fit, and the cache. The tools run in cli/energy_test.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"
#include "testbench/app/energy/energy_cache.h"
#include "testbench/app/energy/energy_report.h"
#include "testbench/app/energy/gate_netlist.h"
#include "testbench/app/energy/gate_simulation.h"
#include "testbench/app/energy/least_squares.h"
#include "testbench/app/energy/link_stimulus.h"
#include "testbench/app/energy/power_analysis.h"
#include "testbench/app/gate_synthesis/cell_function.h"

namespace flitscope {
namespace {

namespace fs = std::filesystem;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t kAll = ~std::uint64_t{0};

// ---- Functions ----------------------------------------------------------------------------------

/// Bit i of the values of A, B and C is bit 0, 1 and 2 of i: the result is a truth table.
std::uint64_t truth(const std::string& text) {
    const std::uint64_t values[] = {0xAA, 0xCC, 0xF0};
    return CellFunction(text, {"A", "B", "C"}).evaluate(values) & 0xFF;
}

TEST(CellFunction, HasTheOperatorsOfLiberty) {
    EXPECT_EQ(truth("A"), 0xAAU);
    EXPECT_EQ(truth("!A"), 0x55U);
    EXPECT_EQ(truth("A'"), 0x55U);
    EXPECT_EQ(truth("(A B)"), 0x88U);
    EXPECT_EQ(truth("A&B"), 0x88U);
    EXPECT_EQ(truth("A*B"), 0x88U);
    EXPECT_EQ(truth("A+B"), 0xEEU);
    EXPECT_EQ(truth("A|B"), 0xEEU);
    EXPECT_EQ(truth("A^B"), 0x66U);
    EXPECT_EQ(truth("1"), 0xFFU);
    EXPECT_EQ(truth("0"), 0x00U);
    EXPECT_EQ(truth("(!((A B)+C))"), 0x07U);
    EXPECT_EQ(truth("(C A) + (!C B)"), 0xACU);
}

TEST(CellFunction, NegatesBeforeXorBeforeAndBeforeOr) {
    EXPECT_EQ(truth("A ^ B C"), truth("(A ^ B) & C"));
    EXPECT_EQ(truth("A + B C"), truth("A + (B & C)"));
    EXPECT_EQ(truth("!A B"), truth("(!A) & B"));
    EXPECT_EQ(truth("A B'"), truth("A & (!B)"));
    EXPECT_EQ(truth("(A + B)'"), truth("!(A + B)"));
    EXPECT_EQ(truth("!!A"), truth("A"));
}

TEST(CellFunction, RefusesWhatIsNone) {
    for (const std::string text : {"", "A +", "(A", "A)", "D", "A ? B : C", "IQ"}) {
        EXPECT_THROW(truth(text), std::invalid_argument) << text;
    }
    EXPECT_THROW(truth(std::string(1000, '(') + 'A' + std::string(1000, ')')),
                 std::invalid_argument);
}

// ---- Netlists -----------------------------------------------------------------------------------

const std::string kCells = R"lib(library (small) {
  cell (AND) { area : 1; pin(A) { direction : input; } pin(B) { direction : input; }
    pin(Y) { direction : output; function : "(A B)"; } }
  cell (OR) { area : 1; pin(A) { direction : input; } pin(B) { direction : input; }
    pin(Y) { direction : output; function : "(A+B)"; } }
  cell (INV) { area : 1; pin(A) { direction : input; } pin(Y) { direction : output; function : "!A"; } }
  cell (DFF) { area : 1; ff (IQ, IQN) { next_state : "D"; clocked_on : "CLK"; }
    pin(D) { direction : input; } pin(CLK) { direction : input; }
    pin(Q) { direction : output; function : "IQ"; } pin(QN) { direction : output; function : "IQN"; } }
  cell (FALLING) { area : 1; ff (IQ, IQN) { next_state : "D"; clocked_on : "!CLK"; }
    pin(D) { direction : input; } pin(CLK) { direction : input; }
    pin(Q) { direction : output; function : "IQ"; } }
  cell (RESET) { area : 1; ff (IQ, IQN) { next_state : "D"; clocked_on : "CLK"; clear : "!R"; }
    pin(D) { direction : input; } pin(CLK) { direction : input; } pin(R) { direction : input; }
    pin(Q) { direction : output; function : "IQ"; } }
  cell (GATE) { area : 1; clock_gating_integrated_cell : "latch_posedge_precontrol";
    pin(TE) { direction : input; clock_gate_test_pin : true; }
    pin(EN) { direction : input; clock_gate_enable_pin : true; }
    pin(CK) { direction : input; clock_gate_clock_pin : true; }
    pin(GCK) { direction : output; clock_gate_out_pin : true; } }
  cell (HOLD) { area : 1; latch (IQ, IQN) { enable : "G"; data_in : "D"; }
    pin(D) { direction : input; } pin(G) { direction : input; }
    pin(Q) { direction : output; function : "IQ"; } }
})lib";

class Netlists : public ::testing::Test {
protected:
    GateNetlist parse(const std::string& text) { return parse_netlist(text, models_); }

    std::map<std::string, CellModel> models_ = read_cell_models(kCells, "small");
};

TEST_F(Netlists, ModelsAreThoseThatCanBeSimulated) {
    std::vector<std::string> names;
    for (const auto& [name, model] : models_) names.push_back(name);
    EXPECT_THAT(names, ElementsAre("AND", "DFF", "GATE", "INV", "OR", "RESET"));
    EXPECT_TRUE(models_.at("DFF").is_flip_flop);
    EXPECT_THAT(models_.at("DFF").inputs, ElementsAre("CLK", "D"));
    EXPECT_FALSE(models_.at("AND").is_flip_flop);
}

TEST_F(Netlists, AnOddTextIsRefusedWithItsLine) {
    try {
        parse("/* yosys */\n\nmodule m(a);\n  input a;\n  wire b c;\nendmodule\n");
        FAIL();
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("line 5 of the netlist is not understood, at 'c'"));
    }
    for (const char* const cell : {"FALLING", "HOLD"}) {
        EXPECT_THROW(parse(std::string("module m(a);\n  input a;\n  ") + cell +
                           " _0_ (.D(a));\nendmodule\n"),
                     std::runtime_error);
    }
    EXPECT_THROW(parse("module m(a);\n  input a;\n  AND _0_ (.Z(a));\nendmodule\n"),
                 std::runtime_error);
    EXPECT_THROW(parse("module m(a);\n  input a;\n  AND _0_ (.A(b));\nendmodule\n"),
                 std::runtime_error);
    EXPECT_THROW(parse("module m(a);\n  input a;\n"), std::runtime_error);
    EXPECT_THROW(parse("module m(a);\n  input [1:0] a;\n  INV _0_ (.A(a));\nendmodule\n"),
                 std::runtime_error);
    for (const char* const constant : {"99999999999'b0", "2000000000'h0", "1'hx", "2'b1", "1'b"}) {
        EXPECT_THROW(parse(std::string("module m(y);\n  output y;\n  INV _0_ (.A(") + constant +
                           "), .Y(y));\nendmodule\n"),
                     std::runtime_error);
    }
    EXPECT_THROW(parse("module m(y);\n  output y;\n  INV _0_ (.A({{1'b0}}), .Y(y));\nendmodule\n"),
                 std::runtime_error);
}

TEST_F(Netlists, NamesBitsConstantsAndAssignmentsAreRead) {
    const GateNetlist netlist = parse(R"(module m(clk_i, in, out, three);
  input clk_i;
  wire clk_i;
  input [2:1] in;
  wire [2:1] in;
  output out;
  output [3:0] three;
  wire \a.b[0] ;
  INV _0_ (.A(in[2]), .Y(\a.b[0] ));
  AND _1_ (.A(in[1]), .B(1'h1), .Y(out));
  assign three = { 1'h0, \a.b[0] , in };
endmodule
)");
    EXPECT_EQ(netlist.top, "m");
    ASSERT_EQ(netlist.cells.size(), 2U);
    EXPECT_EQ(netlist.port("in").size(), 2U);
    EXPECT_TRUE(netlist.ports.at("in").is_input);
    EXPECT_EQ(netlist.cells[0].inputs.front(), netlist.port("in")[1]);
    EXPECT_EQ(netlist.cells[1].inputs, (std::vector<NetId>{netlist.port("in")[0], 1}));
    EXPECT_EQ(netlist.port("three"),
              (std::vector<NetId>{netlist.port("in")[0], netlist.port("in")[1],
                                  netlist.cells[0].outputs.front(), 0}));
    EXPECT_THROW(netlist.port("other"), std::runtime_error);
}

TEST_F(Netlists, ConstantsOfSeveralBitsAreReadInAllBasesThatYosysWrites) {
    const auto bits = [this](const std::string& constant) {
        const GateNetlist netlist =
            parse("module m(y);\n  output [11:0] y;\n  assign y = " + constant + ";\nendmodule\n");
        std::string text;
        for (const NetId net : netlist.port("y")) text = std::to_string(net) + text;
        return text;
    };
    EXPECT_EQ(bits("12'd0"), "000000000000");
    EXPECT_EQ(bits("12'd5"), "000000000101");
    EXPECT_EQ(bits("12'h0a3"), "000010100011");
    EXPECT_EQ(bits("12'b0000x0000011"), "000000000011");
    EXPECT_THROW(bits("11'd0"), std::runtime_error);
    EXPECT_THROW(bits("12'd1a"), std::runtime_error);
    EXPECT_THROW(bits("12'h0x0"), std::runtime_error);
}

const std::string kToggle = R"(module toggle(clk_i, go, q, qn);
  input clk_i;
  input go;
  output q;
  output qn;
  wire _0_;
  wire _1_;
  wire _2_;
  wire _3_;
  AND _7_ (.A(go), .B(qn), .Y(_0_));
  INV _8_ (.A(go), .Y(_1_));
  AND _9_ (.A(_1_), .B(q), .Y(_2_));
  OR _4_ (.A(_0_), .B(_2_), .Y(_3_));
  DFF _5_ (.CLK(clk_i), .D(_3_), .Q(q), .QN(qn));
endmodule
)";

TEST_F(Netlists, TransitionsAreCountedPerCycleAndRun) {
    const GateNetlist netlist = parse(kToggle);
    GateSimulation simulation(netlist);
    const NetId go = netlist.port("go").front();
    const NetId q = netlist.port("q").front();
    // A flip-flop that turns over in each cycle of the runs in which `go` is high: half of them.
    simulation[go] = kAll >> 32;
    simulation.settle();
    simulation.restart_counts();
    constexpr int kCycles = 10;
    for (int cycle = 0; cycle < kCycles; ++cycle) {
        simulation.edge();
        simulation.settle();
        simulation.count();
        EXPECT_EQ(simulation[q], cycle % 2 == 0 ? kAll >> 32 : 0) << cycle;
        EXPECT_EQ(simulation[netlist.port("qn").front()], ~simulation[q]);
    }
    EXPECT_DOUBLE_EQ(simulation.activity(q), 0.5);
    EXPECT_DOUBLE_EQ(simulation.duty(q), 0.25);
    EXPECT_DOUBLE_EQ(simulation.activity(go), 0);
    EXPECT_DOUBLE_EQ(simulation.duty(go), 0.5);
    simulation.restart_counts();
    simulation.count();
    EXPECT_DOUBLE_EQ(simulation.activity(q), 0);
}

TEST_F(Netlists, AFlipFlopWithResetIsAPlainOneIfThatIsTied) {
    const auto netlist = [this](const std::string& reset) {
        return parse(
            "module m(clk_i, d, q);\n  input clk_i;\n  input d;\n  output q;\n"
            "  RESET _0_ (.CLK(clk_i), .D(d), .R(" +
            reset + "), .Q(q));\nendmodule\n");
    };
    const GateNetlist tied = netlist("1'b1");
    GateSimulation simulation(tied);
    for (const std::uint64_t value : {kAll >> 32, std::uint64_t{0}, kAll}) {
        simulation[tied.port("d").front()] = value;
        simulation.settle();
        simulation.edge();
        simulation.settle();
        EXPECT_EQ(simulation[tied.port("q").front()], value);
    }
    for (const char* const reset : {"1'b0", "d"}) {
        try {
            netlist(reset);
            FAIL() << reset;
        } catch (const std::runtime_error& error) {
            EXPECT_THAT(error.what(), HasSubstr("_0_ (RESET) unless R is tied to 1"));
        }
    }
}

/// A register that takes `d` when `en` is set, behind a clock gate.
std::string gated_register(const std::string& clock, const std::string& test) {
    return "module m(clk_i, en, d, q);\n  input clk_i;\n  input en;\n  input d;\n  output q;\n"
           "  wire _0_;\n  wire _1_;\n  INV _4_ (.A(clk_i), .Y(_1_));\n"
           "  DFF _2_ (.CLK(_0_), .D(d), .Q(q));\n"
           "  GATE _3_ (.CK(" +
           clock + "), .EN(en), .TE(" + test + "), .GCK(_0_));\nendmodule\n";
}

TEST_F(Netlists, ARegisterBehindAClockGateTakesItsInputWhereThatIsOpen) {
    const GateNetlist netlist = parse(gated_register("clk_i", "1'b0"));
    GateSimulation simulation(netlist);
    const NetId q = netlist.port("q").front();
    // Open in a quarter of the runs, which keep what they took when it is shut.
    constexpr std::uint64_t kOpen = kAll >> 48;
    const auto cycle = [&](std::uint64_t enable, std::uint64_t data) {
        simulation[netlist.port("en").front()] = enable;
        simulation[netlist.port("d").front()] = data;
        simulation.settle();
        simulation.count();
        simulation.edge();
        simulation.settle();
        return simulation[q];
    };
    EXPECT_EQ(cycle(kOpen, kAll), kOpen);
    EXPECT_EQ(cycle(0, 0), kOpen);
    EXPECT_EQ(cycle(kOpen, 5), std::uint64_t{5});
    EXPECT_EQ(cycle(0, kAll), std::uint64_t{5});
    // In half of the cycles a quarter of the clocks behind it rise and fall.
    const NetId gated = netlist.cells[1].inputs.front();
    EXPECT_DOUBLE_EQ(simulation.activity(gated), 2 * 0.5 * 0.25);
    EXPECT_DOUBLE_EQ(simulation.duty(gated), 0.5 * 0.5 * 0.25);
}

TEST_F(Netlists, PowerOfRegistersBehindAGateIsAskedForApart) {
    const GateNetlist netlist = parse(gated_register("clk_i", "1'b0"));
    NetActivity activity;
    activity.activity.resize(16, 0.5F);
    activity.duty.resize(16, 0.5F);
    activity.activity[netlist.cells[2].outputs.front()] = 0.25F;
    const CellLibrary library;
    const auto session = [&](const GateNetlist& of) {
        return power_session(of, models_, {library}, std::vector<char>(of.cells.size(), 0),
                             {activity}, 10, 0.02);
    };
    const PowerSession gated = session(netlist);
    EXPECT_THAT(gated.names, AllOf(HasSubstr("set pin_names {\ndut/_3_/GCK\n"),
                                   HasSubstr("set cell_names { dut/_4_ dut/_3_}"),
                                   HasSubstr("set gated_names {{ dut/_2_ }}")));
    EXPECT_EQ(gated.recorded.rfind("0.25 0.5 ", 0), 0U) << gated.recorded;
    EXPECT_THAT(gated.script,
                HasSubstr("set_disable_timing -from CK -to GCK [get_lib_cells */GATE]\n"));
    const PowerSession plain = session(parse(kToggle));
    EXPECT_THAT(plain.names, HasSubstr("set gated_names {}"));
    EXPECT_THAT(plain.script, Not(HasSubstr("set_disable_timing")));
}

TEST_F(Netlists, AClockGateIsAtTheClockAndNotOpenedByATest) {
    try {
        parse(gated_register("clk_i", "1'b1"));
        FAIL();
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("_3_ (GATE) unless TE is tied to 0"));
    }
    const GateNetlist inverted = parse(gated_register("_1_", "1'b0"));
    try {
        GateSimulation{inverted};
        FAIL();
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("the clock of _3_ comes through other gates"));
    }
}

TEST_F(Netlists, GatesAreSimulatedInTheOrderOfTheirSignals) {
    // Written back to front.
    const GateNetlist netlist = parse(R"(module m(a, y);
  input a;
  output y;
  wire _0_;
  wire _1_;
  INV _4_ (.A(_1_), .Y(y));
  INV _3_ (.A(_0_), .Y(_1_));
  INV _2_ (.A(a), .Y(_0_));
endmodule
)");
    GateSimulation simulation(netlist);
    simulation[netlist.port("a").front()] = 5;
    simulation.settle();
    EXPECT_EQ(simulation[netlist.port("y").front()], ~std::uint64_t{5});
}

TEST_F(Netlists, CyclesAndNetsWithTwoDriversAreRefused) {
    const std::string head = "module m(a, y);\n  input a;\n  output y;\n  wire _0_;\n";
    const GateNetlist cycle = parse(head +
                                    "  AND _1_ (.A(a), .B(y), .Y(_0_));\n"
                                    "  INV _2_ (.A(_0_), .Y(y));\nendmodule\n");
    EXPECT_THROW(GateSimulation{cycle}, std::runtime_error);
    const GateNetlist twice = parse(head +
                                    "  INV _1_ (.A(a), .Y(y));\n"
                                    "  INV _2_ (.A(a), .Y(y));\nendmodule\n");
    EXPECT_THROW(GateSimulation{twice}, std::runtime_error);
}

TEST_F(Netlists, TheCrossbarIsWhereFlitsOfSeveralPortsPass) {
    // Two ports, flits of a bit; a register each, a gate that reads it, and one that joins both.
    // The register of the select is control, and cells that only one port goes through are reading.
    const GateNetlist netlist = parse(R"(module m(clk_i, sel, flit_data_i, flit_data_o);
  input clk_i;
  input sel;
  input [1:0] flit_data_i;
  output [1:0] flit_data_o;
  wire _0_;
  wire _1_;
  wire _2_;
  wire _3_;
  DFF _10_ (.CLK(clk_i), .D(flit_data_i[0]), .Q(_0_));
  DFF _11_ (.CLK(clk_i), .D(flit_data_i[1]), .Q(_1_));
  AND _12_ (.A(_0_), .B(sel), .Y(_2_));
  AND _13_ (.A(_1_), .B(sel), .Y(_3_));
  OR _14_ (.A(_2_), .B(_3_), .Y(flit_data_o[0]));
  OR _15_ (.A(_3_), .B(_2_), .Y(flit_data_o[1]));
endmodule
)");
    EXPECT_THAT(crossing_cells(netlist, 2), ElementsAre(0, 0, 0, 0, 1, 1));
}

// ---- Power --------------------------------------------------------------------------------------

TEST(PowerLog, GivesThePowersOfEveryActivity) {
    const auto powers = parse_power_log(
        "worst slack 1.0\n"
        "recorded 0 cells 1.0 2.0 0.5\nrecorded 0 crossing 0.25 0.25 0.125\n"
        "recorded 0 drivers 100 4.0 100\nrecorded 0 gated 8 0 0.25\n"
        "recorded 1 cells 1 1 1\nrecorded 1 crossing 0 0 0\nrecorded 1 drivers 0 0 0\n"
        "recorded 1 gated 0 0 0\n",
        2);
    ASSERT_EQ(powers.size(), 2U);
    EXPECT_DOUBLE_EQ(powers[0].dynamic, 1 + 2 + 0.25 + 0.25 + 4 + 8);
    EXPECT_DOUBLE_EQ(powers[0].crossing, 0.5);
    EXPECT_DOUBLE_EQ(powers[0].leakage, 0.875);
    EXPECT_DOUBLE_EQ(powers[1].dynamic, 2);
}

TEST(PowerLog, IsRefusedWhereOpenStaFailed) {
    const std::string good =
        "recorded 0 cells 1 1 1\nrecorded 0 crossing 0 0 0\nrecorded 0 gated 0 0 0\n";
    EXPECT_THROW(parse_power_log(good, 1), std::runtime_error);
    EXPECT_THROW(parse_power_log(good + "recorded 0 drivers 0 nan 0\n", 1), std::runtime_error);
    EXPECT_THROW(parse_power_log(good + "recorded 1 drivers 0 0 0\n", 1), std::runtime_error);
    EXPECT_THROW(parse_power_log("Error: no such pin\n" + good + "recorded 0 drivers 0 0 0\n", 1),
                 std::runtime_error);
    EXPECT_NO_THROW(parse_power_log(good + "recorded 0 drivers 0 0 0\n", 1));
}

// ---- The fit ------------------------------------------------------------------------------------

TEST(LeastSquares, FindsTheEnergiesOfEvents) {
    std::mt19937_64 random(1);
    std::vector<Equation> equations;
    for (int i = 0; i < 20; ++i) {
        Equation e;
        for (int t = 0; t < 3; ++t) e.terms.push_back(static_cast<double>(random() % 100));
        e.value = 2 * e.terms[0] + 0.5 * e.terms[1] + 7 * e.terms[2];
        equations.push_back(std::move(e));
    }
    EXPECT_THAT(least_squares(equations),
                ElementsAre(DoubleNear(2, 1e-9), DoubleNear(0.5, 1e-9), DoubleNear(7, 1e-9)));
}

TEST(LeastSquares, GivesNoNegativeEnergy) {
    // The second term goes with what is too much: without it the first explains the most.
    const std::vector<Equation> equations = {
        {{1, 0}, 2, 1}, {{1, 1}, 1, 1}, {{2, 1}, 3, 1}, {{0, 0}, 0, 1}};
    const std::vector<double> found = least_squares(equations);
    EXPECT_NEAR(found[0], (2.0 + 1 + 6) / 6, 1e-9);
    EXPECT_EQ(found[1], 0);
}

TEST(LeastSquares, WeighsAndStandsWhatCannotBeToldApart) {
    EXPECT_THAT(least_squares({{{1}, 1, 1}, {{1}, 3, 3}}), ElementsAre(DoubleNear(2.8, 1e-9)));
    const std::vector<double> same = least_squares({{{1, 1}, 4, 1}, {{2, 2}, 8, 1}});
    EXPECT_NEAR(same[0] + same[1], 4, 1e-9);
    EXPECT_THAT(least_squares({{{0, 1}, 4, 1}}), ElementsAre(0, DoubleNear(4, 1e-9)));
    EXPECT_THAT(least_squares({}), ElementsAre());
}

// ---- What is kept -------------------------------------------------------------------------------

class Kept : public ::testing::Test {
protected:
    Kept() {
        std::string name = fs::temp_directory_path() / "energy_test.XXXXXX";
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
        folder_ = name;
        energy_.write_pj = 1.25;
        energy_.further.leakage_mw = 1e-9 / 3;
    }
    ~Kept() override { fs::remove_all(folder_); }

    std::string folder_;
    RouterEnergy energy_;
};

TEST_F(Kept, IsFoundAgainToTheLastDigit) {
    EXPECT_FALSE(find_energy(folder_, "abc"));
    keep_energy(folder_, "abc", energy_);
    const auto found = find_energy(folder_, "abc");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->write_pj, 1.25);
    EXPECT_EQ(found->further.leakage_mw, 1e-9 / 3);
    EXPECT_TRUE(found->from_cache);
}

TEST_F(Kept, CountsForNothingWhereItWasMadeFromSomethingElse) {
    keep_energy(folder_, "abc", energy_);
    EXPECT_FALSE(find_energy(folder_, "def"));
    EXPECT_TRUE(find_energy(folder_, "abc"));
}

TEST_F(Kept, CountsForNothingWhereItCannotBeRead) {
    for (const char* const text : {"{\"inputs\": \"abc\"}", "[", ""}) {
        std::ofstream(folder_ + "/energy.json") << text;
        EXPECT_FALSE(find_energy(folder_, "abc")) << text;
    }
}

// ---- The table ----------------------------------------------------------------------------------

TEST(EnergyTable, TellsRoutersApartByTheParametersInWhichTheyDiffer) {
    EnergyOfVariant mesh;
    mesh.energy.write_pj = 12.345;
    mesh.energy.library = "osu018 (typical)";
    EnergyOfVariant table = mesh;
    table.variant.routing = hw::RtlRouting::kTable;
    table.variant.table_entries = 16;
    const auto titles = [](const std::vector<EnergyOfVariant>& all) {
        const std::string text = energy_markdown_table(all);
        return text.substr(0, text.find(" write pJ"));
    };
    EXPECT_EQ(titles({table}), "| ports | VCs | depth |");
    EXPECT_EQ(titles({table, mesh}), "| ports | VCs | depth | routing | entries |");
    std::ostringstream out;
    print_energies(out, {mesh, table});
    EXPECT_THAT(out.str(), HasSubstr("  ports  VCs  depth  routing  entries     pJ    pJ "));
    EXPECT_THAT(out.str(), HasSubstr("     mesh        0  12.35  0.00"));
    EXPECT_THAT(out.str(), HasSubstr("    table       16  12.35  0.00"));
    EXPECT_EQ(energy_markdown_table({}), "");
}

}  // namespace
}  // namespace flitscope
