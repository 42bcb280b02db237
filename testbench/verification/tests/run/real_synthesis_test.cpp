// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The real tools, on circuits of which the number of flip-flops is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "testbench/app/gate_synthesis/toolchain.h"
#include "testbench/verification/tests/run/synth_fixture.h"

namespace flitscope {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// `Depth` registers per bit and port, so the number of flip-flops is known. The output is the
// parity of a port, which takes gates.
constexpr const char* kDelayLines = R"(module router #(
    parameter int unsigned Ports = 5,
    parameter int unsigned VirtualChannels = 1,
    parameter int unsigned Depth = 8,
    parameter int unsigned FlitBits = 64,
    parameter int unsigned RouterDelay = 1,
    parameter int unsigned Routing = 0,
    parameter int unsigned TableEntries = 2
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic [Ports*FlitBits-1:0] data_i,
    output logic [Ports-1:0]          parity_o
);
    generate
        for (genvar p = 0; p < Ports; p++) begin : gen_port
            logic [Depth*FlitBits-1:0] line_q;
            always_ff @(posedge clk_i) begin
                if (!rst_ni) line_q <= '0;
                else line_q <= {line_q, data_i[p*FlitBits+:FlitBits]};
            end
            assign parity_o[p] = ^line_q[(Depth-1)*FlitBits+:FlitBits];
        end
    endgenerate
endmodule
)";

class RealSynthesis : public Synthesis {
protected:
    RealSynthesis() {
        write("rtl/router.sv", kDelayLines);
        variant_.ports = 2;
        variant_.depth = 3;
        variant_.flit_bits = 4;
    }
    void SetUp() override {
        for (const char* const tool : {"yosys", "sta"}) {
            if (find_program(tool).empty())
                GTEST_SKIP() << "needs " << tool << ": ./dev setup synth";
        }
    }
};

TEST_F(RealSynthesis, CountsTheFlipFlopsOfASmallCircuit) {
    const SynthesisResult r = synthesize(variant_, conditions_);
    constexpr double kFlipFlopUm2 = 96;  // DFFPOSX1
    EXPECT_EQ(r.flip_flops, 2U * 3U * 4U);
    EXPECT_GE(r.cells, r.flip_flops + 2U * 3U);  // parity of 4 bits: 3 gates
    EXPECT_GT(r.area_um2, kFlipFlopUm2 * static_cast<double>(r.flip_flops));
    EXPECT_LT(r.area_um2, 3 * kFlipFlopUm2 * static_cast<double>(r.flip_flops));
    EXPECT_GT(r.min_period_ns, 0.3);  // flip-flop, two gates, setup
    EXPECT_LT(r.min_period_ns, 2);
    EXPECT_EQ(r.power_period_ns, 4);
    EXPECT_GT(r.power_mw, 0.1);
    EXPECT_LT(r.power_mw, 10);
    EXPECT_GT(r.seconds, 0.1);
    EXPECT_THAT(read_file(r.netlist),
                AllOf(HasSubstr("module router_p2_v1_d3_w4_r1_mesh("), HasSubstr("DFFPOSX1")));
    EXPECT_TRUE(synthesize(variant_, conditions_).from_cache);

    variant_.depth = 6;
    const SynthesisResult deep = synthesize(variant_, conditions_);
    EXPECT_EQ(deep.flip_flops, 2 * r.flip_flops);
    EXPECT_GT(deep.area_um2, 1.5 * r.area_um2);
}

TEST_F(RealSynthesis, PowerFollowsThePeriodAndThePeriodDoesNotFollowTheTarget) {
    const SynthesisResult at_4 = synthesize(variant_, conditions_);
    conditions_.period_ns = 8;
    const SynthesisResult at_8 = synthesize(variant_, conditions_);
    EXPECT_NEAR(at_8.power_mw / at_4.power_mw, 0.5, 0.01);
    EXPECT_NEAR(at_8.min_period_ns, at_4.min_period_ns, 0.001);
    conditions_.period_ns = 0.01;
    const SynthesisResult fastest = synthesize(variant_, conditions_);
    EXPECT_NEAR(fastest.min_period_ns, at_4.min_period_ns, 0.001);
    EXPECT_GE(fastest.power_period_ns, fastest.min_period_ns);
    EXPECT_LT(fastest.power_period_ns, fastest.min_period_ns + 0.1);
    EXPECT_GT(fastest.power_mw, at_4.power_mw);
}

TEST_F(RealSynthesis, PointsAtTheLineThatYosysDoesNotTake) {
    write("rtl/router.sv", "module router;\n  always_oops;\nendmodule\n");
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }),
                AllOf(HasSubstr("rtl/router.sv:2"), HasSubstr("syntax error")));
}

TEST_F(RealSynthesis, RefusesALatch) {
    std::string text = kDelayLines;
    text = without(text, "always_ff @(posedge clk_i) begin", "always @* begin");
    text = without(text, "if (!rst_ni) line_q <= '0;", "if (!clk_i) line_q = '0;");
    text = without(text, "else line_q <= {line_q, data_i[p*FlitBits+:FlitBits]};",
                   "else if (rst_ni) line_q = {Depth{data_i[p*FlitBits+:FlitBits]}};");
    write("rtl/router.sv", text);
    EXPECT_THAT(error_of([&] { synthesize(variant_, conditions_); }),
                HasSubstr("cells that the library does not have"));
}

/// The router of hw/rtl, small enough to take seconds.
TEST_F(RealSynthesis, TakesOurRouterWithEachRouting) {
    unset("FLITSCOPE_RTL_DIR");
    variant_ = {};
    variant_.ports = 3;
    variant_.depth = 2;
    variant_.flit_bits = 16;
    for (const hw::RtlRouting routing : {hw::RtlRouting::kMesh, hw::RtlRouting::kHypercube,
                                         hw::RtlRouting::kTable, hw::RtlRouting::kPins}) {
        variant_.routing = routing;
        variant_.table_entries = routing == hw::RtlRouting::kTable ? 4 : 0;
        const SynthesisResult r = synthesize(variant_, conditions_);
        EXPECT_GE(r.flip_flops, 3U * 2U * 18U) << variant_.name();  // only the FIFOs
        EXPECT_LT(r.min_period_ns, 6) << variant_.name();
    }
}

TEST_F(RealSynthesis, SwitchThatIsHeldCostsAFlipFlopPerInputVirtualChannel) {
    unset("FLITSCOPE_RTL_DIR");
    variant_ = {};
    variant_.ports = 3;
    variant_.virtual_channels = 2;
    variant_.depth = 2;
    variant_.flit_bits = 16;
    const SynthesisResult taking_turns = synthesize(variant_, conditions_);
    variant_.hold = true;
    const SynthesisResult held = synthesize(variant_, conditions_);
    EXPECT_EQ(held.flip_flops, taking_turns.flip_flops + 3U * 2U);
    EXPECT_GT(held.area_um2, taking_turns.area_um2);
}

}  // namespace
}  // namespace flitscope
