# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds every third-party component, or says in one sentence what is missing and how to get it.

# flitscope_missing(NAME PACKAGE [GROUP]): ends the configuration. GROUP is that of packages.txt.
function(flitscope_missing name package)
    set(group run)
    if(ARGC GREATER 2)
        set(group ${ARGV2})
    endif()
    message(FATAL_ERROR "flitscope needs ${name} (Debian package ${package}), which was not found: run ./dev setup ${group}, which installs the packages of that group in testbench/setup/packages.txt.")
endfunction()

# flitscope_require(NAME PACKAGE [GROUP]): checks that find_package(NAME) was successful.
function(flitscope_require name package)
    if(NOT ${name}_FOUND)
        flitscope_missing(${ARGV})
    endif()
endfunction()

# Whoever links with a library links with what it needs, in whatever folder.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL TRUE)
find_package(PkgConfig QUIET)
flitscope_require(PkgConfig pkg-config)
# SystemC by its own CMake package, as one that was built from source installs it
# (-DSystemCLanguage_DIR=..., or CMAKE_PREFIX_PATH), else by pkg-config, as Debian has it: 2.3.4 and
# 3.0.x. Whatever links with it says flitscope::systemc.
find_package(SystemCLanguage CONFIG QUIET)
if(SystemCLanguage_FOUND)
    set(FLITSCOPE_SYSTEMC SystemC::systemc)
    set(FLITSCOPE_SYSTEMC_VERSION ${SystemCLanguage_VERSION})
else()
    # Not with the prefix SYSTEMC: that collides with verilator's own search for SystemC.
    pkg_check_modules(SCPKG QUIET IMPORTED_TARGET GLOBAL systemc tlm)
    if(NOT SCPKG_FOUND)
        flitscope_missing("SystemC, as its CMake package SystemCLanguage or known to pkg-config,"
                          libsystemc-dev)
    endif()
    set(FLITSCOPE_SYSTEMC PkgConfig::SCPKG)
    set(FLITSCOPE_SYSTEMC_VERSION ${SCPKG_systemc_VERSION})
endif()
add_library(flitscope_systemc INTERFACE)
add_library(flitscope::systemc ALIAS flitscope_systemc)
target_link_libraries(flitscope_systemc INTERFACE ${FLITSCOPE_SYSTEMC})

# A SystemC library works only with the C++ standard it was compiled for; its headers encode that in
# a symbol name, so a small program that links is the proof.
if(NOT FLITSCOPE_SYSTEMC_LINKS)
    try_compile(FLITSCOPE_SYSTEMC_LINKS ${PROJECT_BINARY_DIR}/probe
                ${CMAKE_CURRENT_LIST_DIR}/systemc_probe.cpp
                LINK_LIBRARIES ${FLITSCOPE_SYSTEMC}
                CXX_STANDARD ${CMAKE_CXX_STANDARD} CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
    if(NOT FLITSCOPE_SYSTEMC_LINKS)
        message(FATAL_ERROR "The SystemC ${FLITSCOPE_SYSTEMC_VERSION} that was found does not link as C++${CMAKE_CXX_STANDARD}, so it was built for another C++ standard: use Debian's libsystemc-dev with C++17, or name the standard that yours was built for (-DCMAKE_CXX_STANDARD=20).")
    endif()
endif()

find_package(yaml-cpp QUIET)
flitscope_require(yaml-cpp libyaml-cpp-dev)
find_package(Boost QUIET)
flitscope_require(Boost libboost-dev)
find_package(EXPAT QUIET)
flitscope_require(EXPAT libexpat1-dev)
find_package(nlohmann_json QUIET)
flitscope_require(nlohmann_json nlohmann-json3-dev)
find_package(fmt QUIET)
flitscope_require(fmt libfmt-dev)
find_package(ZLIB QUIET)
flitscope_require(ZLIB zlib1g-dev)
find_package(Threads REQUIRED)
# Only templates: nothing is linked.
find_path(FLITSCOPE_LEMON_DIR lemon/preflow.h)
if(NOT FLITSCOPE_LEMON_DIR)
    flitscope_missing(LEMON liblemon-dev)
endif()
# METIS comes without anything for CMake.
find_path(FLITSCOPE_METIS_INCLUDE metis.h)
find_library(FLITSCOPE_METIS_LIBRARY metis)
if(NOT FLITSCOPE_METIS_INCLUDE OR NOT FLITSCOPE_METIS_LIBRARY)
    flitscope_missing(METIS libmetis-dev)
endif()
add_library(METIS::METIS UNKNOWN IMPORTED)
set_target_properties(METIS::METIS PROPERTIES
    IMPORTED_LOCATION ${FLITSCOPE_METIS_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${FLITSCOPE_METIS_INCLUDE})

# Verilator translates the SystemVerilog router; its folder also holds GTKWave's fstapi, whose
# constants of FST and LZ4 are used.
find_program(FLITSCOPE_VERILATOR verilator)
find_path(FLITSCOPE_VERILATOR_INCLUDE verilated.cpp PATHS /usr/share/verilator/include
          /usr/local/share/verilator/include)
find_path(FLITSCOPE_FSTAPI_DIR fstapi.c PATHS ${FLITSCOPE_VERILATOR_INCLUDE}/gtkwave)
if(NOT FLITSCOPE_VERILATOR OR NOT FLITSCOPE_FSTAPI_DIR)
    flitscope_missing("verilator and the FST writer that ships with it" verilator)
endif()

# Further needs of the program and its tests, but not of a library in somebody else's build.
if(PROJECT_IS_TOP_LEVEL)
    find_package(CLI11 QUIET)
    flitscope_require(CLI11 libcli11-dev)
    find_package(Eigen3 QUIET)
    flitscope_require(Eigen3 libeigen3-dev)
    find_package(SQLite3 QUIET)
    flitscope_require(SQLite3 libsqlite3-dev)
    find_path(FLITSCOPE_XXHASH_DIR xxhash.h)
    if(NOT FLITSCOPE_XXHASH_DIR)
        flitscope_missing(xxhash libxxhash-dev)
    endif()

    option(FLITSCOPE_TESTS "Tests and benchmarks; without them the program alone is built" ON)
    if(FLITSCOPE_TESTS)
        find_package(GTest QUIET)
        flitscope_require(GTest libgtest-dev test)
        find_package(benchmark QUIET)
        flitscope_require(benchmark libbenchmark-dev test)
        # Debian's own, where there is one: its packages are not those of another Python on PATH.
        find_program(Python3_EXECUTABLE python3 PATHS /usr/bin NO_DEFAULT_PATH)
        find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
        flitscope_require(Python3 python3 test)
    endif()
endif()
