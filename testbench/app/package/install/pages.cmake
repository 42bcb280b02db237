# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs PAGES of FROM and the pictures in them into TO, below DESTDIR, in the folders that they
# are in; the folder of examples is separate there. Links to anything neither in PAGES nor in
# BESIDE, pages that another part installs, become plain text. Commands are those of the installed
# program, with its configurations in DATA; text that is only for the sources is left out.

cmake_policy(VERSION 3.25)

# The place of `name` of the sources below TO.
function(installed_name name result)
    string(REGEX REPLACE "^testbench/examples/" "examples/" name "${name}")
    set(${result} ${name} PARENT_SCOPE)
endfunction()

# Removes the text between the marks from `text`.
function(leave_out_sources_only)
    set(mark "<!-- sources only -->")
    set(end "<!-- end of sources only -->")
    string(FIND "${text}" "${mark}" from)
    string(FIND "${text}" "${end}" to)
    if(from EQUAL -1 OR to EQUAL -1)
        return()
    endif()
    string(SUBSTRING "${text}" 0 ${from} before)
    string(LENGTH "${end}\n" length)
    math(EXPR to "${to} + ${length}")
    string(SUBSTRING "${text}" ${to} -1 after)
    set(text "${before}${after}" PARENT_SCOPE)
endfunction()

set(note "These are the pages of the sources, beside the installed program `flitscope`: commands are written as for
the folder that it was installed into, `/usr` or another, in which `${DATA}/configs` has the configurations.
`./dev` and tests are in the sources alone.
")

foreach(page IN LISTS PAGES)
    file(READ ${FROM}/${page} text)
    leave_out_sources_only()
    installed_name(${page} installed)
    cmake_path(GET page PARENT_PATH folder)
    cmake_path(GET installed PARENT_PATH new_folder)
    # Text in parentheses, whether a link or not: square brackets have a meaning in lists.
    string(REGEX MATCHALL "\\([^()#: ;\n]+[#)]" words "${text}")
    list(REMOVE_DUPLICATES words)
    foreach(word IN LISTS words)
        string(REGEX REPLACE "[(#)]" "" link "${word}")
        cmake_path(SET target NORMALIZE "${FROM}/${folder}/${link}")
        if(NOT EXISTS ${target} OR IS_DIRECTORY ${target})
            continue()
        endif()
        cmake_path(RELATIVE_PATH target BASE_DIRECTORY ${FROM} OUTPUT_VARIABLE name)
        if(name MATCHES "\\.(png|svg)$")
            cmake_path(GET name PARENT_PATH place)
            file(INSTALL ${target} DESTINATION ${TO}/${place})
        elseif(NOT name IN_LIST PAGES AND NOT name IN_LIST BESIDE)
            string(REPLACE "." "\\." pattern "${link}")
            string(REGEX REPLACE "\\[([^][]*)\\]\\(${pattern}(#[^()]*)?\\)" "\\1" text "${text}")
        elseif(NOT folder STREQUAL new_folder)
            installed_name(${name} target)
            cmake_path(RELATIVE_PATH target BASE_DIRECTORY "${new_folder}" OUTPUT_VARIABLE new_link)
            string(REPLACE "](${link}" "](${new_link}" text "${text}")
        endif()
    endforeach()
    string(REPLACE "build/release/flitscope" "flitscope" text "${text}")
    string(REPLACE "testbench/configs/" "${DATA}/configs/" text "${text}")
    if(page STREQUAL "README.md")
        string(REPLACE ", built as `flitscope`" "" text "${text}")
        string(REGEX REPLACE "^(#[^\n]*\n\n)" "\\1${note}\n" text "${text}")
    endif()
    list(APPEND CMAKE_INSTALL_MANIFEST_FILES ${TO}/${installed})
    file(WRITE $ENV{DESTDIR}${TO}/${installed} "${text}")
endforeach()
