// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The main program of every GoogleTest binary. It reports its processor time, for `./dev slowest`:
// elapsed time depends on the load of the machine.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <systemc>

int sc_main(int, char**) {
    return 0;
}  // libsystemc refers to it; tests start the kernel themselves

/// For this process and those that it has waited for.
double processor_seconds() {
    double seconds = 0;
    for (const auto of : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage usage{};
        getrusage(of, &usage);
        for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
            seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
        }
    }
    return seconds;
}

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    // Tests run side by side, and none may meet the file of another: temporary files of this
    // process are in its own folder, whichever way a test asks for one.
    std::string folder =
        (std::filesystem::temp_directory_path() / "flitscope_test.XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) {
        std::cerr << "cannot create " << folder << '\n';
        return 2;
    }
    setenv("TMPDIR", folder.c_str(), 1);       // std::filesystem::temp_directory_path()
    setenv("TEST_TMPDIR", folder.c_str(), 1);  // testing::TempDir()
    const int result = RUN_ALL_TESTS();
    std::cout << "processor: " << processor_seconds() << " s\n";
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    return result;
}
