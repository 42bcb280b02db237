// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The input ports of a router and the routing that they look up: they take the arriving flits, and
// show per input virtual channel the front of its FIFO and the route of its packet.

module router_inputs #(
    parameter int Ports = 5,
    parameter int VirtualChannels = 1,
    /// Flits per virtual channel.
    parameter int Depth = 8,
    parameter int FlitBits = 64,
    parameter int RouterDelay = 1,
    /// router_pkg::RoutingMesh, RoutingHypercube, RoutingTable or RoutingPins.
    parameter int Routing = 0,
    parameter int TableEntries = 2,
    /// Dimensions of a mesh or a hypercube.
    parameter int Dimensions = 2,
    /// As of the router: bit output * Ports + input.
    parameter logic [Ports*Ports-1:0] Turns = {Ports*Ports{1'b1}},
    localparam int Inputs = Ports * VirtualChannels,
    localparam int PortBits = $clog2(Ports),
    localparam int VcBits = VirtualChannels > 1 ? $clog2(VirtualChannels) : 1,
    localparam int NodeBits = router_pkg::NodeBits
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    // as at the pins of the router
    input  logic [NodeBits-1:0]               node_i,
    input  logic [Dimensions*NodeBits-1:0]    fields_i,
    input  logic                              table_write_i,
    input  logic [NodeBits-1:0]               table_address_i,
    input  logic [(Routing == router_pkg::RoutingPins ? Ports : 1)*PortBits-1:0] table_port_i,
    input  logic [(Routing == router_pkg::RoutingPins ? Ports : 1)*VirtualChannels-1:0] table_vcs_i,
    input  logic [Ports-1:0]                  flit_valid_i,
    input  logic [Ports*VcBits-1:0]           flit_vc_i,
    input  logic [Ports-1:0]                  flit_head_i,
    input  logic [Ports-1:0]                  flit_tail_i,
    input  logic [Ports*FlitBits-1:0]         flit_data_i,
    // per input virtual channel: pops the flit at the front, and that flit
    input  logic [Inputs-1:0]                 pop_i,
    output logic [Inputs-1:0]                 valid_o,
    output logic [Inputs-1:0]                 head_o,
    output logic [Inputs-1:0]                 tail_o,
    output logic [Inputs*FlitBits-1:0]        data_o,
    output logic [Ports*Inputs-1:0]           target_o,  // per output port, whose packets go there
    output logic [Inputs*VirtualChannels-1:0] route_vcs_o
);

    // The same, per input virtual channel. Without the turns that never occur synthesis leaves out
    // their part of every arbiter and of the crossbar.
    logic [Inputs*Ports-1:0] route;
    always_comb begin
        for (int unsigned i = 0; i < Inputs; i++) begin
            for (int unsigned o = 0; o < Ports; o++) begin
                target_o[o*Inputs+i] = route[i*Ports+o] & Turns[o*Ports+i/VirtualChannels];
            end
        end
    end

    /// Whether an input has a turn to any output.
    function automatic logic exists(input int unsigned port);
        exists = 1'b0;
        for (int unsigned o = 0; o < Ports; o++) exists = exists | Turns[o*Ports+port];
    endfunction

    localparam bit RouteNamesVcs = Routing >= router_pkg::RoutingTable && VirtualChannels > 1;

    logic [Ports*NodeBits-1:0] destination;
    logic [Ports*PortBits-1:0] looked_up_port;
    logic [Ports*VirtualChannels-1:0] looked_up_vcs;

    generate
        for (genvar p = 0; p < Ports; p++) begin : gen_input
            if (exists(p)) begin : gen_present
                input_port #(
                    .VirtualChannels(VirtualChannels),
                    .Depth(Depth),
                    .FlitBits(FlitBits),
                    .RouterDelay(RouterDelay),
                    .Ports(Ports),
                    .RouteNamesVcs(RouteNamesVcs),
                    .VcBits(VcBits)
                ) i_port (
                    .clk_i(clk_i),
                    .rst_ni(rst_ni),
                    .flit_valid_i(flit_valid_i[p]),
                    .flit_vc_i(flit_vc_i[p*VcBits+:VcBits]),
                    .flit_head_i(flit_head_i[p]),
                    .flit_tail_i(flit_tail_i[p]),
                    .flit_data_i(flit_data_i[p*FlitBits+:FlitBits]),
                    .destination_o(destination[p*NodeBits+:NodeBits]),
                    .route_port_i(looked_up_port[p*PortBits+:PortBits]),
                    .route_vcs_i(looked_up_vcs[p*VirtualChannels+:VirtualChannels]),
                    .pop_i(pop_i[p*VirtualChannels+:VirtualChannels]),
                    .valid_o(valid_o[p*VirtualChannels+:VirtualChannels]),
                    .head_o(head_o[p*VirtualChannels+:VirtualChannels]),
                    .tail_o(tail_o[p*VirtualChannels+:VirtualChannels]),
                    .data_o(data_o[p*VirtualChannels*FlitBits+:VirtualChannels*FlitBits]),
                    .route_o(route[p*VirtualChannels*Ports+:VirtualChannels*Ports]),
                    .vcs_o(route_vcs_o[p*VirtualChannels*VirtualChannels+:
                                       VirtualChannels*VirtualChannels])
                );
            end else begin : gen_present
                assign destination[p*NodeBits+:NodeBits] = '0;
                assign {valid_o[p*VirtualChannels+:VirtualChannels],
                        head_o[p*VirtualChannels+:VirtualChannels],
                        tail_o[p*VirtualChannels+:VirtualChannels]} = '0;
                assign data_o[p*VirtualChannels*FlitBits+:VirtualChannels*FlitBits] = '0;
                assign route[p*VirtualChannels*Ports+:VirtualChannels*Ports] = '0;
                assign route_vcs_o[p*VirtualChannels*VirtualChannels+:
                                   VirtualChannels*VirtualChannels] = '0;
                logic unused;
                assign unused = &{1'b0, flit_valid_i[p], flit_vc_i[p*VcBits+:VcBits],
                                  flit_head_i[p], flit_tail_i[p],
                                  flit_data_i[p*FlitBits+:FlitBits],
                                  looked_up_port[p*PortBits+:PortBits],
                                  looked_up_vcs[p*VirtualChannels+:VirtualChannels],
                                  pop_i[p*VirtualChannels+:VirtualChannels]};
`ifndef SYNTHESIS
                always_ff @(posedge clk_i) begin
                    if (rst_ni) begin
                        absent_input : assert (!flit_valid_i[p])
                            else $error("a flit at input %0d, which this router is built without", p);
                    end
                end
`endif
            end
        end

        if (Routing == router_pkg::RoutingTable) begin : gen_routing
            route_table #(
                .Entries(TableEntries), .Readers(Ports), .PortBits(PortBits),
                .VirtualChannels(VirtualChannels)
            ) i_table (
                .clk_i(clk_i), .write_i(table_write_i), .address_i(table_address_i),
                .port_i(table_port_i), .vcs_i(table_vcs_i), .destination_i(destination),
                .port_o(looked_up_port), .vcs_o(looked_up_vcs)
            );
            logic unused;
            assign unused = &{1'b0, node_i, fields_i};
        end else if (Routing == router_pkg::RoutingPins) begin : gen_routing
            route_pins #(
                .Ports(Ports), .PortBits(PortBits), .VirtualChannels(VirtualChannels),
                .Stages(RouterDelay - 1)
            ) i_pins (
                .clk_i(clk_i), .rst_ni(rst_ni), .head_i(flit_valid_i & flit_head_i),
                .port_i(table_port_i), .vcs_i(table_vcs_i), .port_o(looked_up_port),
                .vcs_o(looked_up_vcs)
            );
            logic unused;
            assign unused = &{1'b0, node_i, fields_i, table_write_i, table_address_i, destination};
        end else begin : gen_routing
            for (genvar p = 0; p < Ports; p++) begin : gen_port
                if (Routing == router_pkg::RoutingMesh) begin : gen_logic
                    route_mesh #(.Dimensions(Dimensions), .PortBits(PortBits)) i_route (
                        .node_i(node_i), .fields_i(fields_i),
                        .destination_i(destination[p*NodeBits+:NodeBits]),
                        .port_o(looked_up_port[p*PortBits+:PortBits])
                    );
                end else if (Routing == router_pkg::RoutingHypercube) begin : gen_logic
                    route_hypercube #(.Dimensions(Dimensions), .PortBits(PortBits)) i_route (
                        .node_i(node_i),
                        .destination_i(destination[p*NodeBits+:NodeBits]),
                        .port_o(looked_up_port[p*PortBits+:PortBits])
                    );
                end
            end
            assign looked_up_vcs = '1;
            logic unused;
            assign unused = &{1'b0, node_i, fields_i, table_write_i, table_address_i, table_port_i,
                              table_vcs_i};
        end
    endgenerate

`ifndef SYNTHESIS
    logic [Inputs*Ports-1:0] missing;  // turns that fronts ask for and that are not there
    always_comb begin
        missing = '0;
        for (int unsigned i = 0; i < Inputs; i++) begin
            for (int unsigned o = 0; o < Ports; o++) begin
                missing[i*Ports+o] =
                    valid_o[i] & route[i*Ports+o] & ~Turns[o*Ports+i/VirtualChannels];
            end
        end
    end
    always_ff @(posedge clk_i) begin
        if (rst_ni) begin
            turn_exists : assert (missing == '0)
                else $error("a turn that this router is built without: %b, bit input * outputs + output",
                            missing);
        end
    end
`endif

endmodule
