# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs PAGES of FROM and the pictures in them into TO, below DESTDIR, in the folders that they are in.
# Of links to what is not installed only the words are left.

cmake_policy(VERSION 3.25)

foreach(page IN LISTS PAGES)
    file(READ ${FROM}/${page} text)
    cmake_path(GET page PARENT_PATH folder)
    # What stands in parentheses, be it a link or not: square brackets mean something in lists.
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
        elseif(NOT name IN_LIST PAGES)
            string(REPLACE "." "\\." pattern "${link}")
            string(REGEX REPLACE "\\[([^][]*)\\]\\(${pattern}(#[^()]*)?\\)" "\\1" text "${text}")
        endif()
    endforeach()
    list(APPEND CMAKE_INSTALL_MANIFEST_FILES ${TO}/${page})
    file(WRITE $ENV{DESTDIR}${TO}/${page} "${text}")
endforeach()
