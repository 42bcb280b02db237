# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds every third-party component, or says in one sentence what is missing and how to get it.

set(FLITSCOPE_HOW_TO_INSTALL "run ./dev setup, which installs the packages of testbench/setup/packages.txt")

function(flitscope_require name package)
    if(NOT ${name}_FOUND)
        message(FATAL_ERROR "flitscope needs ${name} (Debian package ${package}), which was not found: ${FLITSCOPE_HOW_TO_INSTALL}.")
    endif()
endfunction()

# Whoever links with a library links with what it needs, in whatever folder.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL TRUE)
find_package(PkgConfig QUIET)
flitscope_require(PkgConfig pkg-config)
# Not with the prefix SYSTEMC: that collides with verilator's own search for SystemC.
pkg_check_modules(SCPKG QUIET IMPORTED_TARGET GLOBAL systemc tlm)
if(NOT SCPKG_FOUND)
    message(FATAL_ERROR "flitscope needs SystemC (Debian package libsystemc-dev), which pkg-config does not know: ${FLITSCOPE_HOW_TO_INSTALL}.")
endif()

# A SystemC library works with the C++ standard it was compiled for and no other; its headers tell
# by a symbol name, so a small program that links is the proof.
if(NOT FLITSCOPE_SYSTEMC_LINKS)
    try_compile(FLITSCOPE_SYSTEMC_LINKS ${PROJECT_BINARY_DIR}/probe
                ${CMAKE_CURRENT_LIST_DIR}/systemc_probe.cpp
                LINK_LIBRARIES PkgConfig::SCPKG
                CXX_STANDARD ${CMAKE_CXX_STANDARD} CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
    if(NOT FLITSCOPE_SYSTEMC_LINKS)
        message(FATAL_ERROR "The SystemC ${SCPKG_systemc_VERSION} that was found does not link as C++${CMAKE_CXX_STANDARD}, so it was built for another C++ standard: use Debian's libsystemc-dev with C++17, or a SystemC that was built with -std=c++${CMAKE_CXX_STANDARD}.")
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
# Templates alone: nothing is linked.
find_path(FLITSCOPE_LEMON_DIR lemon/preflow.h)
if(NOT FLITSCOPE_LEMON_DIR)
    message(FATAL_ERROR "flitscope needs LEMON (Debian package liblemon-dev), which was not found: ${FLITSCOPE_HOW_TO_INSTALL}.")
endif()
# METIS comes without anything for CMake.
find_path(FLITSCOPE_METIS_INCLUDE metis.h)
find_library(FLITSCOPE_METIS_LIBRARY metis)
if(NOT FLITSCOPE_METIS_INCLUDE OR NOT FLITSCOPE_METIS_LIBRARY)
    message(FATAL_ERROR "flitscope needs METIS (Debian package libmetis-dev), which was not found: ${FLITSCOPE_HOW_TO_INSTALL}.")
endif()
add_library(METIS::METIS UNKNOWN IMPORTED)
set_target_properties(METIS::METIS PROPERTIES
    IMPORTED_LOCATION ${FLITSCOPE_METIS_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${FLITSCOPE_METIS_INCLUDE})

# Verilator translates the SystemVerilog router; its folder also holds GTKWave's fstapi, of which
# the constants of FST and LZ4 are used.
find_program(FLITSCOPE_VERILATOR verilator)
find_path(FLITSCOPE_VERILATOR_INCLUDE verilated.cpp PATHS /usr/share/verilator/include
          /usr/local/share/verilator/include)
find_path(FLITSCOPE_FSTAPI_DIR fstapi.c PATHS ${FLITSCOPE_VERILATOR_INCLUDE}/gtkwave)
if(NOT FLITSCOPE_VERILATOR OR NOT FLITSCOPE_FSTAPI_DIR)
    message(FATAL_ERROR "flitscope needs verilator and the FST writer that ships with it (Debian package verilator), which were not found: ${FLITSCOPE_HOW_TO_INSTALL}.")
endif()

# What the program and its tests need beside that, and a library in somebody else's build does not.
if(PROJECT_IS_TOP_LEVEL)
    find_package(CLI11 QUIET)
    flitscope_require(CLI11 libcli11-dev)
    find_package(GTest QUIET)
    flitscope_require(GTest libgtest-dev)
    find_package(benchmark QUIET)
    flitscope_require(benchmark libbenchmark-dev)
    find_package(Eigen3 QUIET)
    flitscope_require(Eigen3 libeigen3-dev)
    find_package(SQLite3 QUIET)
    flitscope_require(SQLite3 libsqlite3-dev)
    find_path(FLITSCOPE_XXHASH_DIR xxhash.h)
    if(NOT FLITSCOPE_XXHASH_DIR)
        message(FATAL_ERROR "flitscope needs xxhash (Debian package libxxhash-dev), which was not found: ${FLITSCOPE_HOW_TO_INSTALL}.")
    endif()
endif()
