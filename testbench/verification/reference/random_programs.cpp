// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/random_programs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/fabric/message.h"
#include "testbench/verification/reference/random_places.h"
#include "traffic/program/transfers.h"

namespace flitscope {
namespace {

/// Lengths of messages, in one of several mixtures per case.
class Sizes {
public:
    Sizes(Draw& draw, std::uint32_t flit_bits, CaseRange range)
        : draw_(draw), flit_bytes_(flit_bits / 8), style_(draw.pick<Style>(styles())) {
        equal_ = whole_flits(draw.between(0, 40));
        if (range == CaseRange::kWide && draw.percent(60)) {
            style_ = draw.pick<Style>({Style::kLogarithmic, Style::kLongOrShort, Style::kEqual});
            equal_ = whole_flits(draw.between(1, 600));
        }
    }

    std::uint64_t bytes() {
        switch (style_) {
            case Style::kEqual:
                return equal_;
            case Style::kTiny:
                return ragged(draw_.between(0, 3));
            case Style::kLogarithmic:  // 0 to 4999 in addition to the header
                return ragged((1U << draw_.between(0, 12)) + draw_.between(0, 900) - 1);
            case Style::kLongOrShort:
                return ragged(draw_.percent(50) ? draw_.between(0, 3) : draw_.between(50, 400));
            case Style::kMixed:
                break;
        }
        if (draw_.percent(8)) return 0;
        if (draw_.percent(3)) return ragged(draw_.between(80, 250));
        return ragged(draw_.between(1, draw_.percent(50) ? 6 : 40));
    }

private:
    enum class Style { kEqual, kTiny, kMixed, kLogarithmic, kLongOrShort };
    static std::vector<Style> styles() {
        return {Style::kEqual, Style::kTiny, Style::kMixed, Style::kMixed};
    }
    std::uint64_t whole_flits(std::uint32_t flits) const {
        return std::uint64_t{flits} * flit_bytes_;
    }
    std::uint64_t ragged(std::uint32_t flits) {
        return flits == 0 ? 0 : whole_flits(flits) - draw_.below(flit_bytes_);
    }

    Draw& draw_;
    std::uint32_t flit_bytes_;
    Style style_;
    std::uint64_t equal_ = 0;
};

/// Fills a program with messages until a budget of flits is spent.
class Traffic {
public:
    Traffic(Draw& draw, const RandomCase& random)
        : draw_(draw),
          format_(random.config.packet_format()),
          sizes_(draw, random.config.fabric.flit_bits, random.range),
          self_percent_(draw.percent(30) ? 10 : 0) {
        program_.nodes = node_count(random);
        const FabricConfig& fabric = random.config.fabric;
        const std::uint32_t round_trip = fabric.router_delay + 2 * fabric.link_delay.cycles;
        // A machine with little buffering spends many cycles per flit; it gets fewer flits.
        slowness_ = std::max(1U, round_trip / fabric.buffer_depth);
        budget_ = draw.between(60, random.range == CaseRange::kWide ? 20'000 : 1500) / slowness_;
        // Every packet that is stored may pause for a hundred cycles, in each router.
        constexpr std::uint64_t kMostStoredPackets = 500;
        if (fabric.stores_packets() && format_.packet_bytes != 0) {
            most_bytes_ = kMostStoredPackets * format_.packet_bytes;
        }
    }

    Program make() {
        switch (draw_.below(6)) {
            case 0:
                timed_uniform();
                break;
            case 1:
                hotspot();
                break;
            case 2:
                permutations();
                break;
            case 3:
            case 4:
                random_steps();
                break;
            default:
                dependent();
                break;
        }
        return std::move(program_);
    }

private:
    NodeId any_node() { return static_cast<NodeId>(draw_.below(program_.nodes)); }
    /// Another node than `source`, or now and then the same.
    NodeId partner(NodeId source) {
        if (program_.nodes == 1 || draw_.percent(self_percent_)) return source;
        const NodeId other = static_cast<NodeId>(draw_.below(program_.nodes - 1));
        return other < source ? other : other + 1;
    }
    /// A transfer so long that it spends the budget.
    Transfer drawn(NodeId source, NodeId destination) {
        Transfer transfer{source, destination, std::min(sizes_.bytes(), most_bytes_)};
        spent_ += format_.message_flits(transfer.bytes);
        return transfer;
    }
    void add(NodeId source, NodeId destination, StepId step = 0) {
        Transfer transfer = drawn(source, destination);
        transfer.step = step;
        program_.transfers.push_back(transfer);
    }
    bool has_budget() const {
        const std::size_t fewest = std::max<std::size_t>(6, program_.nodes);
        return spent_ < budget_ || program_.transfers.size() < fewest;
    }

    /// Release times of a timed program: all at once, spread in order, or spread in any order (the
    /// program order of a node is then not the order of the list).
    void spread_times(bool in_order = false) {
        const std::uint64_t style = in_order ? 1 : draw_.below(3);
        if (style == 0) return;
        const std::uint64_t horizon = 1 + draw_.below(2 * budget_);
        std::vector<Cycle> times;
        for (std::size_t i = 0; i < program_.transfers.size(); ++i) {
            times.push_back(draw_.below(horizon));
        }
        if (style == 1) std::sort(times.begin(), times.end());
        for (std::size_t i = 0; i < times.size(); ++i) {
            program_.transfers.change(i, [&](Transfer& t) { t.time = times[i]; });
        }
    }

    void timed_uniform() {
        program_.name = "uniform";
        program_.ordering = Ordering::kTimed;
        while (has_budget()) {
            const NodeId source = any_node();
            const StepId step = draw_.between(0, 3);
            add(source, partner(source), step);
        }
        spread_times();
    }

    void hotspot() {
        program_.name = "hotspot";
        program_.ordering = Ordering::kTimed;
        const NodeId hot = any_node();
        const std::uint32_t share = draw_.between(50, 100);
        while (has_budget()) {
            const NodeId source = any_node();
            const bool to_hot = draw_.percent(share) && (source != hot || program_.nodes == 1);
            add(source, to_hot ? hot : partner(source));
        }
        spread_times();
    }

    void permutations() {
        program_.name = "permutations";
        draw_barrier();
        std::vector<NodeId> image(program_.nodes);
        for (NodeId node = 0; node < program_.nodes; ++node) image[node] = node;
        StepId step = 0;
        while (has_budget()) {
            draw_.shuffle(image);
            for (NodeId node = 0; node < program_.nodes; ++node) {
                const bool to_self = image[node] == node;
                if (to_self && self_percent_ == 0 && program_.nodes > 1) continue;
                add(node, image[node], step);
            }
            ++step;
        }
    }

    void random_steps() {
        program_.name = "random steps";
        draw_barrier();
        const StepId steps = draw_.between(1, 12);
        const StepId stride = draw_.percent(30) ? 3 : 1;  // leaves steps without any transfer
        while (has_budget()) {
            const NodeId source = any_node();
            const StepId step = stride * draw_.between(0, steps - 1);
            add(source, partner(source), step);
        }
    }

    void dependent() {
        program_.name = "dependent";
        program_.ordering = Ordering::kTimed;
        const std::uint32_t chance = draw_.between(20, 100);
        std::vector<std::vector<MessageId>> received(program_.nodes);
        while (has_budget()) {
            const auto id = static_cast<MessageId>(program_.transfers.size());
            const NodeId source = any_node();
            Transfer transfer = drawn(source, partner(source));
            // Waiting for earlier messages only, a message never waits for itself.
            std::vector<MessageId> candidates = received[source];
            draw_.shuffle(candidates);
            const std::size_t wanted = draw_.percent(chance) ? draw_.between(1, 3) : 0;
            candidates.resize(std::min(candidates.size(), wanted));
            transfer.after = std::move(candidates);
            received[transfer.destination].push_back(id);
            program_.transfers.push_back(transfer);
        }
        if (draw_.percent(30)) spread_times(true);  // else messages might wait in a cycle
    }

    void draw_barrier() {
        program_.ordering = Ordering::kSteps;
        if (draw_.percent(40)) program_.barrier_cycles = draw_.percent(30) ? 0 : draw_.below(40);
    }

    Draw& draw_;
    PacketFormat format_;
    Sizes sizes_;
    std::uint32_t self_percent_;
    std::uint32_t slowness_ = 1;
    std::uint64_t budget_ = 0;
    std::uint64_t most_bytes_ = UINT64_MAX;  ///< of a message
    std::uint64_t spent_ = 0;
    Program program_;
};

}  // namespace

Program random_program(Draw& draw, const RandomCase& random) {
    return Traffic(draw, random).make();
}

}  // namespace flitscope
