// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/page/loads_page.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/input_file.h"
#include "models/base/printable.h"

namespace flitscope {
namespace {

constexpr const char* kCurves = "curves";  // of several configurations
constexpr const char* kPoints = "points";  // of one
constexpr const char* kRuns = "runs";      // of a saturation

/// Curves and saturations that a file has, each with the name of its network.
std::vector<Json> measurements(const LoadsFile& file) {
    if (file.content.contains(kCurves)) return file.content.at(kCurves);
    return {file.content};
}

std::string name_of(const Json& one, const LoadsFile& file) {
    return one.value("config", std::filesystem::path(file.path).stem().string());
}

/// Throws Json::exception if something that the page needs is missing.
void require_measurement(const Json& one, const LoadsFile& file) {
    const bool is_curve = one.contains(kPoints);
    name_of(one, file);
    for (const char* const text : {"digest", "topology", "routing", "pattern"}) {
        one.at(text).get<std::string>();
    }
    one.at("clock_ns").get<double>();
    for (const Json& point : one.at(is_curve ? kPoints : kRuns)) {
        for (const char* const number : {"rate", "rate_gbps"}) point.at(number).get<double>();
        point.at("status").get<std::string>();
        if (!point.contains("accepted")) continue;
        point.at("accepted_gbps").get<double>();
        if (!point.at("latency").at("mean").is_null()) {
            point.at("latency").at("mean").get<double>();
        }
    }
    if (is_curve) return;
    for (const char* const bracket : {"saturation", "saturation_gbps"}) {
        for (const char* const end : {"lower", "upper"}) {
            one.at(bracket).at(end).get<double>();
        }
    }
}

/// The network of a measurement among those that are known already; a curve and a saturation of one
/// network are drawn as one.
Json& network_of(Json& networks, const Json& one, const std::string& name) {
    for (Json& known : networks) {
        if (known.at("digest") == one.at("digest")) return known;
    }
    Json network = {{"name", name}};
    for (const char* const field :
         {"digest", "topology", "routing", "pattern", "clock_ns", "message_bytes"}) {
        network[field] = one.value(field, Json());
    }
    networks.push_back(std::move(network));
    return networks.back();
}

/// Names that several networks have get the kind of network behind them.
void tell_apart(Json& networks) {
    std::multiset<std::string> names;
    for (const Json& network : networks) names.insert(network.at("name").get<std::string>());
    for (Json& network : networks) {
        const auto name = network.at("name").get<std::string>();
        if (names.count(name) == 1) continue;
        network["name"] = name + " (" + network.at("digest").get<std::string>().substr(0, 8) + ")";
    }
}

}  // namespace

LoadsFile read_loads(const std::string& path) {
    constexpr const char* kRemedy =
        "flitscope curve CONFIG.yaml --json > FILE.json, or saturate likewise, makes one";
    constexpr std::size_t kMostBytes = std::size_t{64} << 20;
    const std::string text = read_input_file(path, "file of loads", kMostBytes);
    LoadsFile file{path, Json::parse(text, nullptr, false)};
    try {
        for (const Json& one : measurements(file)) require_measurement(one, file);
    } catch (const Json::exception&) {
        throw ConfigError({path, 0, 0}, "is not the output of curve or saturate --json", kRemedy);
    }
    return file;
}

Json loads_page_json(const std::vector<LoadsFile>& files, const std::string& command) {
    Json networks = Json::array();
    for (const LoadsFile& file : files) {
        for (const Json& one : measurements(file)) {
            Json& network = network_of(networks, one, name_of(one, file));
            const char* const kind = one.contains(kPoints) ? "curve" : "saturation";
            if (network.contains(kind)) {
                throw ConfigError({file.path, 0, 0},
                                  std::string("has a second ") + kind + " of " +
                                      printable(network.at("name").get<std::string>()) +
                                      ", of the same network and traffic",
                                  "leave one of them out");
            }
            network[kind] = one;
        }
    }
    tell_apart(networks);
    std::string title = "loads of";
    for (const Json& network : networks) {
        title +=
            (&network == &networks.front() ? " " : ", ") + network.at("name").get<std::string>();
    }
    return {{"page", "loads"},
            {"title", std::move(title)},
            {"provenance", {{"version", version()}, {"command", command}}},
            {"networks", std::move(networks)}};
}

}  // namespace flitscope
