// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/energy/gate_netlist.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "models/base/trimmed.h"
#include "models/base/words.h"
#include "testbench/app/gate_synthesis/clock_gate_cell.h"
#include "testbench/app/gate_synthesis/liberty.h"

namespace flitscope {
namespace {

CellModel clock_gate_model(const ClockGateCell& gate) {
    CellModel model;
    model.name = gate.name;
    model.inputs = {gate.clock, gate.enable};
    for (const auto& [pin, value] : gate.tied) model.inputs.push_back(pin);
    model.outputs = {gate.output};
    model.functions.emplace_back(gate.enable, model.inputs);
    model.is_clock_gate = true;
    model.tied = gate.tied;
    return model;
}

/// The model of a cell; false if it cannot be simulated.
bool read_cell_model(const LibertyGroup& cell, CellModel& model) {
    if (const auto gate = clock_gate_cell(cell)) {
        model = clock_gate_model(*gate);
        return true;
    }
    model.name = cell.argument;
    std::vector<const LibertyGroup*> outputs;
    for (const LibertyGroup& pin : cell.groups) {
        if (pin.name != "pin") continue;
        if (pin.attribute("direction") == "input") model.inputs.push_back(pin.argument);
        if (pin.attribute("direction") == "inout") return false;
        if (pin.attribute("direction") != "output") continue;
        if (!pin.attribute("three_state").empty()) return false;
        outputs.push_back(&pin);
    }
    std::vector<std::string> operands = model.inputs;
    for (const LibertyGroup& group : cell.groups) {
        if (group.name == "latch" || group.name == "statetable") return false;
        if (group.name != "ff") continue;
        const std::string on = group.attribute("clocked_on");
        const auto found = std::find(model.inputs.begin(), model.inputs.end(), trimmed(on));
        const std::vector<std::string> state = words_of(group.argument, ", \t\r\n\v\f");
        if (model.is_flip_flop || found == model.inputs.end() || state.size() != 2) return false;
        model.as_register = register_cell(cell);
        if (!group.attribute("clear").empty() || !group.attribute("preset").empty()) {
            if (!model.as_register) return false;
            model.tied = model.as_register->tied;
        }
        std::rotate(model.inputs.begin(), found, found + 1);
        operands = model.inputs;
        operands.insert(operands.end(), state.begin(), state.end());
        model.is_flip_flop = true;
        model.next = CellFunction(group.attribute("next_state"), operands);
    }
    for (const LibertyGroup* const pin : outputs) {
        model.outputs.push_back(pin->argument);
        model.functions.emplace_back(pin->attribute("function"), operands);
    }
    return !model.outputs.empty();
}

/// More than any router has.
constexpr NetId kMostNets = 1U << 26;

/// Names, numbers such as 4'b0101, and signs. A name with a backslash ends at a blank and is never
/// split; `[3]` and `[3:0]` after a name are separate tokens.
class NetlistTokens {
public:
    explicit NetlistTokens(const std::string& text) : text_(text) { next(); }

    const std::string& word() const { return word_; }
    bool is(const char* word) const { return word_ == word; }
    bool is_end() const { return word_.empty(); }
    std::string take() {
        if (is_end()) fail();
        std::string word = std::move(word_);
        next();
        return word;
    }
    void take(const char* word) {
        if (!is(word)) fail();
        next();
    }
    [[noreturn]] void fail() const {
        const auto line =
            std::count(text_.begin(), text_.begin() + static_cast<long>(begin_), '\n');
        throw std::runtime_error(
            fmt::format("line {} of the netlist is not understood, at '{}'", line + 1, word_));
    }

private:
    static bool is_in_word(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
               c == '\'';
    }
    void next() {
        word_.clear();
        skip_blanks();
        begin_ = at_;
        if (at_ == text_.size()) return;
        if (text_[at_] == '\\') {
            while (at_ < text_.size() &&
                   std::isspace(static_cast<unsigned char>(text_[at_])) == 0) {
                word_ += text_[at_++];
            }
        } else if (is_in_word(text_[at_])) {
            while (at_ < text_.size() && is_in_word(text_[at_])) word_ += text_[at_++];
        } else {
            word_ = text_[at_++];
        }
    }
    void skip_blanks() {
        while (at_ < text_.size()) {
            if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
                ++at_;
            } else if (text_.compare(at_, 2, "/*") == 0 || text_.compare(at_, 2, "(*") == 0) {
                const std::size_t end = text_.find(text_[at_] == '/' ? "*/" : "*)", at_ + 2);
                at_ = end == std::string::npos ? text_.size() : end + 2;
            } else if (text_.compare(at_, 2, "//") == 0) {
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
            } else {
                return;
            }
        }
    }

    const std::string& text_;
    std::size_t at_ = 0;
    std::size_t begin_ = 0;  // start of the word
    std::string word_;
};

class NetlistParser {
public:
    NetlistParser(const std::string& text, const std::map<std::string, CellModel>& models)
        : tokens_(text), models_(models) {
        tokens_.take("module");
        netlist_.top = tokens_.take();
        while (!tokens_.is(";")) tokens_.take();
        tokens_.take(";");
        while (!tokens_.is("endmodule")) read_item();
        tokens_.take("endmodule");
        if (!tokens_.is_end()) tokens_.fail();
        join_assigned();
    }
    GateNetlist result() { return std::move(netlist_); }

private:
    struct Signal {
        int low = 0;
        std::vector<NetId> bits;
    };

    void read_item() {
        if (tokens_.is("input") || tokens_.is("output") || tokens_.is("wire")) {
            const bool is_input = tokens_.is("input");
            const bool is_pin = is_input || tokens_.is("output");
            tokens_.take();
            declare(is_pin, is_input);
        } else if (tokens_.is("assign")) {
            tokens_.take("assign");
            const std::vector<NetId> left = read_nets();
            tokens_.take("=");
            const std::vector<NetId> right = read_nets();
            if (left.size() != right.size()) tokens_.fail();
            for (std::size_t i = 0; i < left.size(); ++i) assigned_[left[i]] = right[i];
            tokens_.take(";");
        } else {
            read_cell();
        }
    }
    void declare(bool is_pin, bool is_input) {
        int high = 0;
        int low = 0;
        if (tokens_.is("[")) {
            tokens_.take("[");
            high = number();
            tokens_.take(":");
            low = number();
            tokens_.take("]");
        }
        const std::string name = tokens_.take();
        tokens_.take(";");
        if (high < low || netlist_.nets > kMostNets) tokens_.fail();
        auto [signal, is_new] = signals_.try_emplace(name);
        if (is_new) {
            signal->second.low = low;
            for (int i = low; i <= high; ++i) signal->second.bits.push_back(netlist_.nets++);
        }
        if (is_pin) netlist_.ports[name] = {is_input, signal->second.bits};
    }
    void read_cell() {
        const std::string type = tokens_.take();
        const auto model = models_.find(type);
        if (model == models_.end()) {
            throw std::runtime_error(fmt::format(
                "gates cannot be simulated with the cell {}: it has no function in the library, or "
                "is a latch or a flip-flop of the falling edge",
                type));
        }
        GateNetlist::Cell cell;
        cell.name = tokens_.take();
        cell.model = &model->second;
        cell.inputs.resize(model->second.inputs.size(), GateNetlist::kZero);
        cell.outputs.resize(model->second.outputs.size(), GateNetlist::kZero);
        tokens_.take("(");
        while (!tokens_.is(")")) {
            tokens_.take(".");
            const std::string pin = tokens_.take();
            tokens_.take("(");
            if (!tokens_.is(")")) connect(cell, pin, read_nets());
            tokens_.take(")");
            if (tokens_.is(",")) tokens_.take(",");
        }
        tokens_.take(")");
        tokens_.take(";");
        require_tied(cell);
        netlist_.cells.push_back(std::move(cell));
    }
    static void require_tied(const GateNetlist::Cell& cell) {
        const std::vector<std::string>& pins = cell.model->inputs;
        for (const auto& [pin, value] : cell.model->tied) {
            const auto at = std::find(pins.begin(), pins.end(), pin) - pins.begin();
            const NetId constant = value ? GateNetlist::kOne : GateNetlist::kZero;
            if (cell.inputs[static_cast<std::size_t>(at)] == constant) continue;
            throw std::runtime_error(fmt::format(
                "gates cannot be simulated with the cell {} ({}) unless {} is tied to {:d}",
                cell.name, cell.model->name, pin, value));
        }
    }
    void connect(GateNetlist::Cell& cell, const std::string& pin, const std::vector<NetId>& nets) {
        if (nets.size() != 1) tokens_.fail();
        const auto set = [&](const std::vector<std::string>& pins, std::vector<NetId>& to) {
            const auto found = std::find(pins.begin(), pins.end(), pin);
            if (found == pins.end()) return false;
            to[static_cast<std::size_t>(found - pins.begin())] = nets.front();
            return true;
        };
        if (!set(cell.model->inputs, cell.inputs) && !set(cell.model->outputs, cell.outputs)) {
            tokens_.fail();
        }
    }
    /// A name, a bit or bits of it, a number, or several of these in braces; bit 0 first.
    std::vector<NetId> read_nets(bool is_part = false) {
        if (!is_part && tokens_.is("{")) {
            tokens_.take("{");
            std::vector<NetId> all;
            while (!tokens_.is("}")) {
                const std::vector<NetId> part = read_nets(true);
                all.insert(all.begin(), part.begin(), part.end());
                if (tokens_.is(",")) tokens_.take(",");
            }
            tokens_.take("}");
            return all;
        }
        const std::string name = tokens_.take();
        if (std::isdigit(static_cast<unsigned char>(name[0])) != 0) return constant(name);
        const auto signal = signals_.find(name);
        if (signal == signals_.end()) tokens_.fail();
        const std::vector<NetId>& bits = signal->second.bits;
        if (!tokens_.is("[")) return bits;
        tokens_.take("[");
        const int high = number() - signal->second.low;
        int low = high;
        if (tokens_.is(":")) {
            tokens_.take(":");
            low = number() - signal->second.low;
        }
        tokens_.take("]");
        if (low < 0 || high < low || high >= static_cast<int>(bits.size())) tokens_.fail();
        return {bits.begin() + low, bits.begin() + high + 1};
    }
    /// 4'b01x0, 12'h0a0 or 32'd0: don't-care bits are 0, and so are bits beyond the digits.
    std::vector<NetId> constant(const std::string& text) {
        const std::size_t quote = text.find("'");
        if (quote == std::string::npos || text.size() < quote + 3) tokens_.fail();
        const std::size_t width = quote > 4 ? 0 : std::stoul(text);
        const std::string digits = text.substr(quote + 2);
        switch (text[quote + 1]) {
            case 'b':
                if (width != digits.size()) tokens_.fail();
                return bits_of(digits, 1, width);
            case 'h':
                return bits_of(digits, 4, width);
            case 'd':
                return bits_of(fmt::format("{:x}", decimal(digits)), 4, width);
            default:
                tokens_.fail();
        }
    }
    std::uint64_t decimal(const std::string& digits) {
        constexpr std::size_t kMostDigits = 18;  // of 64 bits
        if (digits.find_first_not_of("0123456789") != std::string::npos) tokens_.fail();
        if (digits.size() > kMostDigits) tokens_.fail();
        return std::stoull(digits);
    }
    std::vector<NetId> bits_of(const std::string& digits, std::size_t each, std::size_t width) {
        if (width == 0) tokens_.fail();
        std::vector<NetId> bits(width, GateNetlist::kZero);
        for (std::size_t i = 0; i < digits.size(); ++i) {
            const char digit = digits[digits.size() - 1 - i];
            if (each == 1 && digit == 'x') continue;
            if (std::isxdigit(static_cast<unsigned char>(digit)) == 0) tokens_.fail();
            const int value = std::stoi(std::string(1, digit), nullptr, 16);
            if (value >= 1 << each) tokens_.fail();
            for (std::size_t bit = 0; bit < each; ++bit) {
                const std::size_t place = each * i + bit;
                if ((value >> bit & 1) != 0 && place < width) bits[place] = GateNetlist::kOne;
            }
        }
        return bits;
    }
    int number() {
        const std::string text = tokens_.take();
        if (text.find_first_not_of("0123456789") != std::string::npos || text.size() > 6) {
            tokens_.fail();
        }
        return std::stoi(text);
    }
    /// Nets that are assigned are other names of what is assigned to them.
    void join_assigned() {
        if (assigned_.empty()) return;
        const auto root = [this](NetId net) {
            for (std::size_t hops = 0; hops <= assigned_.size(); ++hops) {
                const auto found = assigned_.find(net);
                if (found == assigned_.end()) return net;
                net = found->second;
            }
            throw std::runtime_error("the netlist has a combinational loop of assignments");
        };
        for (auto& [name, port] : netlist_.ports) {
            for (NetId& net : port.bits) net = root(net);
        }
        for (GateNetlist::Cell& cell : netlist_.cells) {
            for (NetId& net : cell.inputs) net = root(net);
        }
    }

    NetlistTokens tokens_;
    const std::map<std::string, CellModel>& models_;
    GateNetlist netlist_;
    std::unordered_map<std::string, Signal> signals_;
    std::unordered_map<NetId, NetId> assigned_;
};

}  // namespace

std::map<std::string, CellModel> read_cell_models(const std::string& liberty,
                                                  const std::string& source) {
    std::map<std::string, CellModel> models;
    const LibertyGroup library = parse_liberty(liberty, source);
    for (const LibertyGroup& cell : library.groups) {
        if (cell.name != "cell") continue;
        CellModel model;
        try {
            if (read_cell_model(cell, model)) models.emplace(model.name, std::move(model));
        } catch (const std::invalid_argument&) {
            continue;  // an output without a function: only a netlist with the cell misses it
        }
    }
    return models;
}

const std::vector<NetId>& GateNetlist::port(const std::string& name) const {
    const auto found = ports.find(name);
    if (found == ports.end()) {
        throw std::runtime_error(fmt::format("the netlist has no port '{}'", name));
    }
    return found->second.bits;
}

GateNetlist parse_netlist(const std::string& text, const std::map<std::string, CellModel>& models) {
    return NetlistParser(text, models).result();
}

}  // namespace flitscope
