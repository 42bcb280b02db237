// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Searches that draw designs. Everything is drawn before the outcomes of a round are known, in one
// order, so that a seed gives the same designs however many processes there are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "testbench/app/study/explore/search.h"

namespace flitscope::study {
namespace {

class Drawing {
public:
    explicit Drawing(Explorer& explorer)
        : explorer_(explorer), random_(explorer.study().search.seed) {}

    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

    Choices draw() {
        Choices choices;
        for (const Axis& axis : explorer_.study().axes)
            choices.push_back(below(axis.values.size()));
        return choices;
    }
    /// Draws a design that was not drawn before and that the conditions admit. False if there is
    /// none or, in a space too large to be listed, after many failed attempts.
    bool draw_new(Choices& choices) {
        for (int i = 0; i < kPatience && !left_; ++i) {
            choices = draw();
            if (admits(choices)) return true;
        }
        if (explorer_.space().size() > Space::kMostListed) return false;
        // Few are left: one of these is drawn directly.
        if (!left_) left_ = explorer_.space().wanted();
        while (!left_->empty()) {
            std::swap((*left_)[below(left_->size())], left_->back());
            choices = std::move(left_->back());
            left_->pop_back();
            if (known_.insert(choices).second) return true;
        }
        return false;
    }
    /// That a first design was drawn.
    void require_drawn(bool is_drawn) const {
        if (is_drawn) return;
        throw ConfigError(
            {explorer_.study().source, 0, 0},
            fmt::format("the conditions admit none of {} designs that were drawn", kPatience),
            "let them admit more, or let fewer keys vary");
    }
    /// Whether the design is new and the conditions hold; remembers it.
    bool admits(const Choices& choices) {
        const bool is_wanted = explorer_.space().is_wanted(explorer_.space().labels(choices));
        return is_wanted && known_.insert(choices).second;
    }

private:
    static constexpr int kPatience = 1000;

    Explorer& explorer_;
    std::mt19937_64 random_;
    std::set<Choices> known_;
    /// Once drawing them blindly has failed: those that the conditions admit, some known already.
    std::optional<std::vector<Choices>> left_;
};

/// Measures designs in the order of `ids`, and keeps each.
void measure_all(Explorer& explorer, const std::vector<std::size_t>& ids) {
    explorer.measure_all(ids, [](std::size_t) {});
    explorer.keep();
}

class Nsga2 {
public:
    Nsga2(Explorer& explorer, const std::function<void()>& begin)
        : explorer_(explorer),
          begin_(begin),
          drawing_(explorer),
          size_(static_cast<std::size_t>(explorer.study().search.population)),
          budget_(static_cast<std::size_t>(explorer.study().search.evaluations)) {}

    void run() {
        std::vector<std::size_t> population;
        int barren = 0;  // generations in a row in which nothing was measured
        constexpr int kMostBarren = 50;
        while (budget_ > 0 && barren < kMostBarren) {
            rank(population);
            const std::size_t before = budget_;
            // The population is empty at first, and as long as nothing that was drawn can be built.
            const std::vector<std::size_t> children =
                evaluate(population.empty() ? draw() : breed(population));
            if (children.empty() && !draws_more_) break;
            population.insert(population.end(), children.begin(), children.end());
            rank(population);
            if (population.size() > size_) population.resize(size_);
            barren = budget_ < before ? 0 : barren + 1;
        }
        drawing_.require_drawn(!explorer_.designs().empty());
        if (!has_begun_) begin_();  // which throws: nothing can be built
    }

private:
    std::vector<Choices> draw() {
        std::vector<Choices> drawn;
        Choices choices;
        draws_more_ = true;
        while (drawn.size() < size_ && draws_more_) {
            draws_more_ = drawing_.draw_new(choices);
            if (draws_more_) drawn.push_back(choices);
        }
        return drawn;
    }

    /// Adds designs, and measures those that may be on the front, until the budget is used up.
    /// Returns all that can be built: those ruled out by a bound or constraint have a rank, too.
    std::vector<std::size_t> evaluate(const std::vector<Choices>& choices) {
        std::vector<std::size_t> ids;
        std::vector<std::size_t> all;
        for (auto from = choices.begin(); from != choices.end() && budget_ > 0;) {
            // No more than can be measured, so that no design is left without results.
            const auto left = static_cast<std::size_t>(choices.end() - from);
            const auto to = from + static_cast<std::ptrdiff_t>(std::min(left, budget_));
            std::size_t id = explorer_.add({from, to});
            for (; id < explorer_.designs().size(); ++id) {
                const Design& design = explorer_.designs()[id];
                if (design.state == DesignState::kRefused) continue;
                all.push_back(id);
                if (design.state != DesignState::kWaiting) continue;
                if (const auto by = explorer_.front().dominator(design.best)) {
                    explorer_.settle(id, DesignState::kPruned,
                                     "dominated by " + explorer_.designs()[*by].digest);
                } else {
                    --budget_;
                    ids.push_back(id);
                }
            }
            from = to;
        }
        if (!has_begun_) {
            if (all.empty()) return all;
            begin_();
            has_begun_ = true;
        }
        measure_all(explorer_, ids);
        return all;
    }

    const Objectives& fitness(std::size_t id) const {
        const Design& design = explorer_.designs()[id];
        return design.objectives.empty() ? design.best : design.objectives;
    }
    /// Whether design `a` is better than `b`: it exceeds the constraints less, or if both are equal
    /// in that, it dominates (Deb, Pratap, Agarwal and Meyarivan 2002, section VI).
    bool is_better(std::size_t a, std::size_t b) const {
        const double violation_a = violation(a);
        const double violation_b = violation(b);
        return violation_a == violation_b ? dominates(fitness(a), fitness(b))
                                          : violation_a < violation_b;
    }
    /// 0: it meets the constraints. A design that could not be measured is worst.
    double violation(std::size_t id) const {
        const Design& design = explorer_.designs()[id];
        return design.state == DesignState::kRefused ? std::numeric_limits<double>::infinity()
                                                     : design.violation;
    }

    /// Sorts by front, within a front by crowding distance, the lonely ones first.
    void rank(std::vector<std::size_t>& population) {
        rank_.clear();
        crowding_.clear();
        std::vector<std::size_t> left = population;
        for (std::size_t front = 0; !left.empty(); ++front) {
            std::vector<std::size_t> best;
            std::vector<std::size_t> rest;
            for (const std::size_t id : left) {
                const bool is_dominated =
                    std::any_of(left.begin(), left.end(),
                                [&](std::size_t other) { return is_better(other, id); });
                (is_dominated ? rest : best).push_back(id);
            }
            for (const std::size_t id : best) rank_[id] = front;
            crowd(best);
            left = std::move(rest);
        }
        std::stable_sort(population.begin(), population.end(),
                         [&](std::size_t a, std::size_t b) { return precedes(a, b); });
    }
    bool precedes(std::size_t a, std::size_t b) const {
        const std::size_t front_a = rank_.at(a);
        const std::size_t front_b = rank_.at(b);
        return front_a != front_b ? front_a < front_b : crowding_.at(a) > crowding_.at(b);
    }
    void crowd(const std::vector<std::size_t>& front) {
        for (const std::size_t id : front) crowding_[id] = 0;
        std::vector<std::size_t> order = front;
        for (std::size_t i = 0; i < fitness(front.front()).size(); ++i) {
            std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                return fitness(a)[i] < fitness(b)[i];
            });
            const double range = fitness(order.back())[i] - fitness(order.front())[i];
            crowding_[order.front()] = crowding_[order.back()] =
                std::numeric_limits<double>::infinity();
            for (std::size_t k = 1; k + 1 < order.size() && range > 0 && std::isfinite(range);
                 ++k) {
                crowding_[order[k]] +=
                    (fitness(order[k + 1])[i] - fitness(order[k - 1])[i]) / range;
            }
        }
    }

    std::vector<Choices> breed(const std::vector<std::size_t>& population) {
        std::vector<Choices> children;
        const auto& axes = explorer_.study().axes;
        const auto parent = [&]() -> const Choices& {
            const std::size_t a = population[drawing_.below(population.size())];
            const std::size_t b = population[drawing_.below(population.size())];
            return explorer_.designs()[precedes(b, a) ? b : a].choices;
        };
        const int patience = static_cast<int>(20 * size_);
        for (int i = 0; i < patience && children.size() < size_; ++i) {
            Choices child = parent();
            const Choices& other = parent();
            for (std::size_t axis = 0; axis < axes.size(); ++axis) {
                if (drawing_.below(2) == 0) child[axis] = other[axis];
                if (drawing_.below(axes.size()) == 0) {
                    child[axis] = drawing_.below(axes[axis].values.size());
                }
            }
            if (drawing_.admits(child)) children.push_back(child);
        }
        // If the whole neighbourhood has been drawn, look elsewhere.
        Choices fresh;
        draws_more_ = true;
        while (children.size() < size_ / 4 && draws_more_) {
            draws_more_ = drawing_.draw_new(fresh);
            if (draws_more_) children.push_back(fresh);
        }
        return children;
    }

    Explorer& explorer_;
    const std::function<void()>& begin_;
    Drawing drawing_;
    std::size_t size_;
    std::size_t budget_;
    bool draws_more_ = true;
    bool has_begun_ = false;
    std::map<std::size_t, std::size_t> rank_;
    std::map<std::size_t, double> crowding_;
};

}  // namespace

void search_at_random(Explorer& explorer, const std::function<void()>& begin) {
    std::vector<Choices> drawn;
    const std::uint64_t evaluations = explorer.study().search.evaluations;
    if (explorer.space().size() <= evaluations) {
        drawn = explorer.space().wanted();  // no need to draw
    } else {
        Drawing drawing(explorer);
        Choices choices;
        while (drawn.size() < evaluations && drawing.draw_new(choices)) drawn.push_back(choices);
        drawing.require_drawn(!drawn.empty());
    }
    std::vector<std::size_t> ids;
    std::size_t id = explorer.add(drawn);
    begin();
    explorer.expect(drawn.size());
    for (; id < explorer.designs().size(); ++id) {
        if (explorer.designs()[id].state == DesignState::kWaiting) ids.push_back(id);
    }
    measure_all(explorer, ids);
}

void search_genetically(Explorer& explorer, const std::function<void()>& begin) {
    Nsga2(explorer, begin).run();
}

}  // namespace flitscope::study
