// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/energy/gate_simulation.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace flitscope {
namespace {

/// Pins of a cell, its state and the inverse of that.
constexpr std::size_t kMostOperands = 32;

}  // namespace

GateSimulation::GateSimulation(const GateNetlist& netlist)
    : netlist_(netlist),
      values_(netlist.nets, 0),
      before_(netlist.nets, 0),
      changes_(netlist.nets, 0),
      highs_(netlist.nets, 0) {
    values_[GateNetlist::kOne] = before_[GateNetlist::kOne] = ~std::uint64_t{0};
    // The gates that read each net, and the number of inputs that each gate waits for.
    std::vector<std::vector<std::uint32_t>> readers(netlist.nets);
    std::vector<char> is_driven(netlist.nets, 0);
    std::vector<std::uint32_t> waits_for(netlist.cells.size(), 0);
    std::vector<const GateNetlist::Cell*> ready;
    for (const GateNetlist::Cell& cell : netlist.cells) {
        if (cell.inputs.size() + 2 > kMostOperands) {
            throw std::runtime_error("a cell of the library has too many pins to be simulated");
        }
        for (const NetId net : cell.outputs) {
            if (net == GateNetlist::kZero) continue;
            if (is_driven[net] != 0) throw std::runtime_error("two cells drive the same net");
            is_driven[net] = cell.model->is_flip_flop ? 1 : 2;
        }
        if (cell.model->is_flip_flop) flip_flops_.push_back(&cell);
    }
    for (std::uint32_t i = 0; i < netlist.cells.size(); ++i) {
        const GateNetlist::Cell& cell = netlist.cells[i];
        if (cell.model->is_flip_flop) continue;
        for (const NetId net : cell.inputs) {
            if (is_driven[net] != 2) continue;
            readers[net].push_back(i);
            ++waits_for[i];
        }
        if (waits_for[i] == 0) gates_.push_back(&cell);
    }
    for (std::size_t done = 0; done < gates_.size(); ++done) {
        for (const NetId net : gates_[done]->outputs) {
            for (const std::uint32_t reader : readers[net]) {
                if (--waits_for[reader] == 0) gates_.push_back(&netlist.cells[reader]);
            }
        }
    }
    if (gates_.size() + flip_flops_.size() != netlist.cells.size()) {
        throw std::runtime_error("the netlist has a combinational loop of gates");
    }
    state_.resize(flip_flops_.size(), 0);
    find_clocks();
}

void GateSimulation::find_clocks() {
    is_gated_clock_.resize(netlist_.nets, 0);
    std::vector<char> is_driven(netlist_.nets, 0);
    for (const GateNetlist::Cell& cell : netlist_.cells) {
        for (const NetId net : cell.outputs) is_driven[net] = 1;
        if (cell.model->is_clock_gate) is_gated_clock_[cell.outputs.front()] = 1;
    }
    for (const GateNetlist::Cell& cell : netlist_.cells) {
        if (!cell.model->is_flip_flop && !cell.model->is_clock_gate) continue;
        const NetId clock = cell.inputs.front();
        const bool is_gated = is_gated_clock_[clock] != 0;
        if (is_driven[clock] != 0 && (!is_gated || cell.model->is_clock_gate)) {
            throw std::runtime_error("the clock of " + cell.name + " comes through other gates");
        }
        if (cell.model->is_flip_flop) opens_.push_back(is_gated ? clock : GateNetlist::kOne);
    }
}

void GateSimulation::evaluate(const GateNetlist::Cell& cell, const std::uint64_t* operands) {
    for (std::size_t o = 0; o < cell.outputs.size(); ++o) {
        if (cell.outputs[o] == GateNetlist::kZero) continue;
        values_[cell.outputs[o]] = cell.model->functions[o].evaluate(operands);
    }
}

void GateSimulation::take_operands(std::size_t flip_flop, std::uint64_t* operands) const {
    const GateNetlist::Cell& cell = *flip_flops_[flip_flop];
    const std::size_t pins = cell.inputs.size();
    for (std::size_t i = 0; i < pins; ++i) operands[i] = values_[cell.inputs[i]];
    operands[pins] = state_[flip_flop];
    operands[pins + 1] = ~state_[flip_flop];
}

void GateSimulation::settle() {
    std::array<std::uint64_t, kMostOperands> operands;
    for (std::size_t f = 0; f < flip_flops_.size(); ++f) {
        take_operands(f, operands.data());
        evaluate(*flip_flops_[f], operands.data());
    }
    for (const GateNetlist::Cell* const cell : gates_) {
        for (std::size_t i = 0; i < cell->inputs.size(); ++i) {
            operands[i] = values_[cell->inputs[i]];
        }
        evaluate(*cell, operands.data());
    }
}

void GateSimulation::count() {
    for (NetId net = 0; net < netlist_.nets; ++net) {
        changes_[net] += ones(values_[net] ^ before_[net]);
        highs_[net] += ones(values_[net]);
    }
    before_ = values_;
    ++cycles_;
}

void GateSimulation::edge() {
    std::array<std::uint64_t, kMostOperands> operands;
    for (std::size_t f = 0; f < flip_flops_.size(); ++f) {
        take_operands(f, operands.data());
        const std::uint64_t opens = values_[opens_[f]];
        const std::uint64_t next = flip_flops_[f]->model->next.evaluate(operands.data());
        state_[f] = (next & opens) | (state_[f] & ~opens);
    }
}

void GateSimulation::restart_counts() {
    before_ = values_;
    std::fill(changes_.begin(), changes_.end(), 0);
    std::fill(highs_.begin(), highs_.end(), 0);
    cycles_ = 0;
}

double GateSimulation::activity(NetId net) const {
    if (is_gated_clock_[net] != 0) return 2 * high(net);
    return static_cast<double>(changes_[net]) / static_cast<double>(cycles_ * kRuns);
}

double GateSimulation::duty(NetId net) const {
    return is_gated_clock_[net] != 0 ? high(net) / 2 : high(net);
}

double GateSimulation::high(NetId net) const {
    return static_cast<double>(highs_[net]) / static_cast<double>(cycles_ * kRuns);
}

}  // namespace flitscope
