// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/synthesis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/digest.h"
#include "models/base/file_text.h"
#include "models/base/stopwatch.h"
#include "testbench/app/gate_synthesis/synthesis_cache.h"
#include "testbench/app/gate_synthesis/tool_folder.h"
#include "testbench/app/gate_synthesis/tool_process.h"
#include "testbench/app/gate_synthesis/tool_reports.h"
#include "testbench/app/gate_synthesis/tool_scripts.h"
#include "testbench/app/gate_synthesis/toolchain.h"
#include "testbench/app/gate_synthesis/wire_load.h"

namespace flitscope {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTimingScript = "timing.tcl";
constexpr const char* kPowerScript = "power.tcl";

void require_sane(const hw::RtlVariant& variant, const SynthesisConditions& conditions) {
    const auto refuse = [](const std::string& what, const std::string& hint) {
        throw ConfigError({"synthesis", 0, 0}, what, hint);
    };
    // The name goes into scripts.
    const auto in_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    const std::string& module = variant.module;
    if (module.empty() || std::isdigit(static_cast<unsigned char>(module[0])) != 0 ||
        !std::all_of(module.begin(), module.end(), in_name)) {
        refuse(fmt::format("'{}' is not the name of a module", module),
               "letters, digits and underscores");
    }
    if (!std::isfinite(conditions.period_ns) || conditions.period_ns <= 0) {
        refuse("the clock period must be positive", "in nanoseconds");
    }
    if (!std::isfinite(conditions.input_activity) || conditions.input_activity < 0) {
        refuse("the input activity must not be negative", "in transitions per clock cycle");
    }
}

/// yosys meets the cells of a module in another order when it has read more modules, and abc then
/// makes other gates of them: routers without slow links, queues, class arbiters or routes at the
/// pins keep their netlists, bit for bit.
std::vector<RtlSource> router_sources(const hw::RtlVariant& variant) {
    std::vector<RtlSource> sources = read_rtl_sources();
    const auto is_unused = [&variant](const RtlSource& source) {
        return (source.name == "link_rate.sv" && !variant.slow_links) ||
               (source.name == "output_queue.sv" && variant.output_speedup == 1) ||
               (source.name == "route_pins.sv" && variant.routing != hw::RtlRouting::kPins) ||
               (source.name == "class_arbiter.sv" && variant.class_policy.empty());
    };
    sources.erase(std::remove_if(sources.begin(), sources.end(), is_unused), sources.end());
    return sources;
}

/// All that a result depends on.
struct RouterInputs {
    RouterInputs(const hw::RtlVariant& the_variant, const SynthesisConditions& the_conditions)
        : variant(the_variant),
          conditions(the_conditions),
          file(cell_library_file(the_conditions.library, the_conditions.corner)) {
        require_sane(variant, conditions);
        sources = router_sources(variant);
    }

    /// Reads the library. Name of the result in the cache; empty when the library is not there,
    /// which find_toolchain() says.
    std::string key() {
        std::error_code error;
        if (!fs::is_regular_file(file.liberty, error)) return {};
        library = &read_cell_library(file, file.corner);
        require_wire_loads(*library, conditions.wires);
        const MappedCells cells(*library, conditions);
        yosys = yosys_script(variant, sources, cells);
        Digest digest;
        digest.add("with a checksum");  // so that earlier entries, which had one, are found
        for (const RtlSource& source : sources) {
            digest.add(source.name);
            digest.add(source.text);
        }
        digest.add(yosys);
        digest.add(abc_constraints(*library));
        // Has the other conditions.
        digest.add(sta_script(variant, *library, conditions, conditions.period_ns));
        digest.add(library->name);
        digest.add(library->text);
        // Earlier entries of such libraries do not say what is tied.
        const std::string tied = library->registers.at(library->register_cell).tied_text();
        if (!tied.empty()) digest.add(tied);
        if (needs_wire_library(*library, conditions.wires)) {
            digest.add(name_of(conditions.wires));
            digest.add(wire_library(1));  // the lengths follow from the cells
        }
        if (cells.clock_gate) digest.add(clock_gate_map(*cells.clock_gate));
        return SynthesisCache::key_of(variant, digest.text());
    }

    const hw::RtlVariant& variant;
    const SynthesisConditions& conditions;
    CellLibraryFile file;
    const CellLibrary* library = nullptr;  // where key() found it
    std::vector<RtlSource> sources;
    std::string yosys;
};

/// One run of the tools in the folder of a Work.
class Run {
public:
    Run(const RouterInputs& inputs, const Toolchain& tools, const SynthesisCallback& on_progress,
        SynthesisCache::Work& work)
        : inputs_(inputs), tools_(tools), on_progress_(on_progress), work_(work) {}

    /// False: stopped.
    bool run(SynthesisResult& result) {
        try {
            prepare_mapping(work_.tools(), {*inputs_.library, inputs_.conditions}, tools_,
                            inputs_.sources, inputs_.yosys);
            if (!map_to_cells(result)) return false;
            if (!measure(result)) return false;
        } catch (const std::runtime_error& e) {
            throw std::runtime_error(fmt::format("synthesis of {} failed: {}\nall of it: {}/{}",
                                                 inputs_.variant.name(), e.what(),
                                                 work_.keep_as_failed(), log_));
        }
        result.seconds = watch_.seconds();
        return true;
    }

private:
    bool map_to_cells(SynthesisResult& result) {
        if (!stage("logic synthesis", {tools_.yosys, kYosysScript}, kYosysLog)) return false;
        const CellReport cells =
            parse_cell_report(read_file(work_.tools().file(kCellReport)), *inputs_.library);
        result.cells = cells.cells;
        result.flip_flops = cells.flip_flops;
        result.area_um2 = cells.area_um2;
        result.tied = cells.tied;
        return true;
    }

    /// Timing, and power at a period that the circuit meets.
    bool measure(SynthesisResult& result) {
        const WireLoad wires = inputs_.conditions.wires;
        if (needs_wire_library(*inputs_.library, wires)) {
            work_.tools().write(kWireLibrary,
                                wire_library(um_per_sink(wires, result.area_um2, result.cells)));
        }
        const double target = inputs_.conditions.period_ns;
        TimingReport report;
        if (!analyse("timing", kTimingScript, target, report)) return false;
        result.min_period_ns = target - report.worst_slack_ns;
        result.power_period_ns = power_period_ns(target, result.min_period_ns);
        if (report.worst_slack_ns < 0) {
            if (!analyse("power", kPowerScript, result.power_period_ns, report)) return false;
        }
        result.power_mw = report.power_mw;
        return true;
    }

    bool analyse(const char* name, const std::string& script, double period_ns,
                 TimingReport& report) {
        work_.tools().write(
            script, sta_script(inputs_.variant, *inputs_.library, inputs_.conditions, period_ns));
        const std::string log = std::string(name) + ".log";
        if (!stage(name, {tools_.sta, "-no_init", "-no_splash", "-exit", script}, log)) {
            return false;
        }
        report = parse_timing_report(read_file(work_.tools().file(log)));
        return true;
    }

    bool stage(const char* name, std::vector<std::string> arguments, const std::string& log) {
        log_ = log;
        const auto proceed = [this, name] {
            return !on_progress_ || on_progress_({inputs_.variant.name(), name, watch_.seconds()});
        };
        return proceed() && run_in(work_.tools(), std::move(arguments), log, proceed);
    }

    const RouterInputs& inputs_;
    const Toolchain& tools_;
    const SynthesisCallback& on_progress_;
    SynthesisCache::Work& work_;
    const Stopwatch watch_;
    std::string log_ = kYosysLog;
};

}  // namespace

double power_period_ns(double asked_for_ns, double min_period_ns) {
    constexpr double kStepsPerNs = 10;
    return min_period_ns <= asked_for_ns ? asked_for_ns
                                         : std::ceil(min_period_ns * kStepsPerNs) / kStepsPerNs;
}

SynthesisResult synthesize(const hw::RtlVariant& variant, const SynthesisConditions& conditions,
                           const SynthesisCallback& on_progress) {
    RouterInputs inputs(variant, conditions);
    const std::string key = inputs.key();
    if (!key.empty()) {
        if (auto hit = SynthesisCache(key).find(variant, conditions)) return *std::move(hit);
    }
    const Toolchain tools = find_toolchain(inputs.file);
    const SynthesisCache cache(key);
    const SignalWatch watch;  // outlives the work, which is gone when the signal is met
    SynthesisCache::Work work(cache);
    SynthesisResult result;
    result.variant = variant;
    result.conditions = conditions;
    result.library = fmt::format("{} ({})", inputs.library->name, inputs.library->conditions);
    if (!Run(inputs, tools, on_progress, work).run(result)) {
        throw SynthesisInterrupted("synthesis of " + variant.name() + " was interrupted");
    }
    result.folder = work.keep(result);
    result.netlist = result.folder + '/' + kNetlist;
    return result;
}

std::optional<SynthesisResult> cached_synthesis(const hw::RtlVariant& variant,
                                                const SynthesisConditions& conditions) {
    RouterInputs inputs(variant, conditions);
    // Every run asks, and most routers never were synthesized: libraries are long.
    if (!SynthesisCache::has_entries_of(variant)) return std::nullopt;
    const std::string key = inputs.key();
    if (key.empty()) return std::nullopt;
    return SynthesisCache(key).find(variant, conditions);
}

}  // namespace flitscope
