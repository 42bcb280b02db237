// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The builders of the kernels (traffic/README.md, "Kernels"), and how many messages each needs.
#pragma once

#include "traffic/program/program.h"

namespace flitscope {

class Graph;
struct WorkloadConfig;

/// Every iteration: compute, then exchange faces with the neighbours in 2 or 3 dimensions.
Program halo_2d(const Graph& graph, const WorkloadConfig& config);
Program halo_3d(const Graph& graph, const WorkloadConfig& config);
std::uint64_t halo_messages(const Graph& graph, const WorkloadConfig& config,
                            std::uint32_t dimensions);

/// Sweeps from the four corners of a grid, each in blocks: a node computes a block when both its
/// neighbours upstream have sent their parts of it.
Program wavefront(const Graph& graph, const WorkloadConfig& config);
std::uint64_t wavefront_messages(const Graph& graph, const WorkloadConfig& config);

/// Three computations with a transposition between them, first in the rows, then in the columns of
/// a grid: the FFT of a volume in pencils.
Program fft_transpose(const Graph& graph, const WorkloadConfig& config);
std::uint64_t fft_messages(const Graph& graph, const WorkloadConfig& config);

/// One or more steps of training a neural network, with data, tensor and pipeline parallelism.
Program training_step(const Graph& graph, const WorkloadConfig& config);
std::uint64_t training_messages(const Graph& graph, const WorkloadConfig& config);

/// Every node sends to nodes drawn from the seed, which receive in order of arrival.
Program random_access(const Graph& graph, const WorkloadConfig& config);

}  // namespace flitscope
