// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/synthesis_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <utility>

#include "testbench/app/gate_synthesis/router_table.h"
#include "testbench/app/gate_synthesis/wire_load.h"

namespace flitscope {
namespace {

/// A figure, and how far it may be off.
std::string estimate_text(const std::string& figure, const SynthesisResult& r,
                          double EstimateErrors::*error) {
    if (!r.estimated) return figure;
    return fmt::format("~{} ({:.0f} %)", figure, 100 * (*r.estimated).*error);
}

std::string count_text(std::uint64_t count, const SynthesisResult& r) {
    return r.estimated ? "-" : std::to_string(count);
}

std::string period_text(double ns) { return fmt::format("{:.4g}", ns); }

TextTable table(const std::vector<SynthesisResult>& results) {
    using R = const SynthesisResult&;
    static const auto columns = behind_parameters<SynthesisResult>({
        {"cells", false, [](R r) { return count_text(r.cells, r); }},
        {"flip-flops", false, [](R r) { return count_text(r.flip_flops, r); }},
        {"area mm2", false,
         [](R r) {
             return estimate_text(fmt::format("{:.3f}", r.area_um2 / kUm2PerMm2), r,
                                  &EstimateErrors::area);
         }},
        {"min period ns", false,
         [](R r) {
             return estimate_text(fmt::format("{:.2f}", r.min_period_ns), r,
                                  &EstimateErrors::period);
         }},
        {"MHz", false, [](R r) { return fmt::format("{:.0f}", r.frequency_mhz()); }},
        {"power mW", false,
         [](R r) {
             return estimate_text(fmt::format("{:.1f}", r.power_mw), r, &EstimateErrors::power);
         }},
        {"at ns", true, [](R r) { return period_text(r.power_period_ns); }},
    });
    return router_table(columns, results);
}

template <typename Get>
std::string distinct(const std::vector<SynthesisResult>& results, const Get& get) {
    std::vector<std::string> texts;
    for (const SynthesisResult& r : results) {
        std::string text = get(r);
        if (std::find(texts.begin(), texts.end(), text) == texts.end()) {
            texts.push_back(std::move(text));
        }
    }
    return fmt::format("{}", fmt::join(texts, " or "));
}

}  // namespace

std::string conditions_text(const std::vector<SynthesisResult>& results) {
    const auto library = [](const SynthesisResult& r) { return r.library; };
    const auto activity = [](const SynthesisResult& r) {
        return fmt::format("{:.4g}", r.conditions.input_activity);
    };
    const auto period = [](const SynthesisResult& r) { return period_text(r.power_period_ns); };
    const auto wires = [](const SynthesisResult& r) { return wires_text(r.conditions.wires); };
    const bool has_wires =
        std::all_of(results.begin(), results.end(),
                    [](const SynthesisResult& r) { return r.conditions.wires != WireLoad::kNone; });
    std::string tied = distinct(results, [](const SynthesisResult& r) { return r.tied; });
    if (!tied.empty()) tied = "; flip-flops: " + tied;
    const bool has_gates =
        std::any_of(results.begin(), results.end(),
                    [](const SynthesisResult& r) { return r.conditions.clock_gates; });
    std::set<double> periods;
    for (const SynthesisResult& r : results) periods.insert(r.power_period_ns);
    return fmt::format(
        "{}; yosys, abc and OpenSTA{}{}; {}, no clock tree, pin to pin with no time spent "
        "outside; power vectorless with {} transitions per cycle on the data inputs, {}. "
        "{}",
        distinct(results, library), tied,
        has_gates ? "; clock gates, which this power takes as open" : "", distinct(results, wires),
        distinct(results, activity),
        periods.size() == 1 ? "at a clock period of " + distinct(results, period) + " ns"
                            : "at the clock period named in the row",
        has_wires ? "Not placed: wires are estimates." : "Optimistic: use for ratios.");
}

void print_synthesis(std::ostream& out, const std::vector<SynthesisResult>& results) {
    if (results.empty()) return;
    table(results).print(out);
    out << "\n  " << conditions_text(results) << '\n';
    for (const SynthesisResult& r : results) {
        if (r.estimated) {
            out << fmt::format(
                "  {}: estimated from {} routers; in brackets the largest error of these, each "
                "estimated from the others\n",
                r.variant.name(), r.estimated->known);
            continue;
        }
        out << fmt::format("  {}: {}, {}\n", r.variant.name(), r.netlist,
                           r.from_cache ? fmt::format("from the cache ({:.1f} s saved)", r.seconds)
                                        : fmt::format("{:.1f} s", r.seconds));
    }
}

void print_links(std::ostream& out, const std::vector<LinkArea>& links) {
    for (const auto& [link, area_um2] : links) {
        out << fmt::format("  {}: a link of {} cycle{}, {:.4f} mm2, {} flip-flops\n", link.name(),
                           link.delay, link.delay == 1 ? "" : "s", area_um2 / kUm2PerMm2,
                           link.flip_flops());
    }
}

nlohmann::ordered_json links_json(const std::vector<LinkArea>& links) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const auto& [link, area_um2] : links) {
        json.push_back({{"variant", link.name()},
                        {"virtual_channels", link.virtual_channels},
                        {"flit_bits", link.flit_bits},
                        {"delay", link.delay},
                        {"flip_flops", link.flip_flops()},
                        {"area_um2", area_um2}});
    }
    return json;
}

nlohmann::ordered_json synthesis_json(const SynthesisResult& r) {
    nlohmann::ordered_json json = {
        {"variant", r.variant.name()},
        {"module", r.variant.module},
        {"ports", hw::used_ports(r.variant)},
        {"turns", turns_of_hex(r.variant.ports, r.variant.turns).count()},
        {"virtual_channels", r.variant.virtual_channels},
        {"depth", r.variant.depth},
        {"flit_bits", r.variant.flit_bits},
        {"router_delay", r.variant.router_delay},
        {"routing", routing_name(r.variant.routing)},
        {"table_entries", r.variant.table_entries},
        {"input_speedup", r.variant.input_speedup},
        {"output_speedup", r.variant.output_speedup},
        {"output_queue", r.variant.output_queue},
        {"classes", r.variant.classes},
        {"class_policy", class_policy_text(r.variant)},
        {"hold", r.variant.hold},
        {"combined", r.variant.combined},
        {"library", r.library_name()},
        {"tied", r.tied},
        {"wires", name_of(r.conditions.wires)},
        {"clock_gates", r.conditions.clock_gates},
        {"cells", r.cells},
        {"flip_flops", r.flip_flops},
        {"area_um2", r.area_um2},
        {"min_period_ns", r.min_period_ns},
        {"max_frequency_mhz", r.frequency_mhz()},
        {"power_mw", r.power_mw},
        {"power_period_ns", r.power_period_ns},
        {"input_activity", r.conditions.input_activity},
        {"conditions", conditions_text({r})},
        {"seconds", r.seconds},
        {"from_cache", r.from_cache},
        {"netlist", r.netlist}};
    json["estimated"] = r.estimated.has_value();
    if (r.estimated) {
        for (const char* absent : {"cells", "flip_flops", "seconds", "from_cache", "netlist"}) {
            json.erase(absent);
        }
        json["area_error"] = r.estimated->area;
        json["period_error"] = r.estimated->period;
        json["power_error"] = r.estimated->power;
        json["estimated_from"] = r.estimated->known;
    }
    return json;
}

nlohmann::ordered_json synthesis_json(const std::vector<SynthesisResult>& results) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const SynthesisResult& r : results) list.push_back(synthesis_json(r));
    return list;
}

std::string markdown_table(std::vector<SynthesisResult> results) {
    if (results.empty()) return {};
    sort_by_parameters(results);
    return table(results).markdown() + '\n' + conditions_text(results) + '\n';
}

}  // namespace flitscope
