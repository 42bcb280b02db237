// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A small wormhole router for any network as somebody else might have built it: valid/ready for every
// virtual channel of every port, a routing table, no credits and no input buffers. An accepted flit is in
// the output register of its virtual channel from the next cycle on. It is an example of a router not
// made for flitscope, like valid_ready_router.sv.

module valid_ready_table_router #(
    parameter int unsigned Ports = 5,  // the nodes of the router, then its links
    parameter int unsigned VirtualChannels = 1,
    parameter int unsigned DataBits = 64,
    parameter int unsigned Destinations = 256,
    localparam int unsigned Channels = Ports * VirtualChannels,
    localparam int unsigned FlitBits = DataBits + 2,
    localparam int unsigned NodeBits = 16,
    localparam int unsigned PortBits = $clog2(Ports)
) (
    input  logic                         clk,
    input  logic                         rst,            // synchronous, active high
    input  logic [NodeBits-1:0]          my_node,
    // In reset: the output of a destination, and the virtual channels that are allowed there.
    input  logic                         table_write,
    input  logic [NodeBits-1:0]          table_address,
    input  logic [PortBits-1:0]          table_port,
    input  logic [VirtualChannels-1:0]   table_vcs,
    // Virtual channel v of port p is number p * VirtualChannels + v. A flit is {head, tail, data}; bits
    // 15:0 of a head's data are the destination. It moves in a cycle with valid and ready.
    input  logic [Channels-1:0]          in_valid,
    output logic [Channels-1:0]          in_ready,
    input  logic [Channels*FlitBits-1:0] in_flit,
    output logic [Channels-1:0]          out_valid,
    input  logic [Channels-1:0]          out_ready,
    output logic [Channels*FlitBits-1:0] out_flit
);

    localparam int unsigned IndexBits = $clog2(Destinations);

    logic [PortBits+VirtualChannels-1:0] entries_q [Destinations];
    always_ff @(posedge clk) begin
        if (table_write) entries_q[IndexBits'(table_address)] <= {table_port, table_vcs};
    end

    logic [Channels-1:0] head, tail;
    logic [Channels*Channels-1:0] wanted;  // [input][output]: where a head at the front goes
    logic [Channels*Channels-1:0] taken;   // [output][input]: moves into the output register

    generate
        for (genvar i = 0; i < Channels; i++) begin : gen_input
            localparam int unsigned Own = i % VirtualChannels;
            logic [PortBits-1:0] port;
            logic [VirtualChannels-1:0] allowed, vc;
            logic [Channels-1:0] taken_by;

            assign head[i] = in_flit[i*FlitBits+DataBits+1];
            assign tail[i] = in_flit[i*FlitBits+DataBits];
            assign {port, allowed} = entries_q[in_flit[i*FlitBits+:IndexBits]];
            // It stays on its virtual channel, or takes the first one that is allowed.
            assign vc = allowed[Own] ? VirtualChannels'(1) << Own : allowed & (~allowed + 1'b1);

            for (genvar o = 0; o < Channels; o++) begin : gen_output
                assign wanted[i*Channels+o] =
                    port == PortBits'(o / VirtualChannels) && vc[o%VirtualChannels];
                assign taken_by[o] = taken[o*Channels+i];
            end
            assign in_ready[i] = taken_by != '0;
        end

        for (genvar o = 0; o < Channels; o++) begin : gen_output
            logic space, valid_q;
            logic [Channels-1:0] request, grant, source;
            logic [Channels-1:0] owner_q;  // input whose packet is under way, or 0
            logic [FlitBits-1:0] flit, flit_q;

            for (genvar i = 0; i < Channels; i++) begin : gen_request
                assign request[i] = in_valid[i] && head[i] && wanted[i*Channels+o];
            end

            round_robin_arbiter #(
                .Requests(Channels)
            ) i_arbiter (
                .clk_i(clk),
                .rst_ni(!rst),
                .request_i(request),
                .advance_i(owner_q == '0 && space),
                .grant_o(grant)
            );

            assign space = !valid_q || out_ready[o];
            assign source = (owner_q != '0 ? owner_q : grant) & in_valid;
            assign taken[o*Channels+:Channels] = space ? source : '0;

            always_comb begin
                flit = '0;
                for (int unsigned i = 0; i < Channels; i++) begin
                    if (source[i]) flit = flit | in_flit[i*FlitBits+:FlitBits];
                end
            end

            always_ff @(posedge clk) begin
                if (rst) begin
                    valid_q <= 1'b0;
                    owner_q <= '0;
                end else if (space) begin
                    valid_q <= source != '0;
                    if (source != '0) owner_q <= (source & tail) != '0 ? '0 : source;
                end
                if (space) flit_q <= flit;
            end

            assign out_valid[o] = valid_q;
            assign out_flit[o*FlitBits+:FlitBits] = flit_q;
        end
    endgenerate

    logic unused;
    assign unused = &{1'b0, my_node, table_address};

endmodule
