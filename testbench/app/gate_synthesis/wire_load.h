// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Wires between the cells of a circuit that is not placed, as OpenSTA loads nets with them.
#pragma once

#include <cstdint>
#include <string>

#include "models/config/technology_config.h"
#include "testbench/app/gate_synthesis/cell_library.h"

namespace flitscope {

/// The mean length of a connection between two cells of a circuit, in pitches of cells on a square:
/// W. E. Donath, Placement and average interconnection lengths of computer logic, IEEE Trans.
/// Circuits and Systems 26(4), 1979, with a Rent exponent of 0.6; an upper bound of what
/// placement finds. 0 for less than two cells.
double mean_connection_pitches(std::uint64_t cells);

/// The same in um, for cells that cover 70 % of their square.
double mean_connection_um(double area_um2, std::uint64_t cells);

/// Throws ConfigError if `wires` is kLibrary and the library has no models of wire loads.
void require_wire_loads(const CellLibrary& library, WireLoad wires);

/// The library of wire_library() has a load that OpenSTA would not use otherwise: it loads nets by
/// the model of a library that has one, also where no wires are asked for.
bool needs_wire_library(const CellLibrary& library, WireLoad wires);

/// A library in liberty format of one wire load model: for every sink of a net a wire of so many um
/// and 0.2 fF/um (R. Ho, K. W. Mai and M. A. Horowitz, The future of wires, Proc. IEEE 89(4), 2001:
/// about that in every generation), without resistance.
std::string wire_library(double um_per_sink);
/// The length in it: nothing without wires.
double um_per_sink(WireLoad wires, double area_um2, std::uint64_t cells);

/// The commands of OpenSTA that read that library, called `file`, and after the circuit is linked
/// those that set the wire loads; empty where none are to be set.
std::string read_wires(const CellLibrary& library, WireLoad wires, const char* file);
std::string set_wires(const CellLibrary& library, WireLoad wires);

/// For the conditions of a figure: "no wire load".
std::string wires_text(WireLoad wires);

}  // namespace flitscope
