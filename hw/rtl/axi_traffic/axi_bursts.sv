// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Addresses of bursts, and where this test bench's managers keep their data: each has, in every target,
// `Words` words for each of four of its IDs. In simulation only.

package axi_bursts;

    localparam int AddressBits = axi_bench_pkg::AddressBits;
    localparam int IdBits = axi_bench_pkg::IdBits;
    /// Payload of the channels at a manager; at a target those without answers have no ID.
    localparam int CommandBits = AddressBits + axi_pkg::ControlBits;
    localparam int WriteBits = 64 + 8 + 1;       // {data, strb, last}
    localparam int AnswerBits = IdBits + 2;      // {id, resp}
    localparam int ReadBits = IdBits + 64 + 2 + 1;  // {id, data, resp, last}
    localparam int Words = axi_bench_pkg::Words;
    localparam int UsedIds = 4;

    localparam logic [1:0] Fixed = 2'd0;
    localparam logic [1:0] Incr = 2'd1;
    localparam logic [1:0] Wrap = 2'd2;

    /// A burst to a target, or to an address that belongs to none: target is Targets.
    typedef struct packed {
        logic [15:0] target;
        logic [AddressBits-1:0] address;
        logic [7:0] len;
        logic [2:0] size;
        logic [1:0] burst;
    } burst_t;

    /// The k-th of the IDs that a manager uses.
    function automatic logic [IdBits-1:0] id_of(input int k);
        id_of = IdBits'(k * ((1 << IdBits) / UsedIds));
    endfunction

    /// Its first address in a target.
    function automatic logic [AddressBits-1:0] slice_of(input int target, input int manager, input int k);
        slice_of = axi_bench_pkg::Bases[target*AddressBits+:AddressBits]
            + AddressBits'((manager * UsedIds + k) * Words * 8);
    endfunction

    /// A burst of the address channels' payload, {address, len, size, burst, cache, prot}.
    function automatic burst_t burst_of(input logic [CommandBits-1:0] command);
        burst_of = {16'd0, command[CommandBits-1:7]};
    endfunction
    function automatic logic [CommandBits-1:0] command_of(input burst_t one);
        command_of = {one.address, one.len, one.size, one.burst, 4'd0, 3'd0};
    endfunction

    /// Address of beat `i` of a burst (AXI4, A3.4.1). Those that wrap have beats of a word.
    function automatic logic [AddressBits-1:0] beat_address(input burst_t one, input int i);
        logic [AddressBits-1:0] step, mask;
        step = AddressBits'(i) << one.size;
        mask = (AddressBits'(one.len) + 1'b1) * 8 - 1'b1;
        if (one.burst == Fixed) beat_address = one.address;
        else if (one.burst == Wrap) beat_address = (one.address & ~mask) | ((one.address + step) & mask);
        else beat_address = one.address + step;
    endfunction

    /// Byte lanes of beat `i`.
    function automatic logic [7:0] lanes_of(input burst_t one, input int i);
        logic [AddressBits-1:0] address;
        address = beat_address(one, i);
        lanes_of = 8'((16'd1 << (16'd1 << one.size)) - 16'd1) << address[2:0];
    endfunction

    /// The bits of these lanes.
    function automatic logic [63:0] bits_of(input logic [7:0] lanes);
        for (int b = 0; b < 64; b++) bits_of[b] = lanes[b/8];
    endfunction

    /// What a memory contains at first.
    function automatic logic [63:0] initial_word(input logic [AddressBits-1:0] address);
        initial_word = (64'(address) >> 3) * 64'h9e3779b97f4a7c15;
    endfunction

endpackage
