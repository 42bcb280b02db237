// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The routers of mesh_4x4.yaml with wires and nothing else between them: what flitscope simulates, without
// flitscope. Reads packets, a line each of cycle, source and destination, by cycle; prints the number of
// each, from 0 on, and the cycle in which its last flit arrived. The test cli.floonoc builds and runs it.

module wired_mesh #(
    parameter int Side = 4,
    parameter int Flits = 5,  // per packet
    parameter int InFifoDepth = 2
);
    localparam int Nodes = Side * Side;
    localparam int Ports = 5;
    localparam int DataBits = 64;

    logic clk = 1'b0;
    logic rst = 1'b1;
    always #1 clk = !clk;

    logic [Nodes-1:0][Ports-1:0] in_valid, in_ready, out_valid, out_ready;
    logic [Nodes-1:0][Ports-1:0][DataBits+1:0] in_flit, out_flit;

    for (genvar n = 0; n < Nodes; n++) begin : gen_node
        localparam int X = n % Side;
        localparam int Y = n / Side;
        // Ports are the node, then + and - of each dimension.
        localparam int Neighbour[1:4] = '{
            X + 1 < Side ? n + 1 : -1, X > 0 ? n - 1 : -1,
            Y + 1 < Side ? n + Side : -1, Y > 0 ? n - Side : -1};

        floonoc_router #(.InFifoDepth(InFifoDepth)) i_router (
            .clk, .rst, .my_node(16'(n)),
            .coordinate_masks({16'(Side * (Side - 1)), 16'(Side - 1)}),
            .in_valid(in_valid[n]), .in_ready(in_ready[n]), .in_flit(in_flit[n]),
            .out_valid(out_valid[n]), .out_ready(out_ready[n]), .out_flit(out_flit[n])
        );
        assign out_ready[n][0] = 1'b1;
        for (genvar p = 1; p < Ports; p++) begin : gen_link
            localparam int Back = p % 2 == 1 ? p + 1 : p - 1;  // the port at the other end
            if (Neighbour[p] < 0) begin : gen_edge
                assign in_valid[n][p] = 1'b0;
                assign in_flit[n][p] = '0;
                assign out_ready[n][p] = 1'b0;
            end else begin : gen_wires
                assign in_valid[n][p] = out_valid[Neighbour[p]][Back];
                assign in_flit[n][p] = out_flit[Neighbour[p]][Back];
                assign out_ready[n][p] = in_ready[Neighbour[p]][Back];
            end
        end
    end

    // A queue of packets at every node, one flit per cycle.
    logic [63:0] queue[Nodes][$];  // {number, destination}
    int sent[Nodes];  // flits of the first
    int file, cycle, begins, source, destination, packets, arrived;
    bit has_more;

    function void read_packet();
        has_more = $fscanf(file, "%d %d %d", begins, source, destination) == 3;
    endfunction

    always @(negedge clk) begin  // between two edges: pins and registers are still
        if (rst) begin
            for (int n = 0; n < Nodes; n++) in_valid[n][0] = 1'b0;
        end else begin
            while (has_more && begins == cycle) begin
                queue[source].push_back({packets, destination});
                packets++;
                read_packet();
            end
            for (int n = 0; n < Nodes; n++) begin
                in_valid[n][0] = queue[n].size() != 0;
                if (in_valid[n][0]) begin
                    in_flit[n][0] = {sent[n] == 0, sent[n] == Flits - 1, queue[n][0]};
                end
            end
        end
    end

    always @(posedge clk) begin
        if (!rst) begin
            for (int n = 0; n < Nodes; n++) begin
                if (in_valid[n][0] && in_ready[n][0]) begin
                    sent[n] <= sent[n] == Flits - 1 ? 0 : sent[n] + 1;
                    if (sent[n] == Flits - 1) void'(queue[n].pop_front());
                end
                if (out_valid[n][0] && out_flit[n][0][DataBits]) begin
                    $display("%0d %0d", out_flit[n][0][DataBits-1:32], cycle);
                    arrived++;
                end
            end
            cycle <= cycle + 1;
            if (!has_more && arrived == packets) $finish;
        end
    end

    initial begin
        string name;
        if (!$value$plusargs("packets=%s", name)) $fatal(1, "+packets=FILE is missing");
        file = $fopen(name, "r");
        if (file == 0) $fatal(1, "there is no file %s", name);
        read_packet();
        repeat (4) @(negedge clk);
        rst = 1'b0;
    end
endmodule
