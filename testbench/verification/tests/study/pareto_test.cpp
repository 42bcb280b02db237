// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Fronts, by brute force.
#include "testbench/app/study/explore/pareto.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "testbench/verification/tests/study/hypervolume.h"

namespace flitscope::study {
namespace {

std::vector<Objectives> random_designs(std::mt19937& random, std::size_t objectives) {
    std::vector<Objectives> designs(1 + random() % 40);
    for (Objectives& design : designs) {
        for (std::size_t i = 0; i < objectives; ++i) design.push_back(random() % 10);
    }
    return designs;
}

TEST(ParetoFront, HoldsWhomNobodyDominates) {
    std::mt19937 random(1);
    for (int round = 0; round < 300; ++round) {
        const std::vector<Objectives> designs = random_designs(random, 1 + round % 4);
        std::vector<std::size_t> expected;
        for (std::size_t i = 0; i < designs.size(); ++i) {
            const bool is_dominated =
                std::any_of(designs.begin(), designs.end(),
                            [&](const Objectives& other) { return dominates(other, designs[i]); });
            if (!is_dominated) expected.push_back(i);
        }
        EXPECT_EQ(pareto_front(designs), expected);
        Front front;
        for (std::size_t i = designs.size(); i-- > 0;) front.add(i, designs[i]);
        std::set<std::size_t> members;
        for (const Front::Member& member : front.members()) members.insert(member.id);
        EXPECT_EQ(members, std::set<std::size_t>(expected.begin(), expected.end()));
    }
}

TEST(ParetoFront, HypervolumeIsThatOfCountedCells) {
    std::mt19937 random(2);
    for (int round = 0; round < 100; ++round) {
        const std::size_t size = 1 + static_cast<std::size_t>(round) % 3;
        const std::vector<Objectives> designs = random_designs(random, size);
        std::size_t cells = 1;
        for (std::size_t i = 0; i < size; ++i) cells *= 10;
        std::size_t covered = 0;
        for (std::size_t cell = 0; cell < cells; ++cell) {
            covered += std::any_of(designs.begin(), designs.end(),
                                   [&](const Objectives& design) {
                                       std::size_t left = cell;
                                       for (const double value : design) {
                                           if (static_cast<double>(left % 10) < value) return false;
                                           left /= 10;
                                       }
                                       return true;
                                   })
                           ? 1
                           : 0;
        }
        EXPECT_DOUBLE_EQ(hypervolume(designs, Objectives(size, 10)), static_cast<double>(covered));
    }
}

}  // namespace
}  // namespace flitscope::study
