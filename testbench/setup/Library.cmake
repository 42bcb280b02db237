# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# A library per folder, so that the linker enforces the layers.

# flitscope_library(NAME [HOT] SOURCES... [PUBLIC LIBRARIES...] [PRIVATE LIBRARIES...]): the library
# flitscope::NAME from the sources of this folder. Whatever its headers include is PUBLIC.
#
# HOT: code that runs for every flit, packet or message, or searches; a release optimises it at -O3.
# The rest runs once a run and is compiled at -Og, in half the time.
#
# It is also linked with only the libraries that it names here: a folder that uses one that is not
# on its link line does not build.
function(flitscope_library name)
    cmake_parse_arguments(PARSE_ARGV 1 library "HOT" "" "PUBLIC;PRIVATE")
    add_library(flitscope_${name} STATIC ${library_UNPARSED_ARGUMENTS})
    add_library(flitscope::${name} ALIAS flitscope_${name})
    target_link_libraries(flitscope_${name}
        PUBLIC flitscope::headers ${library_PUBLIC}
        PRIVATE flitscope_warnings ${library_PRIVATE})
    flitscope_compile_options(flitscope_${name} ${library_HOT})

    if(NOT PROJECT_IS_TOP_LEVEL)
        return()
    endif()
    target_precompile_headers(flitscope_${name} REUSE_FROM flitscope_parsing_${library_HOT})
    add_executable(flitscope_${name}_links $<TARGET_OBJECTS:flitscope_link_probe>)
    target_link_libraries(flitscope_${name}_links
        PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,flitscope_${name}> flitscope_quick_linker)
    set_target_properties(flitscope_${name}_links PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/links)
endfunction()

# How the sources of a library are compiled, which are hot (TRUE) or not (FALSE).
#
# Libraries also become parts of shared objects: plugins, and modules of Python. Nobody replaces single
# functions of them there, so the compiler may expand them in place as in a program: a run takes 0.1 %
# more instructions.
function(flitscope_compile_options target is_hot)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
    if(NOT is_hot)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
    endif()
    # Precompiled headers fit only sources with the same options and macros.
    target_compile_definitions(${target} PRIVATE
                               $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
endfunction()

# Headers that most sources include, directly or not, are parsed once: that saves a tenth of the time
# to compile the program. The presets that compile each source by itself do without.
if(PROJECT_IS_TOP_LEVEL)
    foreach(is_hot IN ITEMS TRUE FALSE)
        set(name flitscope_parsing_${is_hot})
        add_library(${name} OBJECT ${CMAKE_CURRENT_LIST_DIR}/link_probe.cpp)
        target_link_libraries(${name} PRIVATE flitscope_warnings)
        flitscope_compile_options(${name} ${is_hot})
        target_precompile_headers(${name} PRIVATE
            <algorithm> <array> <cstdint> <deque> <filesystem> <fstream> <functional> <iostream> <map>
            <memory> <optional> <set> <sstream> <stdexcept> <string> <unordered_map> <utility>
            <variant> <vector> <fmt/format.h>)
    endforeach()

    # For programs that stay in the build, of which there are hundreds: with the default linker of GCC they take
    # three times as long, minutes of a whole build. Whatever is installed is linked by that one.
    include(CheckLinkerFlag)
    add_library(flitscope_quick_linker INTERFACE)
    foreach(linker IN ITEMS lld gold)
        check_linker_flag(CXX -fuse-ld=${linker} FLITSCOPE_LINKS_WITH_${linker})
        if(FLITSCOPE_LINKS_WITH_${linker})
            target_link_options(flitscope_quick_linker INTERFACE -fuse-ld=${linker})
            break()
        endif()
    endforeach()
endif()

# The source that turns a library into a program that links.
add_library(flitscope_link_probe OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/link_probe.cpp)
