// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Estimates of routers, held against those that hw/rtl/SYNTHESIS.md lists as synthesized.
#include "testbench/app/gate_synthesis/router_estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace flitscope {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::vector<std::string> cells_of(const std::string& row) {
    std::vector<std::string> cells;
    std::istringstream in(row);
    for (std::string cell; std::getline(in, cell, '|');) {
        const std::size_t begin = cell.find_first_not_of(' ');
        if (begin != std::string::npos) {
            cells.push_back(cell.substr(begin, cell.find_last_not_of(' ') + 1 - begin));
        }
    }
    return cells;
}

/// The table of hw/rtl/SYNTHESIS.md.
std::vector<SynthesisResult> table() {
    std::ifstream file(FLITSCOPE_SYNTHESIS_TABLE);
    std::vector<SynthesisResult> results;
    std::vector<std::string> titles;
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("| ports |", 0) == 0) titles = cells_of(line);
        if (titles.empty() || line.rfind("| ", 0) != 0 || line.find_first_of("0123456789") != 2) {
            if (!results.empty()) break;
            continue;
        }
        const std::vector<std::string> cells = cells_of(line);
        const auto cell = [&](const std::string& title) {
            for (std::size_t i = 0; i < titles.size(); ++i) {
                if (titles[i] == title) return cells.at(i);
            }
            ADD_FAILURE() << "no column " << title;
            return std::string();
        };
        const auto count = [&](const std::string& title) {
            return static_cast<std::uint32_t>(std::stoul(cell(title)));
        };
        SynthesisResult r;
        r.variant.ports = count("ports");
        r.variant.virtual_channels = count("VCs");
        r.variant.depth = count("depth");
        r.variant.combined = cell("combined") == "yes";
        r.area_um2 = 1e6 * std::stod(cell("area mm2"));
        r.min_period_ns = std::stod(cell("min period ns"));
        r.power_mw = std::stod(cell("power mW"));
        r.power_period_ns = std::stod(cell("at ns"));
        results.push_back(r);
    }
    return results;
}

std::vector<SynthesisResult> without(std::vector<SynthesisResult> results, std::size_t i) {
    results.erase(results.begin() + static_cast<std::ptrdiff_t>(i));
    return results;
}

TEST(RouterEstimate, IsAsGoodAsItSaysOnTheTable) {
    const std::vector<SynthesisResult> all = table();
    ASSERT_THAT(all, SizeIs(24));
    std::size_t estimated = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto guess = RouterEstimator(without(all, i)).estimate(all[i].variant);
        if (!guess) continue;
        ++estimated;
        ASSERT_TRUE(guess->estimated);
        const EstimateErrors& errors = *guess->estimated;
        EXPECT_EQ(errors.known, 23U);
        // The margin of studies (study/explore/routers.h), for errors that are significant.
        constexpr double kMargin = 1.5;
        EXPECT_LT(errors.area, 0.07);
        EXPECT_LT(errors.period, 0.12);
        EXPECT_LT(errors.power, 0.17);
        const auto off = [](double found, double truth) { return std::abs(found / truth - 1); };
        SCOPED_TRACE(all[i].variant.name());
        EXPECT_LT(off(guess->area_um2, all[i].area_um2), kMargin * errors.area);
        EXPECT_LT(off(guess->min_period_ns, all[i].min_period_ns), kMargin * errors.period);
        EXPECT_LT(
            off(guess->power_mw * guess->power_period_ns, all[i].power_mw * all[i].power_period_ns),
            kMargin * errors.power);
    }
    EXPECT_EQ(estimated, all.size());  // every extreme of the table is there twice
}

TEST(RouterEstimate, ComparesRoutersOfOneKindOnly) {
    const std::vector<SynthesisResult> all = table();
    const RouterEstimator estimator(all);
    const hw::RtlVariant known = all.front().variant;
    ASSERT_TRUE(estimator.estimate(known));
    std::vector<hw::RtlVariant> others(8, known);
    others[0].module = "other";
    others[1].routing = hw::RtlRouting::kHypercube;
    others[2].router_delay = 2;
    others[3].hold = true;
    others[4].ports = 11;
    others[5].virtual_channels = 8;
    others[6].depth = 16;
    others[7].flit_bits = 128;
    for (const hw::RtlVariant& other : others) {
        EXPECT_FALSE(estimator.estimate(other)) << other.name();
    }
    std::vector<SynthesisResult> few(all.begin(), all.begin() + RouterEstimator::kEnough - 1);
    EXPECT_FALSE(RouterEstimator(few).estimate(known));
    EXPECT_EQ(RouterEstimator(few).obstacle(known),
              "11 routers of its module, routing, router delay and arbitration are known, and it "
              "takes 12");
    EXPECT_THAT(estimator.obstacle(others[0]), StartsWith("no routers of its module"));
    EXPECT_THAT(estimator.obstacle(others[4]),
                EndsWith(", but it has 11 ports, and they have 5 to 9"));
    EXPECT_THAT(estimator.obstacle(others[7]),
                HasSubstr("it has 128 bits per flit, and they have"));
}

TEST(RouterEstimate, LiesBetweenItsNeighbours) {
    const RouterEstimator estimator(table());
    hw::RtlVariant variant = table().front().variant;
    double area = 0;
    for (variant.depth = 2; variant.depth <= 8; ++variant.depth) {
        const auto guess = estimator.estimate(variant);
        ASSERT_TRUE(guess);
        EXPECT_GT(guess->area_um2, area);
        area = guess->area_um2;
    }
}

TEST(RoutersToKnow, SurroundAllOthers) {
    std::vector<hw::RtlVariant> wanted;
    for (const PortId ports : {5, 7, 9}) {
        for (const std::uint32_t vcs : {1U, 2U, 4U}) {
            for (const std::uint32_t depth : {2U, 4U, 8U, 16U}) {
                for (const std::uint32_t bits : {32U, 64U}) {
                    hw::RtlVariant variant;
                    variant.ports = ports;
                    variant.virtual_channels = vcs;
                    variant.depth = depth;
                    variant.flit_bits = bits;
                    wanted.push_back(variant);
                }
            }
        }
    }
    hw::RtlVariant alone;
    alone.routing = hw::RtlRouting::kHypercube;
    wanted.push_back(alone);
    const auto chosen = routers_to_know(wanted, {});
    EXPECT_LT(chosen.size(), wanted.size() / 3);
    EXPECT_GE(chosen.size(), RouterEstimator::kEnough + 1);
    std::vector<SynthesisResult> known;
    bool has_alone = false;
    for (const hw::RtlVariant& one : chosen) {
        has_alone = has_alone || one.name() == alone.name();
        SynthesisResult r;
        r.variant = one;
        r.area_um2 = one.ports * one.virtual_channels * one.depth * (one.flit_bits + 3.0);
        r.min_period_ns = 1;
        r.power_mw = r.area_um2;
        r.power_period_ns = 4;
        known.push_back(r);
    }
    EXPECT_TRUE(has_alone);  // it has no neighbours
    wanted.pop_back();
    const RouterEstimator estimator(known);
    for (const hw::RtlVariant& one : wanted) EXPECT_TRUE(estimator.estimate(one)) << one.name();
    EXPECT_THAT(routers_to_know(wanted, chosen), SizeIs(0));
    EXPECT_THAT(routers_to_know({wanted[0], wanted[1]}, {}), SizeIs(2));
}

}  // namespace
}  // namespace flitscope
