// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/windows/how_line.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace flitscope {
namespace {

LineStep& step_of(LineSteps& steps, std::size_t number) {
    if (number >= steps.size()) steps.resize(number + 1);
    return steps[number];
}

}  // namespace

LineSteps HowLine::steps(Collective collective, PortModel ports, std::uint32_t root) const {
    const bool one = ports == PortModel::kOneOutput;
    const bool independent = ports == PortModel::kIndependent;
    switch (collective) {
        case Collective::kOneToAll:
            return one ? broadcast_by_doubling(root) : broadcast_by_windows(root);
        case Collective::kAllToAll:
            return one ? all_to_all_ring() : all_to_all_windows(independent);
        case Collective::kOneToAllPersonalized:
            return independent ? scatter_by_windows(root) : scatter_ring(root);
        case Collective::kAllToAllPersonalized:
            return independent ? exchange_over_relay_lines() : exchange_ring();
    }
    return {};
}

std::uint32_t HowLine::towards(std::uint32_t at, std::uint32_t target) const {
    return at < target ? std::min(at + w_, target) : at - std::min(at - target, w_);
}

std::vector<std::uint32_t> HowLine::ring() const {
    if (p_ > 2 && w_ == 1) {
        throw std::invalid_argument("how_collective: a window of 1 has no ring of channels");
    }
    std::vector<std::uint32_t> order;
    for (std::uint32_t at = 0; at < p_; at += 2) order.push_back(at);
    for (std::uint32_t at = p_ / 2; at-- > 0;) order.push_back(2 * at + 1);
    return order;
}

/// Section 4.1, model 1. The informed nodes are an interval; each informs one more.
LineSteps HowLine::broadcast_by_doubling(std::uint32_t root) const {
    LineSteps steps;
    std::uint32_t low = root;
    std::uint32_t high = root;
    while (high - low + 1 < p_) {
        const std::uint32_t informed = high - low + 1;
        const std::uint32_t right = std::min(w_, p_ - 1 - high);
        const std::uint32_t left = std::min(w_, low);
        // If not all can be reached both sides get their share.
        std::uint32_t to_right = std::min(informed, right);
        if (informed < left + right) {
            to_right = (informed * right + (left + right) - 1) / (left + right);
        }
        const std::uint32_t to_left = std::min(informed - to_right, left);
        LineStep step;
        for (std::uint32_t i = 0; i < to_right; ++i) {
            step.push_back({high - i, high - i + to_right, root});
        }
        for (std::uint32_t i = 0; i < to_left; ++i) {
            step.push_back({low + i, low + i - to_left, root});
        }
        steps.push_back(std::move(step));
        high += to_right;
        low -= to_left;
    }
    return steps;
}

/// Models 2 and 3: the outermost informed nodes send to the whole window.
LineSteps HowLine::broadcast_by_windows(std::uint32_t root) const {
    LineSteps steps;
    std::uint32_t low = root;
    std::uint32_t high = root;
    while (low > 0 || high + 1 < p_) {
        LineStep step;
        for (std::uint32_t i = 1; i <= w_ && high + i < p_; ++i) {
            step.push_back({high, high + i, root});
        }
        for (std::uint32_t i = 1; i <= w_ && i <= low; ++i) step.push_back({low, low - i, root});
        steps.push_back(std::move(step));
        high = std::min(high + w_, p_ - 1);
        low -= std::min(low, w_);
    }
    return steps;
}

/// Section 4.2, model 1.
LineSteps HowLine::all_to_all_ring() const {
    const std::vector<std::uint32_t> order = ring();
    LineSteps steps;
    for (std::uint32_t k = 0; k + 1 < p_; ++k) {
        LineStep step;
        for (std::uint32_t i = 0; i < p_; ++i) {
            step.push_back({order[i], order[(i + 1) % p_], order[(i + p_ - k) % p_]});
        }
        steps.push_back(std::move(step));
    }
    return steps;
}

/// Models 2 and 3. In stage i a node passes on the values from i windows away, in one step, or in
/// two if it would send different values to both sides and may not.
LineSteps HowLine::all_to_all_windows(bool independent) const {
    LineSteps steps;
    const auto add = [&](LineStep& step, std::uint32_t at, bool right, std::uint32_t source) {
        for (std::uint32_t i = 1; i <= w_; ++i) {
            if (right && at + i < p_) step.push_back({at, at + i, source});
            if (!right && i <= at) step.push_back({at, at - i, source});
        }
    };
    for (std::uint32_t behind = 0; behind + 1 < p_; behind += w_) {
        LineStep rightwards;
        LineStep leftwards;
        for (std::uint32_t at = behind; at + 1 < p_; ++at) {
            add(rightwards, at, true, at - behind);
        }
        for (std::uint32_t at = 1; at + behind < p_; ++at) {
            add(leftwards, at, false, at + behind);
        }
        const bool meet = behind != 0 && 2 * behind <= p_ - 1;
        if (!meet || independent) {
            rightwards.insert(rightwards.end(), leftwards.begin(), leftwards.end());
            steps.push_back(std::move(rightwards));
        } else {
            steps.push_back(std::move(rightwards));
            steps.push_back(std::move(leftwards));
        }
    }
    return steps;
}

/// Section 4.3, models 1 and 2: the shorter way round a ring, one side after the other, furthest
/// first.
LineSteps HowLine::scatter_ring(std::uint32_t root) const {
    const std::vector<std::uint32_t> order = ring();
    const auto start =
        static_cast<std::uint32_t>(std::find(order.begin(), order.end(), root) - order.begin());
    LineSteps steps;
    std::size_t first = 0;
    for (const bool backwards : {true, false}) {
        for (std::uint32_t hops = backwards ? p_ / 2 : (p_ - 1) / 2; hops > 0; --hops, ++first) {
            const auto place = [&](std::uint32_t hop) {
                return order[(start + (backwards ? p_ - hop : hop)) % p_];
            };
            for (std::uint32_t hop = 0; hop < hops; ++hop) {
                step_of(steps, first + hop)
                    .push_back({place(hop), place(hop + 1), root, place(hops)});
            }
        }
    }
    return steps;
}

/// Model 3: windows of destinations, the furthest first; the first hop spreads a window over
/// the channels, later hops are as long as possible. Less than a window goes straight.
LineSteps HowLine::scatter_by_windows(std::uint32_t root) const {
    LineSteps steps;
    for (const bool left : {false, true}) {
        const std::uint32_t count = left ? root : p_ - 1 - root;
        const auto place = [&](std::uint32_t distance) {
            return left ? root - distance : root + distance;
        };
        std::size_t first = 0;
        for (std::uint32_t end = count; end > 0; ++first) {
            const std::uint32_t window = std::min(end, w_);
            for (std::uint32_t k = 0; k < window; ++k) {
                const std::uint32_t target = end - k;
                std::uint32_t at = 0;
                std::uint32_t next = window - k;  // channels 1 to window
                for (std::size_t step = first; at != target; ++step) {
                    step_of(steps, step).push_back({place(at), place(next), root, place(target)});
                    at = next;
                    next = std::min(at + w_, target);
                }
            }
            end -= window;
        }
    }
    return steps;
}

/// Section 4.4, models 1 and 2: all nodes send to the node i places on in the ring, then to the
/// one i places back.
LineSteps HowLine::exchange_ring() const {
    const std::vector<std::uint32_t> order = ring();
    LineSteps steps;
    for (std::uint32_t distance = 1; 2 * distance <= p_; ++distance) {
        for (const bool backwards : {false, true}) {
            if (backwards && 2 * distance == p_) continue;
            const std::uint32_t hop = backwards ? p_ - 1 : 1;
            for (std::uint32_t k = 0; k < distance; ++k) {
                LineStep step;
                for (std::uint32_t i = 0; i < p_; ++i) {
                    const std::uint32_t at = (i + k * hop) % p_;
                    step.push_back({order[at], order[(at + hop) % p_], order[i],
                                    order[(i + distance * hop) % p_]});
                }
                steps.push_back(std::move(step));
            }
        }
    }
    return steps;
}

/// Model 3: near messages go straight, others first to the relay line of their destination,
/// the nodes that are whole windows apart from it; then along that, the furthest first.
LineSteps HowLine::exchange_over_relay_lines() const {
    struct Waiting {
        std::uint32_t source;
        std::uint32_t destination;
    };
    LineSteps steps;
    std::vector<std::vector<Waiting>> on_relay_line[2];  // to the right, to the left; per position
    for (auto& side : on_relay_line) side.resize(p_);
    for (std::uint32_t s = 0; s < p_; ++s) {
        std::vector<std::size_t> used(2 * w_ + 1, 0);  // per channel: steps that are taken
        for (std::uint32_t far = p_; far-- > 1;) {
            for (const bool left : {false, true}) {
                if (left ? far > s : s + far >= p_) continue;
                const std::uint32_t hop = far <= w_ ? far : far % w_;
                const std::uint32_t d = left ? s - far : s + far;
                const std::uint32_t at = left ? s - hop : s + hop;
                if (hop != 0) {
                    step_of(steps, used[left ? w_ - hop : w_ + hop]++).push_back({s, at, s, d});
                }
                if (at != d) on_relay_line[left ? 1 : 0][at].push_back({s, d});
            }
        }
    }
    for (bool some = true; some;) {
        some = false;
        LineStep step;
        std::vector<std::pair<std::uint32_t, Waiting>> arrived[2];
        for (const bool left : {false, true}) {
            for (std::uint32_t at = 0; at < p_; ++at) {
                std::vector<Waiting>& queue = on_relay_line[left ? 1 : 0][at];
                if (queue.empty()) continue;
                const auto furthest = std::max_element(
                    queue.begin(), queue.end(), [left](const Waiting& a, const Waiting& b) {
                        return left ? a.destination > b.destination : a.destination < b.destination;
                    });
                const std::uint32_t next = left ? at - w_ : at + w_;
                step.push_back({at, next, furthest->source, furthest->destination});
                if (next != furthest->destination) {
                    arrived[left ? 1 : 0].emplace_back(next, *furthest);
                }
                queue.erase(furthest);
            }
            for (const auto& [at, waiting] : arrived[left ? 1 : 0]) {
                on_relay_line[left ? 1 : 0][at].push_back(waiting);
            }
        }
        some = !step.empty();
        if (some) steps.push_back(std::move(step));
    }
    return steps;
}

}  // namespace flitscope
