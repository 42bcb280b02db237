// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps packets on the virtual channels of their message class (hw/TIMING.md, "Message classes"): of
// those that a route allows, a packet may be given the ones of the class of the one on which it came.
// Which these are is a constant, so whole requests of the allocators disappear in synthesis.

module class_channels #(
    parameter int Ports = 5,
    parameter int VirtualChannels = 2,
    /// Classes share the virtual channels evenly, neighbours together.
    parameter int Classes = 1,
    localparam int Inputs = Ports * VirtualChannels,
    localparam int PerClass = VirtualChannels / Classes
) (
    // per input virtual channel
    input  logic [Inputs*VirtualChannels-1:0] route_vcs_i,
    output logic [Inputs*VirtualChannels-1:0] route_vcs_o
);

    always_comb begin
        for (int unsigned i = 0; i < Inputs; i++) begin
            for (int unsigned w = 0; w < VirtualChannels; w++) begin
                route_vcs_o[i*VirtualChannels+w] = route_vcs_i[i*VirtualChannels+w] &&
                    i % VirtualChannels / PerClass == w / PerClass;
            end
        end
    end

endmodule
