#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of an interconnect for CCI: presets of a broker become values of its configuration.

usage: cci_test.py ROOT BUILD CMAKE CXX
Accellera's CCI is in no Debian: SystemCCCI_DIR of the environment is the folder of its CMake package,
and SystemCLanguage_DIR that of its SystemC. Without them all but the refusal is skipped.
"""

import os
import unittest

from installed import CMAKE, CXX, LAUNCHER, InstalledTest, call, suite

needs_cci = unittest.skipUnless(
    os.environ.get("SystemCCCI_DIR"), "needs Accellera's CCI, whose CMake package is in the folder "
    "SystemCCCI_DIR of the environment")

# A preset for each NAME=JSON, a lock for each name alone; then prints all parameters.
MAIN = """
#include <flitscope/cci.h>
#include <flitscope/interconnect.h>
#include <cci/utils/broker.h>
#include <iostream>
#include <string>

struct Platform : sc_core::sc_module {
    explicit Platform(sc_core::sc_module_name name)
        : sc_module(name), parameters("network", config()), network("network", parameters.config()) {}
    static flitscope::Config config() {
        flitscope::Config config;
        config.fabric.topology.kind = "mesh";
        config.fabric.topology.dims = {4, 4};
        config.interconnect.emplace();
        config.interconnect->initiators = {0};
        config.interconnect->targets = {{5, 0, 4096, {}}};
        return config;
    }
    flitscope::CciParameters parameters;
    flitscope::Interconnect network;
};

int sc_main(int count, char** arguments) {
    cci_utils::broker broker("broker");
    cci::cci_register_broker(broker);
    cci::cci_broker_handle presets = cci::cci_get_global_broker(cci::cci_originator("main"));
    for (int i = 1; i < count; ++i) {
        const std::string text = arguments[i];
        const auto equals = text.find('=');
        if (equals == std::string::npos) {
            presets.lock_preset_value(text);
        } else {
            try {
                presets.set_preset_cci_value(text.substr(0, equals),
                                             cci::cci_value::from_json(text.substr(equals + 1)));
            } catch (const sc_core::sc_report& report) {
                std::cout << "locked: " << text << '\\n';
            }
        }
    }
    try {
        Platform platform("platform");
        flitscope::CciParameters outside("other", Platform::config());
        const flitscope::Config& used = platform.network.config();
        std::cout << "used " << used.clock_ns << ' ' << used.interconnect->header_bytes << ' '
                  << used.interconnect->outstanding << ' ' << used.interconnect->dmi << '\\n';
        for (cci::cci_param_untyped_handle handle : presets.get_param_handles()) {
            std::cout << handle.name() << ' ' << handle.get_cci_value().to_json()
                      << (handle.is_preset_value() ? " preset" : "") << '\\n';
            try {
                handle.set_cci_value(handle.get_cci_value());
            } catch (const sc_core::sc_report&) {
                continue;
            }
            std::cout << "may be changed\\n";
        }
    } catch (const flitscope::ConfigError& error) {
        std::cout << error.what() << '\\n';
    }
    return 0;
}
"""

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(parameters C CXX)
find_package(flitscope CONFIG REQUIRED COMPONENTS cci)
add_executable(parameters main.cpp)
target_link_libraries(parameters PRIVATE flitscope::cci)
"""


class Parameters(InstalledTest):
    part = ("--component", "dev")

    def configure(self, name, text, *options):
        project = self.folder / name
        project.mkdir(exist_ok=True)
        (project / "CMakeLists.txt").write_text(text)
        (project / "main.cpp").write_text(MAIN)
        return call(CMAKE, "-S", project, "-B", project / "build", "-G", "Ninja",
                    f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_CXX_COMPILER={CXX}", *LAUNCHER,
                    *options)

    def test_a_missing_cci_is_named(self):
        missing = "-DCMAKE_DISABLE_FIND_PACKAGE_SystemCCCI=ON"
        done = self.configure("missing", PROJECT, missing)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("The component 'cci' of flitscope needs Accellera's CCI, whose CMake package "
                      "SystemCCCI was not found", " ".join(done.stderr.split()))
        done = self.configure("optional", "cmake_minimum_required(VERSION 3.25)\nproject(optional C CXX)\n"
                              "find_package(flitscope CONFIG REQUIRED COMPONENTS fabric "
                              "OPTIONAL_COMPONENTS cci)\n"
                              "if(flitscope_cci_FOUND OR TARGET flitscope::cci)\n"
                              "message(FATAL_ERROR wrong)\nendif()\n", missing)
        self.assertEqual(done.returncode, 0, done.stderr)

    @needs_cci
    def test_presets_override_the_configuration_and_hold(self):
        project = self.folder / "parameters"
        done = self.configure("parameters", PROJECT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.ok(CMAKE, "--build", project / "build")

        def run(*arguments):
            return [line for line in self.ok(project / "build/parameters", *arguments).splitlines() if line]

        inner, outer = "platform.network.", "other."
        self.assertEqual(run(), ["used 1 8 4 0"] + [
            f"{where}{key} {value}" for where in (outer, inner)
            for key, value in (("clock_ns", "1.0"), ("interconnect.dmi", "false"),
                               ("interconnect.header_bytes", "8"), ("interconnect.outstanding", "4"),
                               ("interconnect.request_queue", "0"), ("interconnect.timing", '"exact"'))])
        self.assertIn(f'{inner}interconnect.timing "annotated" preset',
                      run(f'{inner}interconnect.timing="annotated"'))
        said = run(f"{inner}interconnect.outstanding=7", f"{inner}clock_ns=2",
                   f"{inner}interconnect.dmi=true", f"{inner}interconnect.header_bytes=16",
                   f"{inner}clock_ns", f"{inner}clock_ns=5")
        self.assertEqual(said[:2], [f"locked: {inner}clock_ns=5", "used 2 16 7 1"])
        self.assertIn(f"{inner}interconnect.outstanding 7 preset", said)
        self.assertIn(f"{outer}interconnect.outstanding 4", said)
        self.assertIn(f"{inner}interconnect.dmi true preset", said)
        place = "the CCI parameter platform.network."
        for preset, error in (
                ("interconnect.outstanding=0", "'interconnect.outstanding' must be an integer from 1 to "
                 "65536, found '0'"),
                ("interconnect.outstanding=2.5", "the preset must be an integer from 0 to 4294967295, "
                 "found 2.5"),
                ('interconnect.timing="quick"', 'the preset must be "exact" or "annotated", found "quick"'),
                ("interconnect.dmi=3", "the preset must be true or false, found 3"),
                ("clock_ns=-1", "'clock_ns' must be ")):
            with self.subTest(preset=preset):
                said = run(inner + preset)
                self.assertEqual(len(said), 1)
                self.assertTrue(said[0].startswith(f"{place}{preset.split('=')[0]}: error: {error}"), said[0])


if __name__ == "__main__":
    suite.main()
