// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The coin that a node tosses for each of its packets (models/routing/packet_coin.h): four rounds of a
// Feistel network on 16 bits of the packet's number.

module packet_coin #(
    /// A constant of the node: 8 bits per round.
    parameter logic [31:0] Key = '0
) (
    input  logic [15:0] number_i,
    output logic        second_o  // the packet takes the second of its two paths
);

    logic [7:0] left, right, next;

    always_comb begin
        {right, left} = number_i;
        next = '0;
        for (int unsigned round = 0; round < 4; round++) begin
            next = right ^ ({left[6:0], left[7]} & {left[4:0], left[7:5]}) ^ {left[5:0], left[7:6]} ^
                   Key[8*round+:8];
            right = left;
            left = next;
        end
    end

    assign second_o = left[0];

    logic unused;
    assign unused = &{1'b0, left, right};

endmodule
