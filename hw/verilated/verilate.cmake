# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Verilates a router, or takes the C++ that verilator has made of the same sources on this machine before,
# for whatever build: called by Routers.cmake, in the folder that the C++ is for.
#
#   cmake -D "READS=FILE;..." -P verilate.cmake -- VERILATOR ARGUMENT...
#
# READS: every file that verilator may read. The archive of the C++ is named after them, the arguments and
# verilator's version, in $FLITSCOPE_CACHE/verilated or where cache_folder() of the program looks
# (testbench/README.md, "Environment"). Without a folder that can be written to nothing is kept.
cmake_minimum_required(VERSION 3.25)

# As many as some ten changes of the RTL leave. Those that were not used for the longest time go first.
if(NOT DEFINED MOST_ARCHIVES)
    set(MOST_ARCHIVES 500)
endif()

# Sets VARIABLE to the arguments of this call after `--`.
function(read_command variable)
    set(words)
    set(is_read FALSE)
    math(EXPR last "${CMAKE_ARGC} - 1")
    foreach(i RANGE ${last})
        if(is_read)
            list(APPEND words "${CMAKE_ARGV${i}}")
        elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
            set(is_read TRUE)
        endif()
    endforeach()
    set(${variable} "${words}" PARENT_SCOPE)
endfunction()

# Sets VARIABLE to the folder of the archives; to nothing if there can be none.
function(find_cache variable)
    set(folder "$ENV{FLITSCOPE_CACHE}")
    if(NOT folder AND NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
        set(folder "$ENV{XDG_CACHE_HOME}/flitscope")
    endif()
    if(NOT folder AND NOT "$ENV{HOME}" STREQUAL "")
        set(folder "$ENV{HOME}/.cache/flitscope")
    endif()
    if(folder)
        string(APPEND folder "/verilated")
        execute_process(COMMAND ${CMAKE_COMMAND} -E make_directory "${folder}" RESULT_VARIABLE failed ERROR_QUIET)
        if(failed)
            set(folder "")
        endif()
    endif()
    set(${variable} "${folder}" PARENT_SCOPE)
endfunction()

# Sets VARIABLE to a digest of everything that the C++ is made of, this script included.
function(digest_inputs variable)
    list(GET command 0 verilator)
    execute_process(COMMAND "${verilator}" --version OUTPUT_VARIABLE text)
    string(APPEND text "${command}\n")
    foreach(file IN LISTS READS ITEMS "${CMAKE_CURRENT_LIST_FILE}")
        file(SHA256 "${file}" digest)
        cmake_path(GET file FILENAME name)
        string(APPEND text "${name} ${digest}\n")
    endforeach()
    string(SHA256 digest "${text}")
    set(${variable} ${digest} PARENT_SCOPE)
endfunction()

# What an earlier call has left here would be a part of the router, or of the archive.
function(remove_generated)
    file(GLOB old Vrouter*)
    if(old)
        file(REMOVE ${old})
    endif()
endfunction()

# Sets VARIABLE to whether verilator has read only what the digest is made of: a file included from a
# folder that nobody named may change, and the digest would not.
function(check_reads variable)
    set(named)
    foreach(file IN LISTS READS)
        file(REAL_PATH "${file}" file)
        list(APPEND named "${file}")
    endforeach()
    set(${variable} TRUE PARENT_SCOPE)
    file(STRINGS Vrouter__verFiles.dat lines REGEX "^S ")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^[^\"]*\"(.*)\"$" "\\1" file "${line}")
        file(REAL_PATH "${file}" file)
        cmake_path(GET file FILENAME name)
        if(NOT file IN_LIST named AND NOT name STREQUAL "verilator_bin")
            set(${variable} FALSE PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

# Other builds may be reading and writing the same archive, so it appears whole.
function(store archive)
    string(RANDOM LENGTH 12 name)
    set(partial "${cache}/${name}.partial")
    file(GLOB made RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" Vrouter*.cpp Vrouter*.h)
    execute_process(COMMAND ${CMAKE_COMMAND} -E tar cf "${partial}" --zstd -- ${made}
                    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(NOT failed)
        file(RENAME "${partial}" "${archive}" RESULT failed)
    endif()
    if(failed)
        file(REMOVE "${partial}")
    endif()
endfunction()

# Removes what is beyond MOST_ARCHIVES; what interrupted builds have left gets there, too.
function(prune)
    file(GLOB entries "${cache}/*")
    set(by_use)
    foreach(entry IN LISTS entries)
        file(TIMESTAMP "${entry}" seconds "%s" UTC)  # nothing if another build has removed it
        list(APPEND by_use "${seconds} ${entry}")
    endforeach()
    list(LENGTH by_use count)
    if(count GREATER MOST_ARCHIVES)
        list(SORT by_use ORDER DESCENDING)
        list(SUBLIST by_use ${MOST_ARCHIVES} -1 excess)
        list(TRANSFORM excess REPLACE "^[0-9]* " "")
        file(REMOVE ${excess})
    endif()
endfunction()

# Takes the C++ out of the archive; one that is damaged counts as none.
function(restore archive variable)
    set(${variable} FALSE PARENT_SCOPE)
    if(NOT cache OR NOT EXISTS "${archive}")
        return()
    endif()
    execute_process(COMMAND ${CMAKE_COMMAND} -E tar xf "${archive}" --touch
                    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(NOT failed AND EXISTS Vrouter__ALL.cpp)
        execute_process(COMMAND ${CMAKE_COMMAND} -E touch_nocreate "${archive}" OUTPUT_QUIET ERROR_QUIET)
        set(${variable} TRUE PARENT_SCOPE)
    endif()
endfunction()

function(verilate)
    # By its whole name: else make would make anew what it includes, from names of sources with blanks.
    execute_process(COMMAND ${command} --Mdir "${CMAKE_CURRENT_SOURCE_DIR}" RESULT_VARIABLE failed)
    if(NOT failed)
        # One file that includes the others, however many these are.
        execute_process(COMMAND make -s -f Vrouter.mk VM_PARALLEL_BUILDS=0 Vrouter__ALL.cpp
                        RESULT_VARIABLE failed)
    endif()
    if(failed)
        message(FATAL_ERROR "verilator failed (${failed})")
    endif()
endfunction()

read_command(command)
find_cache(cache)
digest_inputs(digest)
set(archive "${cache}/${digest}.tar.zst")
remove_generated()
restore("${archive}" is_restored)
if(NOT is_restored)
    remove_generated()
    verilate()
    check_reads(is_complete)
    if(cache AND is_complete)
        store("${archive}")
        prune()
    endif()
endif()
