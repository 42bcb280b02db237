// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What the ranks of a trace, or of a kernel, did until they had finished.
#pragma once

#include <iosfwd>

#include "testbench/app/report/json_writer.h"

namespace flitscope {

struct Explanation;
struct Machine;

/// A row per rank of a trace that has ended; if the run is explained, with the causes of its waits.
void write_ranks_csv(std::ostream& out, const Machine& machine, const Explanation& explanation);
/// The field `ranks` of an explained run.
void write_ranks(JsonWriter& json, const Explanation& explanation);
/// A table of those that wait longest; nothing if there are none.
void print_ranks(std::ostream& out, const Explanation& explanation);

}  // namespace flitscope
