// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The ways in which a space is searched.
#pragma once

#include <functional>

#include "testbench/app/study/explore/explorer.h"

namespace flitscope::study {

/// Settles every design that is waiting: measures it, or proves by its bounds that one that was
/// measured dominates it. The remaining designs are the front.
void search_exactly(Explorer& explorer);

// Searches that draw call `begin` once they have drawn, before any design of theirs is kept: it
// throws if none of the drawn designs can be built. They throw ConfigError if no drawn design meets
// the conditions of the study.

/// Measures designs drawn at random, each once.
void search_at_random(Explorer& explorer, const std::function<void()>& begin);

/// NSGA-II (Deb, Pratap, Agarwal and Meyarivan 2002): ranks by dominance, then crowding; binary
/// tournaments, uniform crossover, mutation of one axis on average. A child whose bounds are
/// dominated by the front is ranked by them, and not measured.
void search_genetically(Explorer& explorer, const std::function<void()>& begin);

}  // namespace flitscope::study
