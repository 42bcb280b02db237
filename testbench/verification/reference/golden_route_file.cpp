// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/reference/golden_route_file.h"

#include <fstream>
#include <sstream>
#include <vector>

namespace flitscope {
namespace {

/// Whether a file of routes means that link of the router: by the number of the router it leads
/// to, or by its name, link_000_001 or link_000_001_2.
bool is_named(const Link& link, const std::string& text) {
    std::istringstream parts(text);
    std::vector<std::string> words;
    for (std::string word; std::getline(parts, word, '_');) words.push_back(word);
    if (words.size() == 1) return link.to.number() == std::stoul(text);
    const std::size_t rank = words.size() > 3 ? std::stoul(words[3]) : 0;
    return link.to.number() == std::stoul(words[2]) && link.rank == rank;
}

class GoldenRouteFile final : GoldenPaths {
public:
    explicit GoldenRouteFile(const GoldenPaths& paths) : GoldenPaths(paths) {}

    GoldenTable table(const std::string& path) const {
        GoldenTable for_one(graph_);
        GoldenTable for_all(graph_);
        std::ifstream file(path);
        std::string line;
        std::getline(file, line);
        while (std::getline(file, line)) {
            std::istringstream cells(line);
            std::string at;
            std::string to;
            std::string next;
            std::string channels;
            std::getline(cells, at, ',');
            std::getline(cells, to, ',');
            std::getline(cells, next, ',');
            std::getline(cells, channels, ',');
            const RouterId router(static_cast<std::uint32_t>(std::stoul(at)));
            RouteChoice choice;
            for (const LinkId id : links_from_[router]) {
                const Link& link = graph_.link(id);
                if (is_named(link, next)) choice.port = link.from_port;
            }
            std::istringstream numbers(channels);
            unsigned mask = 0;
            for (unsigned vc = 0; numbers >> vc;) mask |= 1U << vc;
            if (mask != 0) choice.virtual_channels = static_cast<VcMask>(mask);
            for (const NodeId destination : destinations()) {
                if (router_of(destination) == router) continue;
                if (to == "*") {
                    for_all.set(router, destination, choice);
                } else if (destination == std::stoul(to)) {
                    for_one.set(router, destination, choice);
                }
            }
        }
        for_one.add_missing(for_all);
        return for_one;
    }
};

}  // namespace

GoldenTable golden_route_file(const GoldenPaths& paths, const std::string& path) {
    return GoldenRouteFile(paths).table(path);
}

}  // namespace flitscope
