// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/synthesis_cache.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/base/environment.h"
#include "models/base/file_text.h"
#include "testbench/app/gate_synthesis/tool_scripts.h"
#include "testbench/app/gate_synthesis/toolchain.h"

namespace flitscope {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kResult = "result.json";
constexpr const char* kPartial = ".partial.";

ConfigError cache_error(const std::string& folder, const std::string& why) {
    return ConfigError({folder, 0, 0}, "cannot write the cache of synthesis results: " + why,
                       "the environment variable FLITSCOPE_CACHE names another folder");
}

/// The beginning of the name of an entry.
std::string start_of_key(hw::RtlVariant variant) {
    constexpr std::size_t kLongest = 200;  // 255 for a file, with digest and kPartial
    if (variant.name().size() > kLongest) variant.turns.clear();
    return variant.name() + '_';
}

/// The variant of an entry in `root`; nothing if the entry is not one of a router.
std::optional<hw::RtlVariant> variant_of(const std::string& root, const std::string& entry) {
    const auto variant = hw::parse_rtl_variant(entry.substr(0, entry.rfind('_')));
    if (!variant || !variant->turns.empty()) return variant;
    const auto json = ordered_json::parse(
        file_text(root + '/' + entry + '/' + kResult).value_or(""), nullptr, false);
    if (!json.is_object()) return std::nullopt;
    return hw::parse_rtl_variant(json.value("variant", ""));
}

/// Removes what killed runs have left. No synthesis takes a day.
void remove_stale_work(const std::string& root) {
    const auto limit = fs::file_time_type::clock::now() - std::chrono::hours(24);
    std::error_code error;
    for (fs::directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
        if (it->path().filename().string().rfind(kPartial, 0) != 0) continue;
        std::error_code gone;
        const auto time = fs::last_write_time(it->path(), gone);
        if (!gone && time < limit) fs::remove_all(it->path(), gone);
    }
}

ordered_json to_json(const SynthesisResult& r) {
    return {{"variant", r.variant.name()},
            {"library", r.library},
            {"tied", r.tied},
            {"cells", r.cells},
            {"flip_flops", r.flip_flops},
            {"area_um2", r.area_um2},
            {"min_period_ns", r.min_period_ns},
            {"power_mw", r.power_mw},
            {"power_period_ns", r.power_period_ns},
            {"input_activity", r.conditions.input_activity},
            {"tools", tool_identities()},
            {"seconds", r.seconds}};
}

}  // namespace

std::string cache_folder(const std::string& name) {
    std::string folder = environment("FLITSCOPE_CACHE");
    if (folder.empty() && !environment("XDG_CACHE_HOME").empty()) {
        folder = environment("XDG_CACHE_HOME") + "/flitscope";
    }
    if (folder.empty() && !environment("HOME").empty()) {
        folder = environment("HOME") + "/.cache/flitscope";
    }
    if (folder.empty()) {
        throw ConfigError({name, 0, 0}, "there is no folder for the cache of results",
                          "set the environment variable FLITSCOPE_CACHE to a folder");
    }
    return fs::absolute(folder + '/' + name).lexically_normal().string();
}

bool are_same_tools(const std::vector<std::string>& then) {
    const std::vector<std::string> now = tool_identities();
    for (std::size_t i = 0; i < now.size() && i < then.size(); ++i) {
        if (!now[i].empty() && now[i] != then[i]) return false;
    }
    return true;
}

SynthesisCache::SynthesisCache(std::string key)
    : root_(synthesis_cache_folder()), key_(std::move(key)) {}

std::string SynthesisCache::key_of(const hw::RtlVariant& variant, const std::string& digest) {
    return start_of_key(variant) + digest;
}

bool SynthesisCache::has_entries_of(const hw::RtlVariant& variant) {
    const std::string start = start_of_key(variant);
    std::error_code error;
    for (fs::directory_iterator it(synthesis_cache_folder(), error), end; !error && it != end;
         it.increment(error)) {
        if (it->path().filename().string().rfind(start, 0) == 0) return true;
    }
    return false;
}

std::vector<hw::RtlVariant> SynthesisCache::variants() {
    std::map<std::string, hw::RtlVariant> found;  // in order of their names, whatever the disk's is
    const std::string root = synthesis_cache_folder();
    std::error_code error;
    for (fs::directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
        const auto variant = variant_of(root, it->path().filename().string());
        if (variant) found.emplace(variant->name(), *variant);
    }
    std::vector<hw::RtlVariant> all;
    for (auto& [name, variant] : found) all.push_back(std::move(variant));
    return all;
}

std::optional<SynthesisResult> SynthesisCache::find(const hw::RtlVariant& variant,
                                                    const SynthesisConditions& conditions) const {
    SynthesisResult r;
    r.variant = variant;
    r.conditions = conditions;
    r.from_cache = true;
    r.folder = root_ + '/' + key_;
    r.netlist = r.folder + '/' + kNetlist;
    std::error_code error;
    if (!fs::exists(r.netlist, error)) return std::nullopt;
    try {
        const auto json = ordered_json::parse(file_text(r.folder + '/' + kResult).value_or(""));
        json.at("library").get_to(r.library);
        r.tied = json.value("tied", "");
        json.at("cells").get_to(r.cells);
        json.at("flip_flops").get_to(r.flip_flops);
        json.at("area_um2").get_to(r.area_um2);
        json.at("min_period_ns").get_to(r.min_period_ns);
        json.at("power_mw").get_to(r.power_mw);
        json.at("power_period_ns").get_to(r.power_period_ns);
        json.at("seconds").get_to(r.seconds);
        if (!are_same_tools(json.at("tools"))) return std::nullopt;
        return r;
    } catch (const ordered_json::exception&) {
        return std::nullopt;
    }
}

SynthesisCache::Work::Work(const SynthesisCache& cache) : cache_(cache) {
    std::error_code error;
    fs::create_directories(cache.root_, error);
    if (error) throw cache_error(cache.root_, error.message());
    remove_stale_work(cache.root_);
    folder_ = removed_.create_folder(cache.root_ + '/' + kPartial + cache.key_ + '.', 0700);
    if (folder_.empty()) throw cache_error(cache.root_, std::generic_category().message(errno));
}

SynthesisCache::Work::~Work() {
    std::error_code error;
    if (!folder_.empty()) fs::remove_all(folder_, error);
}

void SynthesisCache::Work::take_from_tools() {
    std::error_code error;
    fs::copy(tools_.path(), folder_, fs::copy_options::recursive | fs::copy_options::copy_symlinks,
             error);
    if (error) throw cache_error(folder_, error.message());
}

std::string SynthesisCache::Work::keep(const SynthesisResult& result) {
    tools_.write(kResult, to_json(result).dump(2) + '\n');
    take_from_tools();
    const std::string entry = cache_.root_ + '/' + cache_.key_;
    std::error_code error;
    fs::rename(folder_, entry, error);
    if (error) {  // there is one: another process was faster, or it is of no use
        if (cache_.find(result.variant, result.conditions)) return entry;
        fs::remove_all(entry, error);
        fs::rename(folder_, entry, error);
        if (error) throw cache_error(entry, error.message());
    }
    folder_.clear();
    return entry;
}

std::string SynthesisCache::Work::keep_as_failed() {
    const std::string failed = cache_.root_ + '/' + cache_.key_ + ".failed";
    std::error_code error;
    take_from_tools();
    fs::remove_all(failed, error);
    fs::rename(folder_, failed, error);
    if (error) throw cache_error(failed, error.message());
    folder_.clear();
    return failed;
}

}  // namespace flitscope
