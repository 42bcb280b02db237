// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Plays recorded pins (rtl_vectors.cpp) to the netlist of a router that gets its routes at pins,
// looked up here, and compares what it does with what the RTL with a routing table did. Defines:
// NETLIST, PORTS, VCS, VC_BITS, FLIT_BITS, PORT_BITS, ENTRIES, CYCLES, VECTORS (file), TABLE (file).
`timescale 1ns / 1ps
module netlist_bench;
    localparam SIDE = `PORTS + `PORTS * `VC_BITS + 2 * `PORTS + `PORTS * `FLIT_BITS + `PORTS * `VCS;
    localparam ENTRY = `PORT_BITS + `VCS;

    reg clk = 0, rst_n = 0;

    reg [2*SIDE-1:0] vectors [0:`CYCLES-1];
    reg [`ENTRIES*ENTRY-1:0] file [0:0];
    reg [`ENTRIES*ENTRY-1:0] entries = 0;

    reg [`PORTS-1:0] valid = 0, head = 0, tail = 0;
    reg [`PORTS*`VC_BITS-1:0] vc = 0;
    reg [`PORTS*`FLIT_BITS-1:0] data = 0;
    reg [`PORTS*`VCS-1:0] credit = 0;
    wire [`PORTS-1:0] valid_o, head_o, tail_o;
    wire [`PORTS*`VC_BITS-1:0] vc_o;
    wire [`PORTS*`FLIT_BITS-1:0] data_o;
    wire [`PORTS*`VCS-1:0] credit_o;
    reg [`PORTS-1:0] want_valid, want_head, want_tail;
    reg [`PORTS*`VC_BITS-1:0] want_vc;
    reg [`PORTS*`FLIT_BITS-1:0] want_data;
    reg [`PORTS*`VCS-1:0] want_credit;

    wire [`PORTS*`PORT_BITS-1:0] route_port;
    wire [`PORTS*`VCS-1:0] route_vcs;
    genvar g;
    generate
        for (g = 0; g < `PORTS; g = g + 1) begin : gen_route
            wire [15:0] destination = data[g*`FLIT_BITS+:16];
            assign {route_port[g*`PORT_BITS+:`PORT_BITS], route_vcs[g*`VCS+:`VCS]} =
                entries[(destination % `ENTRIES)*ENTRY+:ENTRY];
        end
    endgenerate

    `NETLIST dut (
        .clk_i(clk), .rst_ni(rst_n), .node_i(16'd0), .fields_i(0),
        .table_write_i(1'b0), .table_address_i(16'd0),
        .table_port_i(route_port), .table_vcs_i(route_vcs),
        .flit_valid_i(valid), .flit_vc_i(vc), .flit_head_i(head), .flit_tail_i(tail),
        .flit_data_i(data), .credit_o(credit_o),
        .flit_valid_o(valid_o), .flit_vc_o(vc_o), .flit_head_o(head_o), .flit_tail_o(tail_o),
        .flit_data_o(data_o), .credit_i(credit));

    integer i, p, mismatches, flits;

    task clock;
        begin
            #10 clk = 1;
            #10 clk = 0;
        end
    endtask

    initial begin
        mismatches = 0;
        flits = 0;
        $readmemh(`VECTORS, vectors);
        $readmemh(`TABLE, file);
        entries = file[0];
        for (i = 0; i < 4; i = i + 1) clock;
        rst_n = 1;
        clock;
        for (i = 0; i < `CYCLES; i = i + 1) begin
            {valid, vc, head, tail, data, credit,
             want_valid, want_vc, want_head, want_tail, want_data, want_credit} = vectors[i];
            #5;
            if (valid_o !== want_valid || credit_o !== want_credit) mismatches = mismatches + 1;
            for (p = 0; p < `PORTS; p = p + 1) begin
                if (want_valid[p]) begin
                    flits = flits + 1;
                    if (head_o[p] !== want_head[p] || tail_o[p] !== want_tail[p] ||
                        vc_o[p*`VC_BITS+:`VC_BITS] !== want_vc[p*`VC_BITS+:`VC_BITS] ||
                        data_o[p*`FLIT_BITS+:`FLIT_BITS] !== want_data[p*`FLIT_BITS+:`FLIT_BITS])
                        mismatches = mismatches + 1;
                end
            end
            clock;
        end
        $display("cycles %0d flits %0d mismatches %0d", `CYCLES, flits, mismatches);
        $finish;
    end
endmodule
