// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedules/schedule_catalogue.h"

#include <algorithm>
#include <iterator>

namespace flitscope {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

void add_once(Names& names, const std::string& name) {
    if (!contains(names, name)) names.push_back(name);
}

std::vector<ScheduleKind> complete_exchanges() {
    return {
        {"pex",
         "complete exchange: step i pairs n with n XOR i; power-of-two nodes",
         {{"", "", "Thakur, Choudhary and Fox 1993, 3.1", {}}}},
        {"pex-gen",
         "complete exchange: PEX of the next power of two, partners missing left out",
         {{"", "", "Thakur, Choudhary and Fox 1993, 3.2", {}}}},
        {"pex-gen-shift",
         "complete exchange: PEX-GEN with the nodes in the middle of the range",
         {{"", "", "Thakur, Choudhary and Fox 1993, 3.3", {}}}},
        {"gen",
         "complete exchange: step i sends n to n + i modulo the node count",
         {{"", "", "Thakur, Choudhary and Fox 1993, 3.4", {}}}},
        {"naive",
         "complete exchange: every node sends to all others without waiting",
         {{"from_next", "n sends to n + 1, n + 2, ...", "Bokhari and Nicol 1996, 6", {}},
          {"from_zero",
           "n sends to 0, 1, 2, ...: all begin with the same destinations",
           "Bokhari and Nicol 1996, 6",
           {}}}},
        {"bounded-contention",
         "complete exchange on meshes and tori: at most `contention` messages per link and step",
         {{"", "", "Scott 1991; Bokhari and Nicol 1996, 4, 5", {"contention"}}}},
        {"aap",
         "complete exchange on hypercubes in edge-disjoint steps",
         {{"by_size", "larger sets of dimensions first", "Boppana and Raghavendra 1990, 3.2", {}},
          {"interleaved",
           "a set of dimensions and its complement per step: the second set-up overlaps the first "
           "message",
           "Boppana and Raghavendra 1990, 3.3, corrected",
           {}},
          {"interleaved_small_first",
           "the same with the smaller set of the two first",
           "Boppana and Raghavendra 1990, 3.3, corrected",
           {}},
          {"interleaved_waiting",
           "all sets without a pause: headers wait on the free prefix of their paths",
           "Boppana and Raghavendra 1990, 3.3, corrected",
           {}}}},
        {"recursive-exchange",
         "complete exchange by recursive doubling: lg nodes steps of combined messages",
         {{"", "", "Johnsson and Ho 1989; Thakur, Rabenseifner and Gropp 2005, all-to-all", {}}}},
        {"relayed-exchange",
         "complete exchange from neighbour to neighbour on HOWs and generalized hypercubes: rings "
         "or relay lines, by `node.port_model`",
         {{"windows", "store and forward, in steps", "Ziavras et al., 4.4, 5.4, corrected", {}},
          {"windows_wormhole",
           "the same, every block flowing through the nodes",
           "Ziavras et al., 4.4, 5.4, corrected",
           {}}}},
    };
}

std::vector<ScheduleKind> collectives() {
    return {
        {"broadcast",
         "root to all",
         {{"binomial",
           "the nodes informed double in every step; any network",
           "Johnsson and Ho 1989; Thakur, Rabenseifner and Gropp 2005, broadcast",
           {"root"}},
          {"dimension_order",
           "halving along one dimension after the other, links of a step disjoint on meshes; the "
           "spanning binomial tree of a hypercube",
           "McKinley et al. 1994; Barnett et al. 1996; Johnsson and Ho 1989",
           {"root"}},
          {"scatter_allgather",
           "binomial scatter, then the pieces round a ring; any network",
           "Barnett et al. 1994; Thakur, Rabenseifner and Gropp 2005, broadcast",
           {"root"}},
          {"scatter_doubling",
           "binomial scatter, then recursive doubling; power-of-two nodes",
           "Barnett et al. 1994; Thakur, Rabenseifner and Gropp 2005, broadcast",
           {"root"}},
          {"pipelined_chain",
           "`pieces` pieces along a chain of links, one behind the other; any network",
           "Watts and van de Geijn 1995; Patarasuk, Yuan and Faraj 2008",
           {"root", "pieces"}},
          {"pipelined_tree",
           "`pieces` pieces down a binary tree; any network",
           "Patarasuk, Yuan and Faraj 2008",
           {"root", "pieces"}},
          {"windows",
           "from neighbour to neighbour on HOWs and generalized hypercubes, in steps",
           "Ziavras et al., 4.1, 5.1, corrected",
           {"root"}},
          {"windows_wormhole",
           "the same, every block flowing through the nodes",
           "Ziavras et al., 4.1, 5.1, corrected",
           {"root"}}}},
        {"reduce",
         "the vectors of all nodes combined at the root",
         {{"binomial",
           "the nodes that have not handed theirs over halve in every step; any network",
           "Thakur, Rabenseifner and Gropp 2005, reduce; Chan et al. 2007",
           {"root"}},
          {"dimension_order",
           "the broadcast of that name backwards, links of a step disjoint on meshes",
           "Barnett et al. 1996; Johnsson and Ho 1989",
           {"root"}},
          {"pipelined_chain",
           "`pieces` pieces along a chain of links to the root; any network",
           "Watts and van de Geijn 1995",
           {"root", "pieces"}}}},
        {"allreduce",
         "the vectors of all nodes combined at every node",
         {{"recursive_doubling",
           "exchange of whole vectors with n XOR 2^k; any network",
           "Thakur, Rabenseifner and Gropp 2005, reduce and allreduce",
           {}},
          {"rabenseifner",
           "recursive halving, then recursive doubling; any network",
           "Rabenseifner 2004; Thakur, Rabenseifner and Gropp 2005, reduce and allreduce",
           {}},
          {"ring",
           "reduce-scatter, then allgather round a ring of links; any network",
           "Patarasuk and Yuan 2009",
           {}},
          {"reduce_broadcast",
           "binomial reduction, then binomial broadcast; any network",
           "Chan et al. 2007",
           {"root"}}}},
        {"reduce-scatter",
         "block n of the vectors of all nodes combined at node n",
         {{"ring",
           "every block once round a ring of links; any network",
           "Patarasuk and Yuan 2009",
           {}},
          {"recursive_halving",
           "exchange of halves with n XOR 2^k; power-of-two nodes",
           "Thakur, Rabenseifner and Gropp 2005, reduce-scatter",
           {}}}},
        {"allgather",
         "all to all, one block each",
         {{"ring",
           "each passes on to its successor what it received; any network",
           "Thakur, Rabenseifner and Gropp 2005, allgather; Patarasuk and Yuan 2009",
           {}},
          {"recursive_doubling",
           "exchange with n XOR 2^k of all blocks held; power-of-two nodes",
           "Johnsson and Ho 1989; Thakur, Rabenseifner and Gropp 2005, allgather",
           {}},
          {"windows",
           "from neighbour to neighbour on HOWs and generalized hypercubes, in steps",
           "Ziavras et al., 4.2, 5.2, corrected",
           {}},
          {"windows_wormhole",
           "the same, every block flowing through the nodes",
           "Ziavras et al., 4.2, 5.2, corrected",
           {}}}},
        {"scatter",
         "root sends each node its block",
         {{"direct",
           "one message per step to each node; any network",
           "Johnsson and Ho 1989",
           {"root"}},
          {"binomial",
           "the holder of blocks hands half of them on; any network",
           "Johnsson and Ho 1989; Barnett et al. 1994",
           {"root"}},
          {"windows",
           "from neighbour to neighbour on HOWs and generalized hypercubes, in steps",
           "Ziavras et al., 4.3, 5.3, corrected",
           {"root"}},
          {"windows_wormhole",
           "the same, every block flowing through the nodes",
           "Ziavras et al., 4.3, 5.3, corrected",
           {"root"}}}},
    };
}

std::vector<ScheduleKind> computations() {
    const std::vector<std::string> operands = {"operation", "values_per_node"};
    return {
        {"semigroup",
         "computes: the values of all nodes combined into one",
         {{"rows", "along one dimension after the other; grids, express meshes of layout full",
           "Cheung and Lau 1995, 4, 5 (Algorithms 1, 2)", operands},
          {"submeshes",
           "within submeshes, then among their terminals; express meshes, the default on layouts "
           "other than full",
           "Cheung and Lau 1995, 6 to 8 (Algorithm 3)", operands},
          {"row_major",
           "the same with the rows of a submesh kept apart, for values in the order of nodes",
           "Cheung and Lau 1995, 6 (Algorithm 4), corrected", operands},
          {"row_major_printed",
           "the same with phase 3 as printed, which needs an operation that commutes",
           "Cheung and Lau 1995, 6 (Algorithm 4)", operands}}},
        {"prefix",
         "computes: every value combined with all before it; grids, express meshes of layout full",
         {{"", "", "Cheung and Lau 1995, 9", operands}}},
        {"median-row",
         "computes: the row up to which half of all ones stand; where `prefix` works, two "
         "dimensions",
         {{"", "", "Cheung and Lau 1995, 9", {}}}},
        {"median",
         "computes: the median of a number at each node, by pivots; where `prefix` works",
         {{"", "", "Cheung and Lau 1995, 9", {}}}},
        {"closest-neighbour",
         "computes: for each one in a plane of bits the nearest other one; where `prefix` works, "
         "two dimensions",
         {{"", "", "Cheung and Lau 1995, 9", {}}}},
    };
}

}  // namespace

const std::vector<ScheduleKind>& schedule_kinds() {
    static const std::vector<ScheduleKind> kKinds = [] {
        std::vector<ScheduleKind> all;
        for (auto part : {complete_exchanges, collectives, computations}) {
            std::vector<ScheduleKind> kinds = part();
            std::move(kinds.begin(), kinds.end(), std::back_inserter(all));
        }
        return all;
    }();
    return kKinds;
}

const ScheduleKind* find_schedule_kind(const std::string& schedule) {
    for (const ScheduleKind& kind : schedule_kinds()) {
        if (kind.name == schedule) return &kind;
    }
    return nullptr;
}

const AlgorithmKind* find_algorithm_kind(const std::string& schedule,
                                         const std::string& algorithm) {
    const ScheduleKind* kind = find_schedule_kind(schedule);
    if (kind == nullptr) return nullptr;
    if (algorithm.empty()) return &kind->algorithms.front();
    for (const AlgorithmKind& variant : kind->algorithms) {
        if (variant.name == algorithm) return &variant;
    }
    return nullptr;
}

std::vector<std::string> schedule_names() {
    Names names;
    for (const ScheduleKind& kind : schedule_kinds()) names.push_back(kind.name);
    return names;
}

std::vector<std::string> algorithm_names() {
    Names names;
    for (const ScheduleKind& kind : schedule_kinds()) {
        for (const std::string& name : algorithms_of(kind.name)) add_once(names, name);
    }
    return names;
}

std::vector<std::string> algorithms_of(const std::string& schedule) {
    Names names;
    const ScheduleKind* kind = find_schedule_kind(schedule);
    if (kind == nullptr || !kind->has_variants()) return names;
    for (const AlgorithmKind& algorithm : kind->algorithms) names.push_back(algorithm.name);
    return names;
}

std::string alternatives(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
        text += '`' + names[i] + '`';
    }
    return text;
}

bool reads_key(const std::string& schedule, const std::string& algorithm, const std::string& key) {
    const auto reads = [&](const AlgorithmKind& kind) { return contains(kind.keys, key); };
    if (const AlgorithmKind* known = find_algorithm_kind(schedule, algorithm)) return reads(*known);
    const ScheduleKind* kind = find_schedule_kind(schedule);
    return kind != nullptr && std::any_of(kind->algorithms.begin(), kind->algorithms.end(), reads);
}

std::string readers_of(const std::string& key) {
    Names schedules;
    Names algorithms;
    for (const ScheduleKind& kind : schedule_kinds()) {
        const auto reads = [&](const AlgorithmKind& a) { return contains(a.keys, key); };
        if (std::all_of(kind.algorithms.begin(), kind.algorithms.end(), reads)) {
            schedules.push_back(kind.name);
            continue;
        }
        for (const AlgorithmKind& algorithm : kind.algorithms) {
            if (reads(algorithm)) add_once(algorithms, algorithm.name);
        }
    }
    std::string text = schedules.empty() ? "" : "schedule " + alternatives(schedules);
    if (algorithms.empty()) return text;
    return text + (text.empty() ? "" : ", ") + "algorithm " + alternatives(algorithms);
}

}  // namespace flitscope
