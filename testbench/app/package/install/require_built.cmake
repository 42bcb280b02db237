# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Ends an installation of PART for which one of FILES has not been built in the folder BUILD.

cmake_policy(VERSION 3.25)
set(missing)
foreach(file IN LISTS FILES)
    if(NOT EXISTS ${file})
        cmake_path(GET file FILENAME name)
        list(APPEND missing ${name})
    endif()
endforeach()
if(missing)
    list(JOIN missing ", " missing)
    message(FATAL_ERROR "The part '${PART}' of flitscope is not built: there is no ${missing}. Build everything first: cmake --build ${BUILD}")
endif()
