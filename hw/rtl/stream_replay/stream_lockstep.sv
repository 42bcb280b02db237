// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares a run with that of the simulator: every flit that an interface injects (cycle, virtual
// channel, marks, word), and every beat at a node, in the cycle after that in which its flit left the
// router. Nothing else may come. An unknown value (x) is as wrong as another value.

module stream_lockstep (
    input logic                                          clk_i,
    input logic                                          running_i,
    input int                                            now_i,  // the cycle
    // what the interfaces inject
    input logic [stream_types::Nodes-1:0]                inject_valid_i,
    input logic [stream_types::Nodes*stream_types::VcBits-1:0]          inject_vc_i,
    input logic [stream_types::Nodes-1:0]                inject_head_i,
    input logic [stream_types::Nodes-1:0]                inject_tail_i,
    input logic [stream_types::Nodes*stream_types::FlitBits-1:0]        inject_data_i,
    // the streams out of the network
    input logic [stream_types::Streams-1:0]              m_valid_i,
    input logic [stream_types::Streams-1:0]              m_last_i,
    input logic [stream_types::Streams-1:0]              m_null_i,
    input logic [stream_types::Streams-1:0]              m_more_i,
    input logic [stream_types::Streams*stream_types::NodeBits-1:0]      m_source_i,
    input logic [stream_types::Streams*stream_types::SequenceBits-1:0]  m_sequence_i,
    input logic [stream_types::Streams*stream_types::FlitBits-1:0]      m_data_i,
    output int                                           packets_o,  // so far
    output int                                           flits_o,
    output logic                                         done_o
);

    import replay_types::flit_t;

    localparam int Vcs = stream_types::Vcs;
    localparam int VcBits = stream_types::VcBits;
    localparam int FlitBits = stream_types::FlitBits;
    localparam int NodeBits = stream_types::NodeBits;
    localparam int SequenceBits = stream_types::SequenceBits;
    localparam int WordBits = replay_types::WordBits;
    localparam int FlitWidth = $bits(flit_t);

    logic [FlitWidth-1:0] injections [0:replay_pkg::Flits-1];
    logic [FlitWidth-1:0] deliveries [0:replay_pkg::Flits-1];
    int injected = 0;
    flit_t flit;
    logic [stream_types::Streams-1:0] expected;
    int stream;

    initial begin
        $readmemh("replay/injections.hex", injections);
        $readmemh("replay/deliveries.hex", deliveries);
        packets_o = 0;
        flits_o = 0;
        done_o = 1'b0;
    end

    task automatic name(input flit_t named);
        $write("FAIL: node %0d, packet %0d of node %0d, flit %0d", named.node, named.packet,
               named.source, named.position);
        if (named.marks[0]) $write(" (tail)");
        $write(": ");
    endtask

    task automatic fail;
        $fatal(1, "the fabric does not do what the simulator did");
    endtask

    function automatic flit_t at(input logic of_deliveries, input int number);
        at = number >= replay_pkg::Flits ? '1 : of_deliveries ? deliveries[number] : injections[number];
    endfunction

    /// Whether the interface of its node injects this flit.
    function automatic logic enters(input flit_t one, input int node);
        enters = inject_valid_i[node] === 1'b1 && inject_head_i[node] === one.marks[1]
            && inject_tail_i[node] === one.marks[0]
            && (Vcs == 1 || inject_vc_i[node*VcBits+:VcBits] === VcBits'(one.vc))
            && inject_data_i[node*FlitBits+:WordBits] === one.word
            && (one.marks[1]
                || inject_data_i[node*FlitBits+:FlitBits] === replay_types::widened(one.word));
    endfunction

    /// Whether this flit is the beat that stands at a stream.
    function automatic logic stands(input flit_t one, input int s);
        stands = m_valid_i[s] === 1'b1 && m_last_i[s] === one.marks[0]
            && m_null_i[s] === one.marks[1] && m_more_i[s] === one.marks[2]
            && m_source_i[s*NodeBits+:NodeBits] === one.source
            && m_sequence_i[s*SequenceBits+:SequenceBits] === SequenceBits'(one.packet)
            && (one.marks[1]
                || m_data_i[s*FlitBits+:FlitBits] === replay_types::widened(one.word));
    endfunction

    task automatic check_injections;
        for (int n = 0; n < stream_types::Nodes; n++) begin
            flit = at(1'b0, injected);
            if (int'(flit.cycle) == now_i && int'(flit.node) == n) begin
                if (!enters(flit, n)) begin
                    name(flit);
                    $display("injected in cycle %0d on virtual channel %0d, found: valid %b, on %0d, head %b, tail %b, %h",
                             now_i, flit.vc, inject_valid_i[n], inject_vc_i[n*VcBits+:VcBits],
                             inject_head_i[n], inject_tail_i[n], inject_data_i[n*FlitBits+:FlitBits]);
                    fail;
                end
                injected++;
            end else if (inject_valid_i[n] !== 1'b0) begin
                $display("FAIL: node %0d injects a flit in cycle %0d that nobody expects", n, now_i);
                fail;
            end
        end
    endtask

    task automatic check_streams;
        expected = '0;
        flit = at(1'b1, flits_o);
        while (flits_o < replay_pkg::Flits && int'(flit.cycle) + 1 == now_i) begin
            stream = int'(flit.node) * Vcs + int'(flit.vc);
            if (!flit.marks[1] || flit.marks[0]) begin  // a header does not go to the node
                expected[stream] = 1'b1;
                if (!stands(flit, stream)) begin
                    name(flit);
                    $display("not at its node in cycle %0d, on virtual channel %0d; found: valid %b, last %b, null %b, %h",
                             now_i, flit.vc, m_valid_i[stream], m_last_i[stream], m_null_i[stream],
                             m_data_i[stream*FlitBits+:FlitBits]);
                    fail;
                end
            end
            packets_o += int'(flit.marks[0]);
            flits_o++;
            flit = at(1'b1, flits_o);
        end
        if (m_valid_i !== expected) begin
            $display("FAIL: beats in cycle %0d that nobody expects: valid %b, expected %b", now_i,
                     m_valid_i, expected);
            fail;
        end
    endtask

    // Just before the edge that ends the cycle.
    always @(posedge clk_i) begin
        if (running_i) begin
            check_injections;
            check_streams;
            done_o <= flits_o == replay_pkg::Flits
                && now_i >= replay_pkg::LastCycle + replay_types::Settling;
        end
    end

endmodule
