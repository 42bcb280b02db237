// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A small wormhole router for a mesh as somebody else might have built it: valid/ready on every
// port, XY routing, no virtual channels, no credits and no input buffers. An accepted flit is in the
// output register of its port from the next cycle on. It is an example of a router not made for
// flitscope; valid_ready_adapter.sv adapts it.

module valid_ready_router #(
    parameter int unsigned Ports = 5,  // the node itself, then + and - of each dimension
    parameter int unsigned DataBits = 64,
    localparam int unsigned FlitBits = DataBits + 2,
    localparam int unsigned NodeBits = 16,
    localparam int unsigned Dimensions = (Ports - 1) / 2
) (
    input  logic                           clk,
    input  logic                           rst,              // synchronous, active high
    input  logic [NodeBits-1:0]            my_node,
    input  logic [Dimensions*NodeBits-1:0] coordinate_masks,
    // A flit is {head, tail, data}; bits 15:0 of a head's data are the destination. It moves in a
    // cycle with valid and ready. in_ready depends on in_valid; out_valid does not on out_ready.
    input  logic [Ports-1:0]               in_valid,
    output logic [Ports-1:0]               in_ready,
    input  logic [Ports*FlitBits-1:0]      in_flit,
    output logic [Ports-1:0]               out_valid,
    input  logic [Ports-1:0]               out_ready,
    output logic [Ports*FlitBits-1:0]      out_flit
);

    localparam int unsigned PortBits = $clog2(Ports);

    logic [Ports-1:0] head, tail;
    logic [Ports*PortBits-1:0] route;
    logic [Ports*Ports-1:0] taken;  // [output][input]: moves into the output register

    generate
        for (genvar i = 0; i < Ports; i++) begin : gen_input
            logic [Ports-1:0] taken_by;

            assign head[i] = in_flit[i*FlitBits+DataBits+1];
            assign tail[i] = in_flit[i*FlitBits+DataBits];

            route_mesh #(
                .Dimensions(Dimensions),
                .PortBits(PortBits)
            ) i_route (
                .node_i(my_node),
                .fields_i(coordinate_masks),
                .destination_i(in_flit[i*FlitBits+:NodeBits]),
                .port_o(route[i*PortBits+:PortBits])
            );

            for (genvar o = 0; o < Ports; o++) begin : gen_taken_by
                assign taken_by[o] = taken[o*Ports+i];
            end
            assign in_ready[i] = taken_by != '0;
        end

        for (genvar o = 0; o < Ports; o++) begin : gen_output
            logic space;
            logic [Ports-1:0] request, grant, source;
            logic [Ports-1:0] owner_q;  // input whose packet is under way, or 0
            logic valid_q;
            logic [FlitBits-1:0] flit, flit_q;

            for (genvar i = 0; i < Ports; i++) begin : gen_request
                assign request[i] =
                    in_valid[i] && head[i] && route[i*PortBits+:PortBits] == PortBits'(o);
            end

            round_robin_arbiter #(
                .Requests(Ports)
            ) i_arbiter (
                .clk_i(clk),
                .rst_ni(!rst),
                .request_i(request),
                .advance_i(owner_q == '0 && space),
                .grant_o(grant)
            );

            assign space = !valid_q || out_ready[o];
            assign source = (owner_q != '0 ? owner_q : grant) & in_valid;
            assign taken[o*Ports+:Ports] = space ? source : '0;

            always_comb begin
                flit = '0;
                for (int unsigned i = 0; i < Ports; i++) begin
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

endmodule
