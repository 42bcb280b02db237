// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Replays a run of the simulator on the fabric: puts every flit at the pins of its node in the cycle
// in which the simulator's network interface injected it, takes every flit that arrives, and compares
// cycle, node, virtual channel, marks and word with what the simulator saw. An unknown value (x), for
// example after a register without reset, is as wrong as another value. In simulation only.

module replay;

    import replay_types::flit_t;

    localparam int Nodes = fabric_pkg::Nodes;
    localparam int Vcs = fabric_pkg::VirtualChannels;
    localparam int VcBits = Vcs > 1 ? $clog2(Vcs) : 1;
    localparam int FlitBits = fabric_pkg::FlitBits;
    localparam int ResetCycles = 4;
    localparam int Settling = replay_types::Settling;

    logic [$bits(flit_t)-1:0] injections [0:replay_pkg::Flits-1];
    logic [$bits(flit_t)-1:0] deliveries [0:replay_pkg::Flits-1];

    logic clk = 1'b0;
    always #1 clk = !clk;

    logic rst_n, ready;
    logic [Nodes-1:0] inject_valid, inject_head, inject_tail, eject_valid, eject_head, eject_tail;
    logic [Nodes*VcBits-1:0] inject_vc, eject_vc;
    logic [Nodes*FlitBits-1:0] inject_data, eject_data;
    logic [Nodes*Vcs-1:0] inject_credit, eject_credit;

    fabric i_fabric (
        .clk_i(clk), .rst_ni(rst_n), .ready_o(ready),
        .inject_valid_i(inject_valid), .inject_vc_i(inject_vc), .inject_head_i(inject_head),
        .inject_tail_i(inject_tail), .inject_data_i(inject_data), .inject_credit_o(inject_credit),
        .eject_valid_o(eject_valid), .eject_vc_o(eject_vc), .eject_head_o(eject_head),
        .eject_tail_o(eject_tail), .eject_data_o(eject_data), .eject_credit_i(eject_credit)
    );

    // Nodes take every flit at once: its credit goes back in the same cycle.
    for (genvar n = 0; n < Nodes; n++) begin : gen_credit
        for (genvar v = 0; v < Vcs; v++) begin : gen_vc
            assign eject_credit[n*Vcs+v] =
                eject_valid[n] && (Vcs == 1 || eject_vc[n*VcBits+:VcBits] == VcBits'(v));
        end
    end

    int now = 0;     // the cycle
    int next = 0;    // flit to be injected
    int due = 0;     // flit to be delivered
    int packets = 0, credits = 0;

    task automatic inject;
        flit_t flit;
        int node;
        inject_valid = '0;
        if (next < replay_pkg::Flits) flit = injections[next];
        while (next < replay_pkg::Flits && int'(flit.cycle) == now) begin
            node = int'(flit.node);
            inject_valid[node] = 1'b1;
            inject_vc[node*VcBits+:VcBits] = VcBits'(flit.vc);
            inject_head[node] = flit.marks[1];
            inject_tail[node] = flit.marks[0];
            inject_data[node*FlitBits+:FlitBits] = replay_types::widened(flit.word);
            next++;
            if (next < replay_pkg::Flits) flit = injections[next];
        end
    endtask

    /// Whether what leaves at the node of a flit is this flit.
    function automatic logic leaves(input flit_t flit);
        int node;
        node = int'(flit.node);
        leaves = eject_valid[node] === 1'b1 && eject_head[node] === flit.marks[1] &&
            eject_tail[node] === flit.marks[0] &&
            eject_data[node*FlitBits+:FlitBits] === replay_types::widened(flit.word);
    endfunction

    task automatic name(input flit_t flit);
        $write("FAIL: node %0d, packet %0d of node %0d, flit %0d", flit.node, flit.packet, flit.source,
               flit.position);
        if (flit.marks[0]) $write(" (tail)");
        $write(": ");
    endtask

    task automatic fail;
        $fatal(1, "the fabric does not do what the simulator did");
    endtask

    /// The flit that leaves at `node` is not the one expected there in this cycle, if any is.
    task automatic fail_unexpected(input int node);
        flit_t flit;
        for (int i = 0; i < replay_pkg::Flits; i++) begin
            flit = deliveries[i];
            if (int'(flit.node) == node && leaves(flit)) begin
                name(flit);
                $display("expected in cycle %0d, found in cycle %0d", flit.cycle, now);
                fail;
            end
        end
        flit = deliveries[due];
        if (due < replay_pkg::Flits && int'(flit.cycle) == now && int'(flit.node) == node) begin
            name(flit);
            $write("expected in cycle %0d, found another one: ", now);
        end else begin
            $write("FAIL: node %0d: in cycle %0d a flit that nobody expects: ", node, now);
        end
        $display("valid %b, head %b, tail %b, %h", eject_valid[node], eject_head[node],
                 eject_tail[node], eject_data[node*FlitBits+:FlitBits]);
        fail;
    endtask

    /// The flit did not leave in its cycle: looks for it in the cycles that follow.
    task automatic fail_missing(input flit_t flit);
        name(flit);
        for (int waited = 1; waited <= Settling; waited++) begin
            @(negedge clk);
            now++;
            inject;
            if (leaves(flit)) begin
                $display("expected in cycle %0d, found in cycle %0d", flit.cycle, now);
                fail;
            end
        end
        $display("expected in cycle %0d, not found up to cycle %0d", flit.cycle, now);
        fail;
    endtask

    task automatic check;
        flit_t flit;
        for (int n = 0; n < Nodes; n++) begin
            flit = due < replay_pkg::Flits ? deliveries[due] : '1;
            if (int'(flit.cycle) == now && int'(flit.node) == n) begin
                if (eject_valid[n] === 1'b0) fail_missing(flit);
                if (!leaves(flit)) fail_unexpected(n);
                if (Vcs > 1 && eject_vc[n*VcBits+:VcBits] !== VcBits'(flit.vc)) begin
                    name(flit);
                    $display("in cycle %0d on virtual channel %0d, expected on %0d", now,
                             eject_vc[n*VcBits+:VcBits], flit.vc);
                    fail;
                end
                packets += int'(flit.marks[0]);
                due++;
            end else if (eject_valid[n] !== 1'b0) begin
                fail_unexpected(n);
            end
        end
        if ($isunknown(inject_credit)) $fatal(1, "FAIL: unknown credits in cycle %0d", now);
        credits += $countones(inject_credit);
    endtask

    // Outputs depend only on registers, so everything can be done in the middle of a cycle.
    initial begin
        $readmemh("replay/injections.hex", injections);
        $readmemh("replay/deliveries.hex", deliveries);
        rst_n = 1'b0;
        {inject_valid, inject_vc, inject_head, inject_tail, inject_data} = '0;
        repeat (ResetCycles) @(negedge clk);
        rst_n = 1'b1;
        for (int waited = 0; ready !== 1'b1; waited++) begin
            if (waited == Nodes + Settling) $fatal(1, "FAIL: the routers stay in reset");
            @(negedge clk);
        end
        while (due < replay_pkg::Flits || now <= replay_pkg::LastCycle + Settling) begin
            inject;
            check;
            @(negedge clk);
            now++;
        end
        if (credits != replay_pkg::Flits) begin
            $display("FAIL: %0d credits for %0d flits injected", credits, replay_pkg::Flits);
            fail;
        end
        $display("PASS: %0d packets, %0d flits, every one at its node in its cycle (0 to %0d)",
                 packets, due, replay_pkg::LastCycle);
        $finish;
    end

endmodule
