// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes what a verilated router does on random traffic, pins by cycle, for the comparison with its
// netlist of gates (netlist_bench.v).
//
// usage: rtl_vectors VARIANT CYCLES SEED. One line of hexadecimal digits per cycle on standard
// output: inputs, then outputs, each field of netlist_bench.v from the left.
#include <fmt/format.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "hw/verilated/rtl_routers.h"
#include "models/base/powers_of_two.h"
#include "testbench/verification/tests/support/rtl_machines.h"

namespace flitscope {
namespace {

/// Bits from the left, written as hexadecimal digits, padded on the left to whole digits.
class BitLine {
public:
    /// The `width` lowest bits of `value`, the highest of them first.
    void put(std::uint64_t value, std::uint32_t width) {
        for (std::uint32_t bit = width; bit-- > 0;) bits_ += (value >> bit & 1) != 0 ? '1' : '0';
    }
    std::string hex() const {
        std::string padded(std::size_t{(4 - bits_.size() % 4) % 4}, '0');
        padded += bits_;
        std::string digits;
        for (std::size_t i = 0; i < padded.size(); i += 4) {
            digits += "0123456789abcdef"[std::stoul(padded.substr(i, 4), nullptr, 2)];
        }
        return digits;
    }

private:
    std::string bits_;
};

/// Any port, on some of the virtual channels.
class SpreadRouting final : public Routing {
public:
    SpreadRouting(const Graph& graph, std::uint32_t vcs)
        : Routing(graph.shared_places()), ports_(graph.port_count()), vcs_(vcs) {}
    std::string name() const override { return "spread"; }
    RouteChoice hop(RouterId, NodeId destination) const override {
        return {destination % ports_, static_cast<VcMask>(1 + destination % ((1U << vcs_) - 1))};
    }

private:
    PortId ports_;
    std::uint32_t vcs_;
};

class Driver {
public:
    Driver(const hw::RtlVariant& variant, std::uint64_t seed)
        : variant_(variant),
          random_(seed),
          graph_("custom", {variant.table_entries}, variant.ports),
          routing_(graph_, variant.virtual_channels),
          routers_(router_config_for(variant), graph_, routing_),
          model_(routers_.create(RouterId(0), false, {})),
          inputs_(std::size_t{variant.ports} * variant.virtual_channels),
          outputs_(inputs_.size()) {
        for (Input& input : inputs_) input.credits = variant.depth;
    }

    std::string cycle() {
        model_->edge(pins_);
        take();
        feed();
        BitLine line;
        put_side(line, pins_.in);
        put_side(line, pins_.out);
        return line.hex();
    }
    /// The table as the bench loads it: per destination port and virtual channels.
    std::string table() const {
        BitLine line;
        for (NodeId node = variant_.table_entries; node-- > 0;) {
            const RouteChoice choice = routing_.route(RouterId(0), node);
            line.put(choice.port, index_bits(variant_.ports));
            line.put(choice.virtual_channels, variant_.virtual_channels);
        }
        return line.hex();
    }

private:
    struct Input {
        std::uint32_t credits = 0;
        std::uint32_t returned =
            0;                   // credits at the pins in this cycle, spent from the next one on
        std::uint32_t left = 0;  // flits of the packet that are to come
    };

    /// Credits of flits that the router popped, flits that it sent.
    void take() {
        for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
            inputs_[i].credits += inputs_[i].returned;
            inputs_[i].returned = pins_.out.credits.test(i) ? 1 : 0;
        }
        for (PortId port = 0; port < variant_.ports; ++port) {
            if (!pins_.out.flit_valid.test(port)) continue;
            ++outputs_[port * variant_.virtual_channels + pins_.out.flits[port].vc];
        }
    }

    void feed() {
        pins_.in.flit_valid = {};
        pins_.in.credits = {};
        for (PortId port = 0; port < variant_.ports; ++port) {
            const auto vc = static_cast<std::uint32_t>(random_() % variant_.virtual_channels);
            Input& input = inputs_[port * variant_.virtual_channels + vc];
            if (random_() % 4 != 0 && input.credits != 0) {
                hw::RtlPins::FlitPin& pin = pins_.in.flits[port];
                pin.vc = vc;
                pin.flit.head = input.left == 0;
                if (pin.flit.head) input.left = 1 + static_cast<std::uint32_t>(random_() % 6);
                pin.flit.tail = --input.left == 0;
                pin.flit.word = random_();
                --input.credits;
                pins_.in.flit_valid.set(port);
            }
            // The other end gives a place back now and then.
            const auto back = static_cast<std::uint32_t>(random_() % variant_.virtual_channels);
            const std::uint32_t o = port * variant_.virtual_channels + back;
            if (outputs_[o] != 0 && random_() % 3 != 0) {
                --outputs_[o];
                pins_.in.credits.set(o);
            }
        }
    }

    void put_side(BitLine& line, const hw::RtlPins::Side& side) const {
        const PortId ports = variant_.ports;
        line.put(side.flit_valid.word(0), ports);
        for (PortId p = ports; p-- > 0;) {
            line.put(side.flits[p].vc, index_bits(variant_.virtual_channels));
        }
        for (PortId p = ports; p-- > 0;) line.put(side.flits[p].flit.head ? 1 : 0, 1);
        for (PortId p = ports; p-- > 0;) line.put(side.flits[p].flit.tail ? 1 : 0, 1);
        for (PortId p = ports; p-- > 0;) line.put(side.flits[p].flit.word, variant_.flit_bits);
        line.put(side.credits.word(0), static_cast<std::uint32_t>(inputs_.size()));
    }

    hw::RtlVariant variant_;
    std::mt19937_64 random_;
    Graph graph_;
    SpreadRouting routing_;
    hw::RtlRouters routers_;
    std::unique_ptr<hw::RtlModel> model_;
    hw::RtlPins pins_;
    std::vector<Input> inputs_;
    std::vector<std::uint32_t> outputs_;  // flits at the other end of each output virtual channel
};

}  // namespace
}  // namespace flitscope

extern "C" int sc_main(int, char**) { return 0; }  // libsystemc refers to it

int main(int argc, char** argv) {
    if (argc != 4) {
        std::cerr << "usage: rtl_vectors VARIANT CYCLES SEED\n";
        return 2;
    }
    const auto variant = flitscope::hw::parse_rtl_variant(argv[1]);
    if (!variant || variant->flit_bits != 64 || variant->table_entries == 0) {
        std::cerr << "rtl_vectors: takes variants with 64-bit flits and a table\n";
        return 2;
    }
    flitscope::Driver driver(*variant, std::stoull(argv[3]));
    std::cout << driver.table() << '\n';
    for (unsigned long i = 0; i < std::stoul(argv[2]); ++i) std::cout << driver.cycle() << '\n';
}
