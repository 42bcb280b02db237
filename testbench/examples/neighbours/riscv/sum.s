# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Four cores write the numbers 1 to 256 to shared memory, each a quarter to its own bank; then each adds up
# the quarter of the next core; then core 0 adds up the four sums, and has 32896 in a0. Two barriers are
# between the steps. A bank has 4 KiB: numbers, and behind them a word for barriers and one for a sum.

    .equ numbers, 64                # of a core
    .equ arrived, 0x7f0             # how many barriers the core has reached
    .equ partial, 0x7f4

    lui  s0, 0x80000                # bank of core 0
    lui  s2, 1                      # size of a bank
    slli t0, a0, 12
    add  s1, s0, t0                 # bank of this core

    slli t2, a0, 6
    mv   t3, s1
    li   t1, numbers
write:
    addi t2, t2, 1
    sw   t2, 0(t3)
    addi t3, t3, 4
    addi t1, t1, -1
    bnez t1, write
    li   a1, 1
    jal  barrier

    addi t0, a0, 1
    andi t0, t0, 3
    slli t0, t0, 12
    add  t3, s0, t0                 # bank of the next core
    li   t1, numbers
    li   t4, 0
read:
    lw   t2, 0(t3)
    add  t4, t4, t2
    addi t3, t3, 4
    addi t1, t1, -1
    bnez t1, read
    sw   t4, partial(s1)
    li   a1, 2
    jal  barrier

    bnez a0, end
    mv   t3, s0
    li   t1, 4
gather:
    lw   t2, partial(t3)
    add  a0, a0, t2
    add  t3, t3, s2
    addi t1, t1, -1
    bnez t1, gather
    j    end

# Says that this core has reached barrier a1, and waits for the others.
barrier:
    sw   a1, arrived(s1)
    mv   t3, s0
    li   t1, 4
poll:
    lw   t2, arrived(t3)
    bltu t2, a1, poll
    add  t3, t3, s2
    addi t1, t1, -1
    bnez t1, poll
    ret
end:
