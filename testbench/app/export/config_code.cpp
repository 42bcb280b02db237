// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/export/config_code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/config/choices.h"
#include "testbench/app/configuration/configuration.h"
#include "traffic/traces/trace_program.h"

namespace flitscope {
namespace {

constexpr std::size_t kColumns = 100;
constexpr const char* kIndent = "    ";

/// The file of the user that a member names.
struct File {
    std::string name;  ///< in the folder; empty: none
};

/// The name in the folder of the file `path`, which `member` names.
std::string name_in_code(const std::string& member, const std::string& path) {
    static const std::map<std::string, std::string> kNames = {
        {"fabric.topology.file", "graph"},
        {"traffic.program", "program"},
        {"traffic.matrix", "matrix"},
        {"traffic.trace.file", "trace"},
        {"traffic.trace.placement_file", "placement"},
    };
    return kNames.at(member) + std::filesystem::path(path).extension().string();
}

// ---- Values as C++ ------------------------------------------------------------------------------

/// Octal escapes end after three digits, whatever follows them.
std::string literal(const std::string& text) {
    std::string code = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            code += {'\\', c};
        } else if (byte < 0x20 || byte >= 0x7f) {
            code += fmt::format("\\{:03o}", byte);
        } else {
            code += c;
        }
    }
    return code + '"';
}

std::string literal(const File& file) {
    return file.name.empty() ? "\"\"" : "FLITSCOPE_FILES " + literal('/' + file.name);
}

std::string literal(bool value) { return value ? "true" : "false"; }
std::string literal(double value) { return fmt::format("{}", value); }

template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
std::string literal(Integer value) {
    if (std::uint64_t{value} == kNever) return "flitscope::kNever";
    return fmt::format("{}{}", value, std::uint64_t{value} > INT64_MAX ? "U" : "");
}

/// kVirtualCutThrough for virtual_cut_through.
std::string enumerator(const std::string& word) {
    if (word == name_of(RouterKind::kSystemC)) return "kSystemC";  // it has a capital of its own
    std::string name = "k";
    bool begins = true;
    for (const char c : word) {
        const bool is_letter = c >= 'a' && c <= 'z';
        if (c != '_') name += begins && is_letter ? static_cast<char>(c - 'a' + 'A') : c;
        begins = c == '_';
    }
    return name;
}

std::string literal(Switching v) { return "flitscope::Switching::" + enumerator(name_of(v)); }
std::string literal(Allocation v) { return "flitscope::Allocation::" + enumerator(name_of(v)); }
std::string literal(PortModel v) { return "flitscope::PortModel::" + enumerator(name_of(v)); }
std::string literal(ArrivalKind v) { return "flitscope::ArrivalKind::" + enumerator(name_of(v)); }
std::string literal(RouterKind v) { return "flitscope::RouterKind::" + enumerator(name_of(v)); }
std::string literal(ExpressLayout v) {
    return "flitscope::ExpressLayout::" + enumerator(name_of(v));
}
std::string literal(RtlProtocol v) { return "flitscope::RtlProtocol::" + enumerator(name_of(v)); }
std::string literal(TraceFormat v) { return "flitscope::TraceFormat::" + enumerator(name_of(v)); }
std::string literal(RankPlacement v) {
    return "flitscope::RankPlacement::" + enumerator(name_of(v));
}
std::string literal(LinkDelayModel v) {
    return "flitscope::LinkDelayModel::" + enumerator(name_of(v));
}
std::string literal(SwitchArbitration v) {
    return "flitscope::SwitchArbitration::" + enumerator(name_of(v));
}

std::string braced(const std::vector<std::string>& entries) {
    return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

std::string literal(const Rate& rate) {
    return braced({literal(rate.numerator), literal(rate.denominator)});
}
template <class Value>
std::string literal(const std::vector<Value>& values);
template <class Value>
std::string literal(const std::optional<Value>& value);
std::string literal(const RouterChoice& router) {
    if (!router.is_rtl() || router.module.is_own()) return literal(router.kind);
    return "flitscope::RtlModule" +
           braced({literal(router.module.top), "{}", literal(router.module.protocol)});
}
std::string literal(const RouterOverride& entry) {
    return braced({literal(entry.nodes), literal(entry.router)});
}
std::string literal(const InterconnectTarget& target) {
    return braced({literal(target.node), literal(target.base), literal(target.size), "{}"});
}
std::string literal(const BarrierConfig& barrier) {
    return fmt::format("flitscope::BarrierConfig{}",
                       braced({literal(barrier.per_doubling), literal(barrier.fixed)}));
}
std::string literal(const FaultAmount& amount) {
    return braced({literal(amount.count), literal(amount.share)});
}
template <class Key, class Value>
std::string literal(const std::map<Key, Value>& values) {
    std::vector<std::string> entries;
    for (const auto& [key, value] : values)
        entries.push_back(braced({literal(key), literal(value)}));
    return braced(entries);
}
template <class Value>
std::string literal(const std::vector<Value>& values) {
    std::vector<std::string> entries;
    for (const Value& value : values) entries.push_back(literal(value));
    return braced(entries);
}
template <class Value>
std::string literal(const std::optional<Value>& value) {
    return value ? literal(*value) : "std::nullopt";
}

// ---- Members ------------------------------------------------------------------------------------

/// Breaks `line` after commas that are not in strings.
std::string wrapped(const std::string& line) {
    std::string text;
    std::string current;
    std::size_t last_comma = 0;  // the current line may end after it; 0: nowhere
    bool in_string = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        current += line[i];
        if (line[i] == '\\') {
            current += line[++i];
        } else if (line[i] == '"') {
            in_string = !in_string;
        } else if (line[i] == ',' && !in_string &&
                   (current.size() <= kColumns || last_comma == 0)) {
            last_comma = current.size();
        }
        // After a comma there is a blank, which is not read yet if the line ends with it.
        if (current.size() <= kColumns || last_comma == 0 || last_comma == current.size()) continue;
        text += current.substr(0, last_comma) + '\n';
        current = kIndent + std::string(kIndent) + current.substr(last_comma + 1);
        last_comma = 0;
    }
    return text + current;
}

class Code {
public:
    /// Writes a value if it differs from that of a new Config.
    template <class Value>
    void add(const std::string& member, const Value& value, const Value& standard) {
        if (literal(value) == literal(standard)) return;
        begin_section(member.substr(0, member.find_first_of(".-")));
        std::string line = fmt::format("{}config.{} = {};", kIndent, member, literal(value));
        const std::string unit = unit_of(member);
        if (!unit.empty() && line.size() + unit.size() <= kColumns) line += unit;
        text_ += wrapped(line) + '\n';
    }
    /// A member that there need not be, and that begins with values of its own.
    void begin(const std::string& member) {
        begin_section(member.substr(0, member.find('.')));
        text_ += fmt::format("{}config.{}.emplace();\n", kIndent, member);
    }
    std::string take() { return std::move(text_); }

private:
    void begin_section(const std::string& section) {
        if (!text_.empty() && section != section_) text_ += '\n';
        section_ = section;
    }
    /// A comment, where the name does not end in the unit.
    static std::string unit_of(const std::string& member) {
        const std::string path =
            member == "fabric.topology.windows" ? "fabric.topology.window" : member;
        const ConfigKey* const key = configuration_table().find_key(path);
        if (key == nullptr || key->unit.empty()) return {};
        const std::size_t at = path.rfind('_' + key->unit);
        const bool says_it = at != path.npos && at + 1 + key->unit.size() == path.size();
        return says_it ? "" : "  // " + key->unit;
    }

    std::string text_;
    std::string section_;
};

// The name of a member is what stands there: C++17 cannot ask it for its name.
#define FLITSCOPE_ADD(member) code.add(#member, config.member, standard.member)
#define FLITSCOPE_ADD_FILE(member)                                                             \
    code.add(#member, File{config.member.empty() ? "" : name_in_code(#member, config.member)}, \
             File{})

void add_topology(Code& code, const Config& config, const Config& standard) {
    FLITSCOPE_ADD(fabric.topology.kind);
    FLITSCOPE_ADD(fabric.topology.dims);
    FLITSCOPE_ADD(fabric.topology.folded);
    FLITSCOPE_ADD(fabric.topology.dimensions);
    FLITSCOPE_ADD(fabric.topology.windows);
    FLITSCOPE_ADD(fabric.topology.segment);
    FLITSCOPE_ADD(fabric.topology.layout);
    FLITSCOPE_ADD(fabric.topology.levels);
    FLITSCOPE_ADD_FILE(fabric.topology.file);
    std::map<std::string, std::uint32_t> set;
    for (const auto& [name, value] : config.fabric.topology.parameters) {
        if (value != 0) set.emplace(name, value);
    }
    code.add("fabric.topology.parameters", set, {});
}

void add_fabric(Code& code, const Config& config, const Config& standard) {
    add_topology(code, config, standard);
    FLITSCOPE_ADD(fabric.routing);
    FLITSCOPE_ADD(fabric.router);
    FLITSCOPE_ADD(fabric.router_overrides);
    FLITSCOPE_ADD(fabric.virtual_channels);
    FLITSCOPE_ADD(fabric.classes);
    FLITSCOPE_ADD(fabric.class_priorities);
    FLITSCOPE_ADD(fabric.class_weights);
    FLITSCOPE_ADD(fabric.switch_arbitration);
    FLITSCOPE_ADD(fabric.allocation);
    FLITSCOPE_ADD(fabric.switching);
    FLITSCOPE_ADD(fabric.combining_delay);
    FLITSCOPE_ADD(fabric.setup_delay);
    FLITSCOPE_ADD(fabric.buffer_depth);
    FLITSCOPE_ADD(fabric.flit_bits);
    FLITSCOPE_ADD(fabric.pin_budget);
    FLITSCOPE_ADD(fabric.bisection_budget);
    FLITSCOPE_ADD(fabric.router_delay);
    FLITSCOPE_ADD(fabric.link_delay.model);
    FLITSCOPE_ADD(fabric.link_delay.cycles);
    FLITSCOPE_ADD(fabric.link_delay.reach);
    FLITSCOPE_ADD(fabric.link_delay.pitch_mm);
    FLITSCOPE_ADD(fabric.link_delay.ns_per_mm);
    FLITSCOPE_ADD(fabric.link_delay.pf_per_mm);
    FLITSCOPE_ADD(fabric.allow_deadlock);
}

void add_faults(Code& code, const Config& config, const Config& standard) {
    if (!config.faults) return;
    code.begin("faults");
    FLITSCOPE_ADD(faults->links);
    FLITSCOPE_ADD(faults->nodes);
    FLITSCOPE_ADD(faults->random_links);
    FLITSCOPE_ADD(faults->random_nodes);
    FLITSCOPE_ADD(faults->seed);
    FLITSCOPE_ADD(faults->keep_connected);
    FLITSCOPE_ADD(faults->drops_messages);
    FLITSCOPE_ADD(faults->at);
}

void add_node(Code& code, const Config& config, const Config& standard) {
    FLITSCOPE_ADD(node.send_startup);
    FLITSCOPE_ADD(node.serial_startup);
    FLITSCOPE_ADD(node.recv_overhead);
    FLITSCOPE_ADD(node.injection_rate);
    FLITSCOPE_ADD(node.packet_bytes);
    FLITSCOPE_ADD(node.header_flits);
    FLITSCOPE_ADD(node.port_model);
    if (!config.node.retransmit) return;
    code.begin("node.retransmit");
    FLITSCOPE_ADD(node.retransmit->timeout);
    FLITSCOPE_ADD(node.retransmit->tries);
}

void add_trace(Code& code, const Config& config, const Config& standard) {
    const bool is_chakra = config.traffic.trace.format == TraceFormat::kChakra;
    // Of several files: the beginning of their names.
    if (is_chakra) code.add("traffic.trace.file", File{name_in_code("traffic.trace.file", "")}, {});
    if (!is_chakra) FLITSCOPE_ADD_FILE(traffic.trace.file);
    FLITSCOPE_ADD(traffic.trace.format);
    FLITSCOPE_ADD(traffic.trace.placement);
    FLITSCOPE_ADD_FILE(traffic.trace.placement_file);
    FLITSCOPE_ADD(traffic.trace.sends_block);
    FLITSCOPE_ADD(traffic.trace.eager_bytes);
    FLITSCOPE_ADD(traffic.trace.algorithms);
}

void add_traffic(Code& code, const Config& config, const Config& standard) {
    FLITSCOPE_ADD(traffic.schedule);
    FLITSCOPE_ADD(traffic.pattern);
    FLITSCOPE_ADD_FILE(traffic.program);
    add_trace(code, config, standard);
    FLITSCOPE_ADD(traffic.drops_self);
    FLITSCOPE_ADD(traffic.algorithm);
    FLITSCOPE_ADD(traffic.message_bytes);
    FLITSCOPE_ADD(traffic.message_lengths);
    FLITSCOPE_ADD(traffic.root);
    FLITSCOPE_ADD(traffic.contention);
    FLITSCOPE_ADD(traffic.pieces);
    FLITSCOPE_ADD(traffic.operation);
    FLITSCOPE_ADD(traffic.values_per_node);
    FLITSCOPE_ADD(traffic.handshake);
    FLITSCOPE_ADD(traffic.compute_cycles);
    FLITSCOPE_ADD(traffic.iterations);
    FLITSCOPE_ADD(traffic.blocks);
    FLITSCOPE_ADD(traffic.tensor_ranks);
    FLITSCOPE_ADD(traffic.pipeline_stages);
    FLITSCOPE_ADD(traffic.gradient_bytes);
    FLITSCOPE_ADD(traffic.barrier);
    FLITSCOPE_ADD(traffic.injection_rate);
    FLITSCOPE_ADD(traffic.arrivals);
    FLITSCOPE_ADD(traffic.burst_cycles);
    FLITSCOPE_ADD(traffic.burst_rate);
    FLITSCOPE_ADD(traffic.reply_bytes);
    FLITSCOPE_ADD(traffic.reply_delay);
    FLITSCOPE_ADD(traffic.reply_queue);
    FLITSCOPE_ADD(traffic.classes);
    FLITSCOPE_ADD(traffic.length_classes);
    FLITSCOPE_ADD(traffic.reply_class);
    FLITSCOPE_ADD(traffic.hotspot_fraction);
    FLITSCOPE_ADD(traffic.hot_nodes);
    FLITSCOPE_ADD(traffic.mix);
    FLITSCOPE_ADD_FILE(traffic.matrix);
    FLITSCOPE_ADD(traffic.warmup_cycles);
    FLITSCOPE_ADD(traffic.measure_cycles);
}

void add_steady(Code& code, const Config& config, const Config& standard) {
    if (!config.steady) return;
    code.begin("steady");
    FLITSCOPE_ADD(steady->confidence);
    FLITSCOPE_ADD(steady->half_width);
    FLITSCOPE_ADD(steady->max_cycles);
    FLITSCOPE_ADD(steady->warmup);
}

void add_interconnect(Code& code, const Config& config, const Config& standard) {
    if (!config.interconnect) return;
    code.begin("interconnect");
    FLITSCOPE_ADD(interconnect->initiators);
    FLITSCOPE_ADD(interconnect->targets);
    FLITSCOPE_ADD(interconnect->header_bytes);
    FLITSCOPE_ADD(interconnect->outstanding);
    FLITSCOPE_ADD(interconnect->dmi);
}

void add_run(Code& code, const Config& config, const Config& standard) {
    FLITSCOPE_ADD(trace.links);
    FLITSCOPE_ADD(trace.nodes);
    FLITSCOPE_ADD(trace.dimensions);
    FLITSCOPE_ADD(trace.rtl_nodes);
    FLITSCOPE_ADD(trace.from);
    FLITSCOPE_ADD(trace.until);
    FLITSCOPE_ADD(trace.details);
    FLITSCOPE_ADD(trace.endpoints);
    FLITSCOPE_ADD(limits.max_cycles);
    FLITSCOPE_ADD(clock_ns);
    FLITSCOPE_ADD(seed);
}

#undef FLITSCOPE_ADD
#undef FLITSCOPE_ADD_FILE

}  // namespace

std::string config_code(const Config& config) {
    Config standard;
    // Optional sections: compared if they are there, after their emplace().
    standard.faults.emplace();
    standard.node.retransmit.emplace();
    standard.steady.emplace();
    standard.interconnect.emplace();
    Code code;
    code.add("machine", config.machine, standard.machine);
    add_fabric(code, config, standard);
    add_faults(code, config, standard);
    add_node(code, config, standard);
    add_traffic(code, config, standard);
    add_steady(code, config, standard);
    add_interconnect(code, config, standard);
    add_run(code, config, standard);
    return code.take();
}

std::vector<FileInCode> files_in_code(const Config& config) {
    std::vector<FileInCode> files;
    const auto add = [&](const char* member, const std::string& path) {
        if (!path.empty()) files.push_back({path, name_in_code(member, path)});
    };
    add("fabric.topology.file", config.fabric.topology.file);
    add("traffic.program", config.traffic.program);
    add("traffic.matrix", config.traffic.matrix);
    add("traffic.trace.placement_file", config.traffic.trace.placement_file);
    if (config.traffic.trace.format != TraceFormat::kChakra) {
        add("traffic.trace.file", config.traffic.trace.file);
        return files;
    }
    // What the configuration has is the beginning of their names.
    const std::string& begin = config.traffic.trace.file;
    for (const std::string& path : trace_files(config)) {
        if (path == config.traffic.trace.placement_file) continue;
        files.push_back({path, name_in_code("traffic.trace.file", "") + path.substr(begin.size())});
    }
    return files;
}

}  // namespace flitscope
