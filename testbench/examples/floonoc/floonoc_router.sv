// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The router of FlooNoC (Fischer et al. 2025) with one channel and XY routing, behind the pins for
// which flitscope has an adapter (hw/rtl/README.md, "A router with valid and ready").

module floonoc_router
    import floo_pkg::*;
#(
    parameter int unsigned Ports = 5,
    parameter int unsigned DataBits = 64,
    parameter int unsigned InFifoDepth = 2,
    parameter int unsigned OutFifoDepth = 2
) (
    input  logic                                clk,
    input  logic                                rst,
    input  logic [15:0]                         my_node,
    input  logic [1:0][15:0]                    coordinate_masks,
    input  logic [Ports-1:0]                    in_valid,
    output logic [Ports-1:0]                    in_ready,
    input  logic [Ports-1:0][DataBits+1:0]      in_flit,
    output logic [Ports-1:0]                    out_valid,
    input  logic [Ports-1:0]                    out_ready,
    output logic [Ports-1:0][DataBits+1:0]      out_flit
);
    typedef struct packed {logic port_id; logic [15:0] y, x;} id_t;
    typedef struct packed {id_t dst_id; logic last;} hdr_t;
    typedef struct packed {hdr_t hdr; logic [DataBits+1:0] word;} flit_t;

    // Where coordinates are in the number of a node they can be compared.
    function automatic id_t place_of(input logic [15:0] node);
        return '{port_id: 1'b0, x: node & coordinate_masks[0], y: node & coordinate_masks[1]};
    endfunction

    // Our ports are the node, then + and - of each dimension.
    localparam route_direction_e [4:0] Direction = {South, North, West, East, Eject};

    logic [Ports-1:0][0:0] valid_i, ready_o, valid_o, ready_i;
    flit_t [Ports-1:0][0:0] data_i, data_o;

    for (genvar p = 0; p < Ports; p++) begin : gen_port
        localparam int unsigned D = int'(Direction[p]);
        assign valid_i[D] = in_valid[p];
        assign data_i[D] = {place_of(in_flit[p][15:0]), in_flit[p][DataBits], in_flit[p]};
        assign in_ready[p] = ready_o[D];
        assign out_valid[p] = valid_o[D];
        assign out_flit[p] = data_o[D][0].word;
        assign ready_i[D] = out_ready[p];
    end

    floo_router #(
        .NumRoutes(Ports), .NumVirtChannels(1), .flit_t(flit_t), .ChannelFifoDepth(InFifoDepth),
        .OutputFifoDepth(OutFifoDepth), .RouteAlgo(XYRouting), .id_t(id_t), .NumAddrRules(1)
    ) i_router (
        .clk_i(clk), .rst_ni(!rst), .test_enable_i(1'b0), .xy_id_i(place_of(my_node)),
        .id_route_map_i('0), .*
    );
endmodule
