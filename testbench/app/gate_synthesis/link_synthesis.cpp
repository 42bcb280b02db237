// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/link_synthesis.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <stdexcept>

#include "models/base/diagnostics.h"
#include "models/base/digest.h"
#include "models/base/file_text.h"
#include "models/base/output_file.h"
#include "models/base/powers_of_two.h"
#include "models/topology/graph.h"
#include "models/topology/link.h"
#include "testbench/app/gate_synthesis/synthesis.h"
#include "testbench/app/gate_synthesis/synthesis_cache.h"
#include "testbench/app/gate_synthesis/tool_folder.h"
#include "testbench/app/gate_synthesis/tool_process.h"
#include "testbench/app/gate_synthesis/tool_reports.h"
#include "testbench/app/gate_synthesis/tool_scripts.h"

namespace flitscope {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// The last two delays that are synthesized whatever the network; odd and even.
constexpr std::uint32_t kOdd = 7;
constexpr std::uint32_t kEven = 8;

RtlSource source_of(const std::vector<RtlSource>& sources, const char* name) {
    const auto it = std::find_if(sources.begin(), sources.end(),
                                 [&](const RtlSource& source) { return source.name == name; });
    if (it != sources.end()) return *it;
    throw ConfigError({"synthesis", 0, 0}, fmt::format("the RTL sources have no {}", name),
                      "the environment variable FLITSCOPE_RTL_DIR names their folder");
}

/// All that a result depends on, and its place in the cache.
struct LinkInputs {
    LinkInputs(const LinkVariant& link, const TechnologyConfig& the_technology)
        : variant(link),
          technology(the_technology),
          file(cell_library_file(technology.library, technology.corner)),
          sources(link_sources(link.rate_cycles)) {}

    /// Reads the library. Empty when that is not there.
    std::string entry() {
        std::error_code error;
        if (!fs::is_regular_file(file.liberty, error)) return {};
        library = &read_cell_library(file, "");  // an area has no operating conditions
        const MappedCells cells(*library, technology);
        yosys = link_script(variant, sources, cells);
        Digest digest;
        digest.add("with a checksum");  // so that earlier entries, which had one, are found
        for (const RtlSource& source : sources) digest.add(source.text);
        for (const std::string& text :
             {yosys, abc_constraints(*library), library->name, library->text}) {
            digest.add(text);
        }
        if (cells.clock_gate) digest.add(clock_gate_map(*cells.clock_gate));
        return fmt::format("{}/{}_{}.json", synthesis_cache_folder(), variant.name(),
                           digest.text());
    }

    const LinkVariant& variant;
    const TechnologyConfig& technology;
    CellLibraryFile file;
    const CellLibrary* library = nullptr;  // where entry() found it
    std::vector<RtlSource> sources;
    std::string yosys;
};

std::optional<double> kept_area(const std::string& entry) {
    try {
        const auto json = ordered_json::parse(file_text(entry).value_or(""));
        if (!are_same_tools(json.at("tools"))) return std::nullopt;
        return json.at("area_um2").get<double>();
    } catch (const ordered_json::exception&) {  // none there, or none that can be read
        return std::nullopt;
    }
}

double run_tools(const LinkInputs& inputs) {
    const Toolchain tools = find_toolchain(inputs.file);
    const SignalWatch watch;  // outlives the work, which is gone when the signal is met
    const WorkFolder work;
    prepare_mapping(work, {*inputs.library, inputs.technology}, tools, inputs.sources,
                    inputs.yosys);
    const std::string name = inputs.variant.name();
    try {
        if (!run_in(work, {tools.yosys, kYosysScript}, kYosysLog,
                    [] { return SignalWatch::caught() == 0; })) {
            throw SynthesisInterrupted("synthesis of " + name + " was interrupted");
        }
        const CellReport cells =
            parse_cell_report(read_file(work.file(kCellReport)), *inputs.library);
        if (cells.flip_flops != inputs.variant.flip_flops()) {
            throw std::runtime_error(fmt::format("{} flip-flops instead of {}", cells.flip_flops,
                                                 inputs.variant.flip_flops()));
        }
        return cells.area_um2;
    } catch (const SynthesisInterrupted&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(fmt::format("synthesis of {} failed: {}", name, error.what()));
    }
}

}  // namespace

std::string LinkVariant::name() const {
    return fmt::format("link_v{}_w{}_d{}{}", virtual_channels, flit_bits, delay,
                       rate_cycles == 1 ? "" : fmt::format("_k{}", rate_cycles));
}

std::uint64_t LinkVariant::flip_flops() const {
    const std::uint64_t marks = index_bits(virtual_channels) + 2;  // head, tail
    const std::uint64_t part = (flit_bits + rate_cycles - 1) / rate_cycles;
    const std::uint64_t wires =
        delay * (part + marks + 1) + std::uint64_t{delay - 1} * virtual_channels;
    if (rate_cycles == 1) return wires;
    const std::uint64_t sender = flit_bits - part;
    const std::uint64_t receiver = (rate_cycles - 1) * part + marks;
    return wires + sender + receiver + 2 * index_bits(rate_cycles);  // a counter at both ends
}

std::optional<LinkVariant> parse_link_variant(const std::string& name) {
    static const std::regex kPattern(
        "link_v([1-9][0-9]{0,5})_w([1-9][0-9]{0,5})_d([1-9][0-9]{0,5})(?:_k([2-9]|[1-9][0-9]))?");
    std::smatch part;
    if (!std::regex_match(name, part, kPattern)) return std::nullopt;
    const auto number = [&part](std::size_t i) {
        return static_cast<std::uint32_t>(std::stoul(part[i].str()));
    };
    return LinkVariant{number(1), number(2), number(3), part[4].matched ? number(4) : 1};
}

std::vector<RtlSource> link_sources(std::uint32_t rate_cycles) {
    std::vector<RtlSource> sources = {source_of(read_rtl_sources(), "delay_line.sv"),
                                      source_of(read_rtl_sources("fabric"), "link.sv")};
    if (rate_cycles > 1) {
        sources.push_back(source_of(read_rtl_sources("fabric"), "slow_link.sv"));
    }
    return sources;
}

double synthesize_link(const LinkVariant& variant, const TechnologyConfig& technology) {
    LinkInputs inputs(variant, technology);
    const std::string entry = inputs.entry();
    if (const auto known = kept_area(entry)) return *known;
    const double area = run_tools(inputs);
    const ordered_json json = {{"variant", variant.name()},
                               {"library", inputs.library->name},
                               {"flip_flops", variant.flip_flops()},
                               {"area_um2", area},
                               {"tools", tool_identities()}};
    std::error_code error;
    fs::create_directories(fs::path(entry).parent_path(), error);
    write_whole_file(entry, [&](std::ostream& out) { out << json.dump(2) << '\n'; });
    return area;
}

std::optional<double> cached_link(const LinkVariant& variant, const TechnologyConfig& technology) {
    return kept_area(LinkInputs(variant, technology).entry());
}

LinkCounts link_counts(const Graph& graph) {
    LinkCounts counts;
    for (const Link& link : graph.links()) ++counts[{link.delay, link.rate_cycles}];
    return counts;
}

LinkVariant FabricLinks::variant(const LinkKind& kind) const {
    return {like.virtual_channels, like.flit_bits, kind.delay, kind.rate_cycles};
}

std::vector<LinkVariant> FabricLinks::variants() const {
    std::set<LinkKind> wanted;
    for (const auto& [kind, count] : counts) {
        if (kind.delay <= kEven) {
            wanted.insert(kind);
            continue;
        }
        for (const std::uint32_t delay : {1U, kOdd, kind.delay % 2 == 0 ? kEven : kOdd}) {
            wanted.insert({delay, kind.rate_cycles});
        }
    }
    std::vector<LinkVariant> all;
    for (const LinkKind& kind : wanted) all.push_back(variant(kind));
    return all;
}

std::optional<double> FabricLinks::total_um2(
    const std::function<std::optional<double>(const LinkVariant&)>& area_um2) const {
    std::map<LinkKind, double> known;
    for (const LinkVariant& variant : variants()) {
        const auto area = area_um2(variant);
        if (!area) return std::nullopt;
        known[{variant.delay, variant.rate_cycles}] = *area;
    }
    double total = 0;
    for (const auto& [kind, count] : counts) {
        const auto [delay, rate] = kind;
        double area = 0;
        if (delay <= kEven) {
            area = known.at(kind);
        } else {
            const std::uint32_t base = delay % 2 == 0 ? kEven : kOdd;
            const double per_register = (known.at({kOdd, rate}) - known.at({1, rate})) / (kOdd - 1);
            area = known.at({base, rate}) + per_register * (delay - base);
        }
        total += area * static_cast<double>(count);
    }
    return total;
}

}  // namespace flitscope
