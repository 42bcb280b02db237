// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The main program of every GoogleTest binary.
#include <gtest/gtest.h>

#include <systemc>

int sc_main(int, char**) {
    return 0;
}  // libsystemc refers to it; tests start the kernel themselves

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
