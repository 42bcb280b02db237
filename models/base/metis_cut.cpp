// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/metis_cut.h"

#include <metis.h>

#include <new>
#include <stdexcept>
#include <type_traits>

#include "models/base/metis_guard.h"

namespace flitscope {

static_assert(std::is_same_v<idx_t, std::int32_t> && std::is_same_v<real_t, float>);

std::vector<std::int32_t> metis_cut(MetisGraph graph, std::int32_t parts,
                                    std::vector<float> shares) {
    auto vertices = static_cast<idx_t>(graph.first.size() - 1);
    idx_t constraints = 1;
    idx_t cut_weight = 0;
    std::vector<idx_t> options(METIS_NOPTIONS);
    METIS_SetDefaultOptions(options.data());
    options[METIS_OPTION_SEED] = 1;
    std::vector<idx_t> found(graph.first.size() - 1);
    const auto given = [](auto& list) { return list.empty() ? nullptr : list.data(); };
    const int status = [&] {
        const MetisGuard while_it_cuts;
        return METIS_PartGraphRecursive(&vertices, &constraints, graph.first.data(),
                                        graph.to.data(), given(graph.vertex_weights), nullptr,
                                        graph.edge_weights.data(), &parts, given(shares), nullptr,
                                        options.data(), &cut_weight, found.data());
    }();
    if (status == METIS_ERROR_MEMORY) throw std::bad_alloc();
    if (status != METIS_OK) throw std::runtime_error("METIS cannot cut a graph");
    return found;
}

}  // namespace flitscope
