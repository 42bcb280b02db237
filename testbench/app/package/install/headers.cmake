# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs the headers in FROM/testbench/app/package/include and what they include of FROM, directly
# or not, and nothing else, into TO, below DESTDIR. There every project header is named
# "flitscope/...", so that a user's include path holds no folder of a name as common as "models".
#
# Sources in ALSO (of FROM) go into ALSO_TO, with the same names in them, and headers that only they
# include into the folder `include` there: they are not for users' programs.

cmake_policy(VERSION 3.25)

# Sets `text` to what the file holds in its installed form, and `next` to what it includes of FROM.
function(installed_text file)
    file(READ ${file} text)
    string(REGEX MATCHALL "\n#include \"[^\"\n]+\"" lines "${text}")
    set(next)
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "\n#include \"([^\"\n]+)\"" "\\1" name "${line}")
        if(EXISTS ${FROM}/${name})
            list(APPEND next ${name})
            string(REPLACE "#include \"${name}\"" "#include \"flitscope/${name}\"" text "${text}")
        endif()
    endforeach()
    set(text "${text}" PARENT_SCOPE)
    set(next ${next} PARENT_SCOPE)
endfunction()

# Writes `text`. A macro, since the list of what has been installed is the caller's; without it among
# the arguments, since those of macros are read again.
macro(install_text file)
    list(APPEND CMAKE_INSTALL_MANIFEST_FILES ${file})
    file(WRITE $ENV{DESTDIR}${file} "${text}")
endmacro()

# Installs the headers in `waiting` and what these include, as far as that is not in `done`.
macro(install_reached folder)
    while(waiting)
        list(POP_FRONT waiting header)
        if(NOT header IN_LIST done)
            list(APPEND done ${header})
            installed_text(${FROM}/${header})
            install_text(${folder}/flitscope/${header})
            list(APPEND waiting ${next})
        endif()
    endwhile()
endmacro()

set(done)
set(waiting)
file(GLOB entries RELATIVE ${FROM}/testbench/app/package/include/flitscope
     ${FROM}/testbench/app/package/include/flitscope/*.h)
foreach(entry IN LISTS entries)
    installed_text(${FROM}/testbench/app/package/include/flitscope/${entry})
    install_text(${TO}/flitscope/${entry})
    list(APPEND waiting ${next})
endforeach()
install_reached(${TO})
list(LENGTH done count)
message(STATUS "Installed headers: ${count} beside those of the components, in ${TO}/flitscope")
foreach(source IN LISTS ALSO)
    cmake_path(GET source FILENAME name)
    installed_text(${FROM}/${source})
    install_text(${ALSO_TO}/${name})
    list(APPEND waiting ${next})
endforeach()
install_reached(${ALSO_TO}/include)
