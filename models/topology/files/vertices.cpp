// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/files/vertices.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/base/did_you_mean.h"
#include "models/base/limits.h"
#include "models/base/printable.h"

namespace flitscope::graph_file {
namespace {

constexpr const char* kEndpoint = "endpoint";
constexpr const char* kAt = "at";
constexpr const char* kNodesOfRouter = "nodes";

}  // namespace

const std::vector<std::string>& VertexAttributes::names() {
    static const std::vector<std::string> all = {kEndpoint, kAt, kNodesOfRouter};
    return all;
}

void VertexAttributes::read(Assembler& assembler, const std::string& name, const std::string& text,
                            Place where) {
    if (name == kAt) {
        at = text;
        place = where;
    } else if (name == kNodesOfRouter) {
        nodes = assembler.number(name, text, where, {0, kMaxNodes});
    } else {
        endpoint = assembler.truth(name, text, where);
    }
}

std::size_t Vertices::add(const std::string& name) {
    const auto [entry, is_new] = index_.insert({name, names_.size()});
    if (is_new) names_.push_back(name);
    return entry->second;
}

std::optional<std::size_t> Vertices::find(const std::string& name) const {
    const auto entry = index_.find(name);
    return entry == index_.end() ? std::nullopt : std::optional(entry->second);
}

std::string Vertices::quoted(std::size_t index) const {
    return fmt::format("'{}'", excerpt(names_[index]));
}

void Vertices::number(Assembler& assembler, std::vector<VertexAttributes> attributes) {
    if (names_.size() > kMaxNodes) {
        assembler.fail({}, fmt::format("{} nodes, more than {}", names_.size(), kMaxNodes));
        assembler.throw_if_findings();
    }
    attributes_ = std::move(attributes);
    for (std::size_t i = 0; i < names_.size(); ++i) {
        if (!is_node(i)) routers_.push_back(i);
        has_separate_nodes_ = has_separate_nodes_ || is_node(i) || attributes_[i].nodes;
    }
    const std::size_t before = assembler.finding_count();
    check_attributes(assembler);
    check_names(assembler);
    count_nodes(assembler);
    if (are_numbers_) check_numbers(assembler);
    if (assembler.finding_count() != before) assembler.throw_if_findings();
    number_routers();
    place_nodes(assembler);
}

void Vertices::check_attributes(Assembler& assembler) const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const VertexAttributes& said = attributes_[i];
        if (said.nodes && said.endpoint) {
            assembler.fail(said.place,
                           fmt::format("router {} has both 'nodes' and 'endpoint'", quoted(i)),
                           "leave 'endpoint' out; a switch has nodes=0");
        }
        if (said.at && (said.nodes || !said.endpoint.value_or(true))) {
            assembler.fail(said.place,
                           fmt::format("{} has 'at', which makes it a node, and '{}', which is for "
                                       "routers",
                                       quoted(i), said.nodes ? kNodesOfRouter : kEndpoint),
                           "leave one of them out");
        }
    }
}

void Vertices::check_names(Assembler& assembler) {
    const auto is_number = [this](std::size_t i) { return kinds::is_digits(names_[i]); };
    are_numbers_ = !routers_.empty() && std::all_of(routers_.begin(), routers_.end(), is_number);
    if (!are_numbers_ && std::any_of(routers_.begin(), routers_.end(), is_number)) {
        assembler.fail({}, "some nodes have numbers for names and some have not",
                       "number all of them from 0, or give all of them names");
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
        if (!is_node(i) || !is_number(i)) continue;
        assembler.fail(attributes_[i].place,
                       fmt::format("node {} has 'at', and a number for its name", quoted(i)),
                       "give it a name; numbers are those of routers");
        return;
    }
}

/// Findings on names that are numbers.
void Vertices::check_numbers(Assembler& assembler) const {
    std::optional<std::size_t> first_switch;
    for (std::size_t number = 0; number < routers_.size(); ++number) {
        const auto found = index_.find(std::to_string(number));
        if (found == index_.end()) {
            assembler.fail({},
                           fmt::format("{} nodes have numbers for names, but {} is not among them",
                                       routers_.size(), number),
                           "number them from 0 without a gap, or give them names");
            return;
        }
        if (has_separate_nodes_) continue;
        if (unnamed_[found->second] == 0) {
            if (!first_switch) first_switch = number;
        } else if (first_switch) {
            assembler.fail({},
                           fmt::format("node {} sends and receives, and node {} before it is a "
                                       "switch",
                                       number, *first_switch),
                           "give switches the last numbers, or all nodes names");
            return;
        }
    }
}

void Vertices::count_nodes(Assembler& assembler) {
    const bool has_named_nodes = routers_.size() < names_.size();
    std::uint64_t count = names_.size() - routers_.size();
    unnamed_.assign(names_.size(), 0);
    for (const std::size_t router : routers_) {
        const bool has_own = attributes_[router].endpoint.value_or(!has_named_nodes);
        unnamed_[router] = attributes_[router].nodes.value_or(has_own ? 1 : 0);
        count += unnamed_[router];
    }
    if (!names_.empty() && count == 0) {
        assembler.fail({}, "all nodes are switches",
                       has_separate_nodes_
                           ? "give a router nodes=1"
                           : "remove endpoint=false from a node that sends and receives");
    }
    if (count > kMaxNodes) {
        assembler.fail({}, fmt::format("{} nodes, more than {}", count, kMaxNodes));
    }
}

void Vertices::number_routers() {
    std::vector<std::size_t> in_order = routers_;
    if (are_numbers_) {
        for (const std::size_t router : routers_) {
            in_order[*kinds::to_unsigned(names_[router])] = router;
        }
    } else if (!has_separate_nodes_) {
        std::stable_partition(in_order.begin(), in_order.end(),
                              [this](std::size_t router) { return unnamed_[router] > 0; });
    }
    routers_ = std::move(in_order);
    to_.assign(names_.size(), std::nullopt);
    for (std::size_t number = 0; number < routers_.size(); ++number) {
        to_[routers_[number]] = RouterId(static_cast<std::uint32_t>(number));
    }
}

RouterId Vertices::router_at(Assembler& assembler, std::size_t node) const {
    const std::string& name = *attributes_[node].at;
    const std::optional<std::size_t> router = find(name);
    if (!router) {
        assembler.fail(attributes_[node].place,
                       fmt::format("node {} is at '{}', and no router has that name", quoted(node),
                                   excerpt(name)),
                       did_you_mean(nearest(name, names_), "a router is a vertex without 'at'"));
    } else if (is_node(*router)) {
        assembler.fail(
            attributes_[node].place,
            fmt::format("node {} is at {}, which is a node, too", quoted(node), quoted(*router)),
            "name a router: a vertex without 'at'");
    } else {
        return *to_[*router];
    }
    return RouterId(0);
}

void Vertices::place_nodes(Assembler& assembler) const {
    std::vector<RouterId> router_of;
    std::vector<std::string> names;
    for (const std::size_t router : routers_) {
        router_of.insert(router_of.end(), unnamed_[router], *to_[router]);
    }
    const bool has_named_nodes = routers_.size() < names_.size();
    for (std::size_t node = 0; has_named_nodes && node < router_of.size(); ++node) {
        names.push_back(std::to_string(node));
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
        if (!is_node(i)) continue;
        router_of.push_back(router_at(assembler, i));
        names.push_back(names_[i]);
    }
    assembler.set_router_count(static_cast<std::uint32_t>(routers_.size()));
    assembler.set_places(std::move(router_of));
    if (has_separate_nodes_) assembler.separate_nodes();
    std::vector<std::string> router_names;
    for (const std::size_t router : routers_) router_names.push_back(names_[router]);
    if (are_numbers_) router_names.clear();
    assembler.set_names(std::move(router_names), std::move(names));
}

std::optional<RouterId> Vertices::end_of_link(Assembler& assembler, Place link,
                                              std::size_t index) const {
    if (!to_[index]) {
        assembler.fail(
            link, fmt::format("a link of {}, which is a node because it has 'at'", quoted(index)),
            "links join routers: leave the link or 'at' out");
    }
    return to_[index];
}

std::optional<RouterId> Vertices::placed(Assembler& assembler, Place place,
                                         std::size_t index) const {
    if (!to_[index]) {
        assembler.fail(place, fmt::format("node {} is where its router is", quoted(index)),
                       "row and column are for routers");
    }
    return to_[index];
}

}  // namespace flitscope::graph_file
