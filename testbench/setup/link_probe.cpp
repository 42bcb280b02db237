// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The entry points that a library has to be linked with to see whether anything is missing: that of
// a program, and the one that SystemC asks for.
extern "C" int sc_main(int, char**) { return 0; }

int main() { return 0; }
