// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/register_cell.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>

#include "models/base/words.h"
#include "testbench/app/gate_synthesis/cell_function.h"

namespace flitscope {
namespace {

/// All ways to tie those beside the clock are tried.
constexpr std::size_t kMostInputs = 12;

// The values of one input, and of the state, in the four cases that matter.
constexpr std::uint64_t kInput = 0b1010;
constexpr std::uint64_t kState = 0b1100;
constexpr std::uint64_t kCases = 0b1111;

/// Data first, pins of a scan chain and of controls last: with ties some of these would do as well,
/// but the cell was not made for it.
int rank(const LibertyGroup& pin) {
    const std::string type = pin.attribute("nextstate_type");
    if (type == "data") return 0;
    return type.empty() && pin.attribute("signal_type").empty() ? 1 : 2;
}

/// A cell with one flip-flop.
class FlipFlop {
public:
    /// Throws std::invalid_argument for a function that is none.
    FlipFlop(const LibertyGroup& cell, const LibertyGroup& ff) : ff_(ff) {
        for (const LibertyGroup& pin : cell.groups) {
            if (pin.name != "pin") continue;
            if (pin.attribute("direction") == "output") outputs_.push_back(&pin);
            if (pin.attribute("direction") == "input") inputs_.push_back(&pin);
        }
        std::stable_sort(inputs_.begin(), inputs_.end(),
                         [](const auto* a, const auto* b) { return rank(*a) < rank(*b); });
        for (const LibertyGroup* const pin : inputs_) operands_.push_back(pin->argument);
        const std::vector<std::string> state = words_of(ff.argument, ", \t\r\n\v\f");
        constexpr std::size_t kStateAndInverse = 2;
        if (state.size() != kStateAndInverse) throw std::invalid_argument("no state");
        operands_.insert(operands_.end(), state.begin(), state.end());
        next_ = function("next_state");
        clear_ = function("clear");
        preset_ = function("preset");
    }

    std::optional<RegisterCell> as_register(const std::string& name) {
        const bool has_clock = find_clock();
        const LibertyGroup* const output = find_output();
        if (!has_clock || output == nullptr || !ff_.attribute("clocked_on_also").empty()) {
            return std::nullopt;
        }
        for (const bool inverts : {false, true}) {
            for (std::size_t input = 0; input < inputs_.size(); ++input) {
                if (input == clock_ || !tie_all_but(input, inverts)) continue;
                RegisterCell cell{name,
                                  operands_[clock_],
                                  operands_[input],
                                  output->argument,
                                  inverts != output_is_inverse_,
                                  {},
                                  false};
                for (std::size_t i = 0; i < inputs_.size(); ++i) {
                    if (i != clock_ && i != input) cell.tied.emplace_back(operands_[i], ties_[i]);
                }
                cell.is_known_to_yosys =
                    is_pin("next_state") && pins_of_clear_and_preset() == cell.tied.size();
                return cell;
            }
        }
        return std::nullopt;
    }

private:
    CellFunction function(const char* attribute) const {
        const std::string text = ff_.attribute(attribute);
        return {text.empty() ? "0" : text, operands_};
    }
    /// The function in the cases that matter.
    static std::uint64_t evaluated(const CellFunction& function,
                                   const std::vector<std::uint64_t>& values) {
        return function.evaluate(values.data()) & kCases;
    }
    /// Whether a function is a pin, as it is.
    bool is_pin(const char* attribute) const {
        const std::string pin = unbracketed(ff_.attribute(attribute));
        return std::find(operands_.begin(), operands_.end(), pin) != operands_.end();
    }
    static std::string unbracketed(const std::string& text) {
        std::string word;
        for (const char c : text) {
            if (c != '(' && c != ')' && c != ' ') word += c;
        }
        return word;
    }
    /// Pins that clear and preset are, or the inverses of.
    std::size_t pins_of_clear_and_preset() const {
        std::size_t pins = 0;
        for (const char* const attribute : {"clear", "preset"}) {
            std::string pin = unbracketed(ff_.attribute(attribute));
            pin.erase(std::remove_if(pin.begin(), pin.end(),
                                     [](char c) { return c == '!' || c == '\''; }),
                      pin.end());
            pins += std::find(operands_.begin(), operands_.end(), pin) != operands_.end() ? 1 : 0;
        }
        return pins;
    }
    bool find_clock() {
        const std::string clock = unbracketed(ff_.attribute("clocked_on"));
        const auto end = operands_.begin() + static_cast<std::ptrdiff_t>(inputs_.size());
        const auto found = std::find(operands_.begin(), end, clock);
        clock_ = static_cast<std::size_t>(found - operands_.begin());
        return found != end;
    }
    /// The first output that is the state; else the first that is its inverse.
    const LibertyGroup* find_output() {
        for (const bool is_inverse : {false, true}) {
            const std::string& state = operands_[inputs_.size() + (is_inverse ? 1 : 0)];
            for (const LibertyGroup* const pin : outputs_) {
                if (unbracketed(pin->attribute("function")) != state) continue;
                output_is_inverse_ = is_inverse;
                return pin;
            }
        }
        return nullptr;
    }
    /// Finds constants for the other inputs with which the next state is this one, or its inverse,
    /// whatever the state is, and nothing clears or sets it. False if there are none.
    bool tie_all_but(std::size_t input, bool inverts) {
        const std::size_t count = inputs_.size();
        std::vector<std::uint64_t> values(count + 2);
        values[count] = kState;
        values[count + 1] = ~kState;
        for (std::uint32_t way = 0; way < 1U << count; ++way) {
            const bool is_repeated = (way >> input & 1) != 0 || (way >> clock_ & 1) != 0;
            if (is_repeated) continue;
            ties_.clear();
            for (std::size_t i = 0; i < count; ++i) {
                ties_.push_back((way >> i & 1) != 0);
                values[i] = ties_[i] ? ~std::uint64_t{0} : 0;
            }
            values[input] = kInput;
            if (evaluated(clear_, values) != 0 || evaluated(preset_, values) != 0) continue;
            if (evaluated(next_, values) == (inverts ? ~kInput & kCases : kInput)) return true;
        }
        return false;
    }

    const LibertyGroup& ff_;
    std::vector<const LibertyGroup*> inputs_;  // by rank
    std::vector<const LibertyGroup*> outputs_;
    std::vector<std::string> operands_;  // inputs, state and its inverse
    CellFunction next_;
    CellFunction clear_;
    CellFunction preset_;
    std::size_t clock_ = 0;
    bool output_is_inverse_ = false;
    std::vector<bool> ties_;
};

}  // namespace

std::string RegisterCell::tied_text() const {
    std::vector<std::string> parts;
    for (const auto& [pin, value] : tied) parts.push_back(fmt::format("{} {:d}", pin, value));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::optional<RegisterCell> register_cell(const LibertyGroup& cell) {
    const auto is_ff = [](const LibertyGroup& group) { return group.name == "ff"; };
    const auto found = std::find_if(cell.groups.begin(), cell.groups.end(), is_ff);
    const auto is_pin = [](const LibertyGroup& group) {
        return group.name == "pin" && group.attribute("direction") == "input";
    };
    const auto pins = std::count_if(cell.groups.begin(), cell.groups.end(), is_pin);
    if (found == cell.groups.end() || pins > static_cast<std::ptrdiff_t>(kMostInputs) ||
        std::any_of(std::next(found), cell.groups.end(), is_ff)) {
        return std::nullopt;
    }
    try {
        return FlipFlop(cell, *found).as_register(cell.argument);
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

std::string register_map(const RegisterCell& cell) {
    std::string pins = fmt::format(".\\{} (C), .\\{} (D)", cell.clock, cell.input);
    for (const auto& [pin, value] : cell.tied) pins += fmt::format(", .\\{} (1'b{:d})", pin, value);
    std::string text = "module \\$_DFF_P_ (input C, input D, output Q);\n";
    if (cell.inverts) text += "  wire inverse;\n  \\$_NOT_ inverter (.A(inverse), .Y(Q));\n";
    text += fmt::format("  \\{} _TECHMAP_REPLACE_ ({}, .\\{} ({}));\nendmodule\n", cell.name, pins,
                        cell.output, cell.inverts ? "inverse" : "Q");
    return text;
}

}  // namespace flitscope
