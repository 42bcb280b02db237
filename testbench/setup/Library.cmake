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
    if(NOT library_HOT)
        target_compile_options(flitscope_${name} PRIVATE $<$<CONFIG:Release>:-Og>)
    endif()

    if(NOT PROJECT_IS_TOP_LEVEL)
        return()
    endif()
    add_executable(flitscope_${name}_links $<TARGET_OBJECTS:flitscope_link_probe>)
    target_link_libraries(flitscope_${name}_links
        PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,flitscope_${name}>)
    set_target_properties(flitscope_${name}_links PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/links)
endfunction()

# The source that turns a library into a program that links.
add_library(flitscope_link_probe OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/link_probe.cpp)
