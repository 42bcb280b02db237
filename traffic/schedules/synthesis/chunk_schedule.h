// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A schedule as data: in every round nodes hand chunks to others. Searches make it, chunk_check.h
// proves it, and a program of steps plays it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "traffic/program/program.h"
#include "traffic/schedules/synthesis/neighbours.h"
#include "traffic/schedules/synthesis/task/collective.h"

namespace flitscope::synthesis {

/// A message with one chunk, or its part of one.
struct ChunkMove {
    NodeId from = 0;
    NodeId to = 0;
    PortId port = 0;     ///< to leave by if nodes have a channel for every link, else 0
    PortId arrival = 0;  ///< the same at the receiver
    std::uint64_t chunk = 0;
    bool combines = false;     ///< with the receiver's data; otherwise replaces it
    std::uint32_t rounds = 1;  ///< that it takes, from this one on: over a slow link several
    Cycle begin = 0;           ///< start of the send, if moves begin by the clock
};

/// A schedule. In every round nodes send data that they had before it; received data is available
/// when the rounds of its move are over.
struct ChunkSchedule {
    Task task;
    std::string method;  ///< that found it
    /// In timetables, those that begin within the time that a message takes at its source, as many
    /// rounds as the schedule takes such times.
    std::vector<std::vector<ChunkMove>> rounds;
    /// Moves begin in their cycle; otherwise a node begins its next round when its sends and
    /// receives of this one are done.
    bool by_the_clock = false;
    Cycle period = 0;  ///< from the start of a round to that of the next, if all are equal
    /// If no message waits: its cycles, for a timetable at most as many (MessageRoutes).
    Cycle cycles = 0;
    /// Moves of a round between the same two nodes, listed one after the other, are one message.
    bool merges = false;
    /// If messages may wait for each other, or rounds differ: about how many cycles it takes.
    Cycle expected = 0;

    std::uint64_t moves() const;
    /// Whether each move begins in a cycle of its own, not with its round.
    bool has_own_begins() const { return by_the_clock && period == 0; }
};

/// The chunk over a link of a search.
ChunkMove move_over(const NeighbourLink& link, std::uint64_t chunk, bool combines = false);

/// Runs the rounds backwards from the last one: a move that ends in a round begins in its
/// counterpart.
std::vector<std::vector<ChunkMove>> reversed_in_time(std::vector<std::vector<ChunkMove>> rounds);

/// Reverses rounds: a spread of chunks, played backwards, combines them over the same paths.
std::vector<std::vector<ChunkMove>> played_backwards(std::vector<std::vector<ChunkMove>> spreading);

/// The program of steps, one for each round. Moves that are one message are one transfer. Chunks
/// without bytes, which short vectors among many nodes have, are left out. With a period it is a
/// timed program, in which steps are labels, and a forwarded chunk comes after the messages that
/// brought it.
Program to_program(const ChunkSchedule& schedule, const std::string& name);

}  // namespace flitscope::synthesis
