// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a router with combined allocation does, said with numbers as in hw/TIMING.md ("Combined
// allocation"): hw/rtl/router.sv with all that allocates, whatever stands at the fronts of its FIFOs
// (any_fronts.sv) and whenever credits come back. What left is kept book of at the pins, and who may
// leave follows from the books.

module combined_properties #(
    parameter int Ports = 3,
    parameter int VirtualChannels = 2,
    parameter int Depth = 2,
    parameter bit Hold = 1'b0,
    /// Routes allow some of the virtual channels only.
    parameter bit RouteNamesVcs = 1'b0,
    /// One group of properties by itself; 0: all of them, and what induction needs beside them.
    parameter int Only = 0,
    localparam int Inputs = Ports * VirtualChannels,
    localparam int PortBits = $clog2(Ports),
    localparam int VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1,
    localparam int CreditBits = $clog2(Depth + 1)
) (
    input logic                              clk_i,
    input logic                              rst_ni,
    input logic [Inputs-1:0]                 valid_i,
    input logic [Inputs-1:0]                 tail_i,
    input logic [Inputs*PortBits-1:0]        port_i,    // where a head goes,
    input logic [Inputs*VirtualChannels-1:0] vcs_i,     // and on which it may
    input logic [Inputs-1:0]                 credit_i   // comes back, if one is out
);

    localparam int OneGrant = 1, MayGo = 2, NobodyIdles = 3, Fair = 4, Equal = 5;
    // Of a sum of two places among ports or virtual channels.
    localparam int Bits = $clog2(Ports > VirtualChannels ? Ports : VirtualChannels) + 2;
    localparam int FrontBits = 3 + PortBits + VirtualChannels;
    localparam int FlitBits = VirtualChannels * FrontBits;

    function automatic logic [Bits-1:0] around(input logic [Bits-1:0] place, input int size);
        around = place >= Bits'(size) ? place - Bits'(size) : place;
    endfunction
    // Steps from a pointer to a place.
    function automatic logic [Bits-1:0] steps(
        input logic [Bits-1:0] pointer, input logic [Bits-1:0] place, input int size);
        steps = around(place + Bits'(size) - pointer, size);
    endfunction

    // ---- The books: what stands before a cycle -------------------------------------------------
    logic [Inputs-1:0] holds_q;                        // input virtual channels: own one,
    logic [Inputs*PortBits-1:0] port_q;                // of this output port,
    logic [Inputs*VcBits-1:0] vc_q;                    // with this number
    logic [Inputs*CreditBits-1:0] credits_q;           // output virtual channels
    logic [Ports*Bits-1:0] input_pointer_q, output_pointer_q, vc_pointer_q;
    logic [Inputs-1:0] streams_q;                      // sent a flit other than a tail before

    logic [Inputs*PortBits-1:0] port;                  // of the front of every FIFO
    logic [Inputs*VirtualChannels-1:0] vcs;
    logic [Inputs-1:0] credit;
    logic [Ports*FlitBits-1:0] fronts;
    logic [Inputs-1:0] owned;                          // output virtual channels
    logic [Inputs-1:0] twice;
    always_comb begin
        owned = '0;
        twice = '0;
        for (int unsigned i = 0; i < Inputs; i++) begin
            port[i*PortBits+:PortBits] = port_i[i*PortBits+:PortBits];
            if (32'(port_i[i*PortBits+:PortBits]) >= Ports) port[i*PortBits+:PortBits] = '0;
            if (holds_q[i]) port[i*PortBits+:PortBits] = port_q[i*PortBits+:PortBits];
            vcs[i*VirtualChannels+:VirtualChannels] =
                RouteNamesVcs ? vcs_i[i*VirtualChannels+:VirtualChannels] : {VirtualChannels{1'b1}};
            credit[i] = credit_i[i] && credits_q[i*CreditBits+:CreditBits] != CreditBits'(Depth);
            fronts[i*FrontBits+:FrontBits] = {vcs[i*VirtualChannels+:VirtualChannels],
                port[i*PortBits+:PortBits], tail_i[i], !holds_q[i], valid_i[i]};
            for (int unsigned x = 0; x < Inputs; x++) begin
                if (holds_q[i] && 32'(port_q[i*PortBits+:PortBits]) == x / VirtualChannels &&
                    32'(vc_q[i*VcBits+:VcBits]) == x % VirtualChannels) begin
                    twice[x] = twice[x] | owned[x];
                    owned[x] = 1'b1;
                end
            end
        end
    end

    // ---- The router ----------------------------------------------------------------------------
    logic [Inputs-1:0] sends;
    logic [Ports-1:0] out_valid, out_head, out_tail;
    logic [Ports*VcBits-1:0] out_vc;
    logic [Ports*FlitBits-1:0] out_data;
    router #(
        .Ports(Ports), .VirtualChannels(VirtualChannels), .Depth(Depth), .FlitBits(FlitBits),
        .Routing(RouteNamesVcs ? 2 : 1), .Hold(Hold), .Combined(1'b1)
    ) dut (
        .clk_i(clk_i), .rst_ni(rst_ni), .node_i('0), .fields_i('0),
        .table_write_i(1'b0), .table_address_i('0), .table_port_i('0), .table_vcs_i('0),
        .flit_valid_i('0), .flit_vc_i('0), .flit_head_i('0), .flit_tail_i('0),
        .flit_data_i(fronts), .credit_o(sends),
        .flit_valid_o(out_valid), .flit_vc_o(out_vc), .flit_head_o(out_head),
        .flit_tail_o(out_tail), .flit_data_o(out_data), .credit_i(credit)
    );

    // Registers of the router, connected by the script; of arbiters with one request there are none.
    logic [Inputs-1:0] holding, taken;
    logic [VirtualChannels*Inputs-1:0] held_vc;
    logic [Inputs*CreditBits-1:0] counts;
    logic [Inputs-1:0] availables, free, credit_known;
    logic [Ports-1:0] any_free;
    logic [Inputs-1:0] input_masks, vc_masks;
    logic [Ports*Ports-1:0] output_masks;
    logic [Inputs-1:0] streaming;

    // ---- The specification: who leaves, and on which virtual channel ----------------------------
    logic [Inputs-1:0] ready, expected;
    logic [Inputs*VcBits-1:0] leaves_on;               // held or offered
    logic [Ports-1:0] proposes;
    logic [Ports*Bits-1:0] proposal;                   // per input port: its virtual channel,
    logic [Ports*PortBits-1:0] asks;                   // for that output port
    logic [Ports-1:0] busy;                            // output ports that send
    logic [Ports*Bits-1:0] winner;                     // an input port
    logic [Bits-1:0] w, v, p;
    always_comb begin
        ready = '0;
        expected = '0;
        leaves_on = vc_q;
        proposes = '0;
        proposal = '0;
        asks = '0;
        busy = '0;
        winner = '0;
        w = '0;
        v = '0;
        p = '0;
        // Offer; the nearest to the pointer has the last word, here and below.
        for (int unsigned i = 0; i < Inputs; i++) begin
            for (int unsigned o = 0; o < Ports; o++) begin
                for (int unsigned k = VirtualChannels; k > 0; k--) begin
                    w = around(vc_pointer_q[o*Bits+:Bits] + Bits'(k - 1), VirtualChannels);
                    for (int unsigned x = 0; x < VirtualChannels; x++) begin
                        if (32'(port[i*PortBits+:PortBits]) == o && w == Bits'(x) &&
                            credits_q[(o*VirtualChannels+x)*CreditBits+:CreditBits] != '0 &&
                            (holds_q[i] ? 32'(vc_q[i*VcBits+:VcBits]) == x
                                        : !owned[o*VirtualChannels+x] && vcs[i*VirtualChannels+x])) begin
                            ready[i] = valid_i[i];
                            if (!holds_q[i]) leaves_on[i*VcBits+:VcBits] = VcBits'(x);
                        end
                    end
                end
            end
        end
        // Propose
        for (int unsigned q = 0; q < Ports; q++) begin
            for (int unsigned k = VirtualChannels; k > 0; k--) begin
                v = around(input_pointer_q[q*Bits+:Bits] + Bits'(k - 1), VirtualChannels);
                for (int unsigned x = 0; x < VirtualChannels; x++) begin
                    if (v == Bits'(x) && ready[q*VirtualChannels+x]) begin
                        proposes[q] = 1'b1;
                        proposal[q*Bits+:Bits] = v;
                    end
                end
            end
            for (int unsigned x = 0; x < VirtualChannels; x++) begin
                if (Hold && ready[q*VirtualChannels+x] && streams_q[q*VirtualChannels+x]) begin
                    proposal[q*Bits+:Bits] = Bits'(x);
                end
            end
            for (int unsigned x = 0; x < VirtualChannels; x++) begin
                if (proposal[q*Bits+:Bits] == Bits'(x)) begin
                    asks[q*PortBits+:PortBits] = port[(q*VirtualChannels+x)*PortBits+:PortBits];
                end
            end
        end
        // Accept
        for (int unsigned o = 0; o < Ports; o++) begin
            for (int unsigned k = Ports; k > 0; k--) begin
                p = around(output_pointer_q[o*Bits+:Bits] + Bits'(k - 1), Ports);
                for (int unsigned q = 0; q < Ports; q++) begin
                    if (p == Bits'(q) && proposes[q] && 32'(asks[q*PortBits+:PortBits]) == o) begin
                        busy[o] = 1'b1;
                        winner[o*Bits+:Bits] = p;
                    end
                end
            end
            for (int unsigned i = 0; i < Inputs; i++) begin
                if (Hold && ready[i] && streams_q[i] && 32'(port[i*PortBits+:PortBits]) == o) begin
                    winner[o*Bits+:Bits] = Bits'(i / VirtualChannels);
                end
            end
            for (int unsigned i = 0; i < Inputs; i++) begin
                if (busy[o] && winner[o*Bits+:Bits] == Bits'(i / VirtualChannels) &&
                    proposal[(i/VirtualChannels)*Bits+:Bits] == Bits'(i % VirtualChannels)) begin
                    expected[i] = 1'b1;
                end
            end
        end
    end

    // ---- The books are kept by what left --------------------------------------------------------
    logic [Inputs-1:0] spent;                          // output virtual channels
    always_comb begin
        spent = '0;
        for (int unsigned x = 0; x < Inputs; x++) begin
            spent[x] = out_valid[x/VirtualChannels] &&
                32'(out_vc[(x/VirtualChannels)*VcBits+:VcBits]) == x % VirtualChannels;
        end
    end
    always_ff @(posedge clk_i) begin
        for (int unsigned x = 0; x < Inputs; x++) begin
            credits_q[x*CreditBits+:CreditBits] <=
                credits_q[x*CreditBits+:CreditBits] + CreditBits'(credit[x]) - CreditBits'(spent[x]);
        end
        for (int unsigned i = 0; i < Inputs; i++) begin
            streams_q[i] <= sends[i] && !tail_i[i];
            if (sends[i]) begin
                holds_q[i] <= !tail_i[i];
                port_q[i*PortBits+:PortBits] <= port[i*PortBits+:PortBits];
                input_pointer_q[(i/VirtualChannels)*Bits+:Bits] <=
                    around(Bits'(i % VirtualChannels + 1), VirtualChannels);
                for (int unsigned o = 0; o < Ports; o++) begin
                    if (32'(port[i*PortBits+:PortBits]) == o) begin
                        vc_q[i*VcBits+:VcBits] <= out_vc[o*VcBits+:VcBits];
                        output_pointer_q[o*Bits+:Bits] <= around(Bits'(i / VirtualChannels + 1), Ports);
                        if (!holds_q[i]) begin
                            vc_pointer_q[o*Bits+:Bits] <=
                                around(Bits'(out_vc[o*VcBits+:VcBits]) + 1'b1, VirtualChannels);
                        end
                    end
                end
            end
        end
        if (!rst_ni) begin
            holds_q <= '0;
            streams_q <= '0;
            credits_q <= {Inputs{CreditBits'(Depth)}};
            input_pointer_q <= '0;
            output_pointer_q <= '0;
            vc_pointer_q <= '0;
        end
    end

    // ---- How long anybody waits ------------------------------------------------------------------
    logic [Ports*Bits-1:0] refused_q;    // cycles in which an input port was, asking for one output
    logic [Ports*PortBits-1:0] asked_q;  // for which
    logic [Inputs*Bits-1:0] passed_q;    // flits of others of the port since an input is ready
    logic [Inputs*Bits-1:0] missed_q;    // heads of the port since an output virtual channel is usable
    logic [Ports-1:0] port_sends;
    logic [Inputs-1:0] usable;
    always_comb begin
        for (int unsigned q = 0; q < Ports; q++) begin
            port_sends[q] = sends[q*VirtualChannels+:VirtualChannels] != '0;
        end
        for (int unsigned x = 0; x < Inputs; x++) begin
            usable[x] = !owned[x] && credits_q[x*CreditBits+:CreditBits] != '0;
        end
    end
    always_ff @(posedge clk_i) begin
        asked_q <= asks;
        for (int unsigned q = 0; q < Ports; q++) begin
            if (!rst_ni || !proposes[q] || port_sends[q]) refused_q[q*Bits+:Bits] <= '0;
            else if (asks[q*PortBits+:PortBits] != asked_q[q*PortBits+:PortBits]) begin
                refused_q[q*Bits+:Bits] <= Bits'(1);
            end else refused_q[q*Bits+:Bits] <= refused_q[q*Bits+:Bits] + 1'b1;
        end
        for (int unsigned i = 0; i < Inputs; i++) begin
            if (!rst_ni || !ready[i] || sends[i]) passed_q[i*Bits+:Bits] <= '0;
            else if (port_sends[i/VirtualChannels]) begin
                passed_q[i*Bits+:Bits] <= passed_q[i*Bits+:Bits] + 1'b1;
            end
            if (!rst_ni || !usable[i] || spent[i]) missed_q[i*Bits+:Bits] <= '0;
            else if (out_valid[i/VirtualChannels] && out_head[i/VirtualChannels]) begin
                missed_q[i*Bits+:Bits] <= missed_q[i*Bits+:Bits] + 1'b1;
            end
        end
    end

    // ---- Properties ------------------------------------------------------------------------------
    logic [Ports-1:0] sent_to, sent_to_two;
    logic [VirtualChannels-1:0] of_port;
    always_comb begin
        sent_to = '0;
        sent_to_two = '0;
        of_port = '0;
        for (int unsigned i = 0; i < Inputs; i++) begin
            for (int unsigned o = 0; o < Ports; o++) begin
                if (sends[i] && 32'(port[i*PortBits+:PortBits]) == o) begin
                    sent_to_two[o] = sent_to_two[o] | sent_to[o];
                    sent_to[o] = 1'b1;
                end
            end
        end
        if (rst_ni && (Only == 0 || Only == OneGrant)) begin
            assert (twice == '0);
            assert (sent_to_two == '0);
            assert (out_valid == sent_to);
            for (int unsigned q = 0; q < Ports; q++) begin
                of_port = sends[q*VirtualChannels+:VirtualChannels];
                assert ((of_port & (of_port - 1'b1)) == '0);
            end
        end
        if (rst_ni && (Only == 0 || Only == MayGo)) begin
            assert ((sends & ~valid_i) == '0);
            for (int unsigned x = 0; x < Inputs; x++) begin
                if (spent[x]) begin
                    assert (credits_q[x*CreditBits+:CreditBits] != '0);
                    assert (out_head[x/VirtualChannels] == !owned[x]);
                    for (int unsigned i = 0; i < Inputs; i++) begin
                        if (sends[i] && 32'(port[i*PortBits+:PortBits]) == x / VirtualChannels) begin
                            assert (holds_q[i] ? 32'(vc_q[i*VcBits+:VcBits]) == x % VirtualChannels
                                               : vcs[i*VirtualChannels+x%VirtualChannels]);
                        end
                    end
                end
            end
        end
        if (rst_ni && (Only == 0 || Only == NobodyIdles)) begin
            assert (ready == '0 || sends != '0);
            assert (out_valid == busy);
        end
        if (rst_ni && !Hold && (Only == 0 || Only == Fair)) begin
            for (int unsigned q = 0; q < Ports; q++) begin
                assert (refused_q[q*Bits+:Bits] < Bits'(Ports));
            end
            for (int unsigned i = 0; i < Inputs; i++) begin
                assert (passed_q[i*Bits+:Bits] < Bits'(VirtualChannels));
                if (!RouteNamesVcs) assert (missed_q[i*Bits+:Bits] < Bits'(VirtualChannels));
            end
        end
        if (rst_ni && (Only == 0 || Only == Equal)) begin
            assert (sends == expected);
            for (int unsigned i = 0; i < Inputs; i++) begin
                for (int unsigned o = 0; o < Ports; o++) begin
                    if (expected[i] && 32'(port[i*PortBits+:PortBits]) == o) begin
                        assert (out_valid[o]);
                        assert (out_vc[o*VcBits+:VcBits] == leaves_on[i*VcBits+:VcBits]);
                        assert (out_head[o] == !holds_q[i]);
                        assert (out_tail[o] == tail_i[i]);
                        assert (out_data[o*FlitBits+:FlitBits] == FlitBits'(i));
                    end
                end
            end
        end
    end

    // ---- What induction needs: registers and books agree -----------------------------------------
    logic [Ports*Ports-1:0] output_mask;
    always_comb begin
        output_mask = '0;
        if (rst_ni && Only == 0) begin
            assert (holding == holds_q);
            assert (taken == owned);
            if (VirtualChannels > 1) assert (free == usable);
            if (Hold) assert (streaming == streams_q);
            for (int unsigned i = 0; i < Inputs; i++) begin
                assert (counts[i*CreditBits+:CreditBits] == credits_q[i*CreditBits+:CreditBits]);
                assert (availables[i] == (credits_q[i*CreditBits+:CreditBits] != '0));
                assert (credits_q[i*CreditBits+:CreditBits] <= CreditBits'(Depth));
                if (holds_q[i]) begin
                    assert (32'(port_q[i*PortBits+:PortBits]) < Ports);
                    assert (32'(vc_q[i*VcBits+:VcBits]) < VirtualChannels);
                    for (int unsigned x = 0; x < VirtualChannels; x++) begin
                        assert (held_vc[x*Inputs+i] == (vc_q[i*VcBits+:VcBits] == VcBits'(x)));
                    end
                    for (int unsigned x = 0; x < Inputs; x++) begin
                        if (VirtualChannels > 1 &&
                            32'(port_q[i*PortBits+:PortBits]) == x / VirtualChannels &&
                            32'(vc_q[i*VcBits+:VcBits]) == x % VirtualChannels) begin
                            assert (credit_known[i] == availables[x]);
                        end
                    end
                end
                if (streams_q[i]) assert (holds_q[i]);
                for (int unsigned o = 0; o < Ports && VirtualChannels == 1; o++) begin
                    // Its allocator looks at heads alone: what follows would move no pointer.
                    assert (!holds_q[i] || 32'(port_q[i*PortBits+:PortBits]) != o ||
                            output_pointer_q[o*Bits+:Bits] == around(Bits'(i + 1), Ports));
                end
                if (VirtualChannels > 1) begin
                    assert (input_masks[i] == (Bits'(i % VirtualChannels) >=
                                input_pointer_q[(i/VirtualChannels)*Bits+:Bits]) ||
                            (input_pointer_q[(i/VirtualChannels)*Bits+:Bits] == '0 &&
                             input_masks[(i/VirtualChannels)*VirtualChannels+:VirtualChannels] == '0));
                    assert (vc_masks[i] == (Bits'(i % VirtualChannels) >=
                                vc_pointer_q[(i/VirtualChannels)*Bits+:Bits]) ||
                            (vc_pointer_q[(i/VirtualChannels)*Bits+:Bits] == '0 &&
                             vc_masks[(i/VirtualChannels)*VirtualChannels+:VirtualChannels] == '0));
                end
                if (!Hold) begin
                    assert (passed_q[i*Bits+:Bits] +
                            steps(input_pointer_q[(i/VirtualChannels)*Bits+:Bits],
                                  Bits'(i % VirtualChannels), VirtualChannels) <
                            Bits'(VirtualChannels));
                    assert (RouteNamesVcs || missed_q[i*Bits+:Bits] +
                            steps(vc_pointer_q[(i/VirtualChannels)*Bits+:Bits],
                                  Bits'(i % VirtualChannels), VirtualChannels) <
                            Bits'(VirtualChannels));
                end
            end
            for (int unsigned o = 0; o < Ports; o++) begin
                if (VirtualChannels > 1) begin
                    assert (any_free[o] == (usable[o*VirtualChannels+:VirtualChannels] != '0));
                end
                assert (input_pointer_q[o*Bits+:Bits] < Bits'(VirtualChannels));
                assert (vc_pointer_q[o*Bits+:Bits] < Bits'(VirtualChannels));
                assert (output_pointer_q[o*Bits+:Bits] < Bits'(Ports));
                output_mask[o*Ports+:Ports] = {Ports{1'b1}} << output_pointer_q[o*Bits+:Bits];
                assert (output_masks[o*Ports+:Ports] == output_mask[o*Ports+:Ports] ||
                        (output_pointer_q[o*Bits+:Bits] == '0 && output_masks[o*Ports+:Ports] == '0));
                // Of input port o now: each refusal brings the pointer of the output nearer.
                for (int unsigned x = 0; x < Ports && !Hold; x++) begin
                    assert (refused_q[o*Bits+:Bits] == '0 ||
                            32'(asked_q[o*PortBits+:PortBits]) != x ||
                            refused_q[o*Bits+:Bits] +
                            steps(output_pointer_q[x*Bits+:Bits], Bits'(o), Ports) < Bits'(Ports));
                end
                assert (refused_q[o*Bits+:Bits] == '0 || 32'(asked_q[o*PortBits+:PortBits]) < Ports);
            end
        end
    end

endmodule
