// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A design whose bounds are dominated by one that was measured cannot be on the front, whatever it
// would come to. The order in which designs are measured decides how many that are, not what the
// front is. So those go first that are likely to be on it: by their bounds, each made worse by as
// much as the bound of the most similar design fell short of what was measured.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "testbench/study/explore/search.h"

namespace flitscope::study {
namespace {

/// What is expected of a design that waits.
struct Expectation {
    std::size_t design = 0;
    std::size_t alike = 0;       ///< axes in which the most similar measured designs agree with it
    std::size_t count = 0;       ///< of these designs
    std::vector<double> excess;  ///< sum of the logarithms of measured / bound, per objective
};

class ExactSearch {
public:
    explicit ExactSearch(Explorer& explorer) : explorer_(explorer) {
        for (std::size_t id = 0; id < explorer.designs().size(); ++id) {
            const Design& design = explorer.designs()[id];
            if (design.state != DesignState::kWaiting) continue;
            waiting_.push_back({id, 0, 0, std::vector<double>(design.best.size(), 0)});
        }
    }

    void run() {
        explorer_.measure([&] { return next(); }, [&](std::size_t id) { learn(id); });
        explorer_.keep();
    }

private:
    /// A crew with a long arm would measure everything before the first outcome can prune: as many
    /// designs are under way as were measured, so at most half of them in vain.
    bool has_enough_under_way() const {
        constexpr std::size_t kFew = 16;
        return under_way_ >= std::max({kFew, explorer_.processes(), learned_});
    }

    std::optional<std::size_t> next() {
        if (has_enough_under_way()) return std::nullopt;
        prune();
        const auto best = std::min_element(
            waiting_.begin(), waiting_.end(),
            [&](const Expectation& a, const Expectation& b) { return score(a) < score(b); });
        if (best == waiting_.end()) return std::nullopt;
        const std::size_t id = best->design;
        waiting_.erase(best);
        ++under_way_;
        return id;
    }

    void prune() {
        const auto is_proved = [&](const Expectation& expectation) {
            const auto by =
                explorer_.front().dominator(explorer_.designs()[expectation.design].best);
            if (!by) return false;
            explorer_.settle(expectation.design, DesignState::kPruned,
                             "dominated by " + explorer_.designs()[*by].digest);
            return true;
        };
        waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(), is_proved), waiting_.end());
    }

    /// First those that nothing measured is expected to dominate, then the others; the smallest
    /// product of the objectives first.
    std::pair<bool, double> score(const Expectation& e) const {
        const Design& design = explorer_.designs()[e.design];
        Objectives expected = design.best;
        double sum = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (!std::isfinite(expected[i])) continue;
            if (e.count != 0) {
                expected[i] *= std::exp(e.excess[i] / static_cast<double>(e.count));
            }
            const double size = std::log(std::max(std::abs(expected[i]), 1e-12));
            sum += expected[i] < 0 ? -size : size;
        }
        return {explorer_.front().dominator(expected).has_value(), sum};
    }

    void learn(std::size_t id) {
        --under_way_;
        ++learned_;
        const Design& measured = explorer_.designs()[id];
        if (measured.state != DesignState::kSimulated) return;
        for (Expectation& e : waiting_) {
            const Design& design = explorer_.designs()[e.design];
            std::size_t alike = 0;
            for (std::size_t axis = 0; axis < design.choices.size(); ++axis) {
                if (design.choices[axis] == measured.choices[axis]) ++alike;
            }
            if (alike < e.alike) continue;
            if (alike > e.alike) {
                e.alike = alike;
                e.count = 0;
                std::fill(e.excess.begin(), e.excess.end(), 0.0);
            }
            ++e.count;
            for (std::size_t i = 0; i < e.excess.size(); ++i) {
                const double ratio = measured.objectives[i] / measured.best[i];
                if (std::isfinite(ratio) && ratio > 0) e.excess[i] += std::log(ratio);
            }
        }
    }

    Explorer& explorer_;
    std::vector<Expectation> waiting_;
    std::size_t under_way_ = 0;
    std::size_t learned_ = 0;
};

}  // namespace

void search_exactly(Explorer& explorer) { ExactSearch(explorer).run(); }

}  // namespace flitscope::study
