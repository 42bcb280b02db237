# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Verilated routers, one shared library per set of parameters: for this build, and installed, for
# those of users (testbench/examples). verilated_router.cpp is in this folder, the router's own
# sources are in ../rtl; headers are those of the target flitscope::headers, and installed, also
# those in the folder `include`.

# Verilator's runtime, once, for all libraries.
function(_flitscope_verilated_runtime)
    if(TARGET flitscope_verilated_runtime)
        return()
    endif()
    find_program(FLITSCOPE_VERILATOR verilator)
    find_path(FLITSCOPE_VERILATOR_INCLUDE verilated.cpp PATHS /usr/share/verilator/include
              /usr/local/share/verilator/include)
    if(NOT FLITSCOPE_VERILATOR OR NOT FLITSCOPE_VERILATOR_INCLUDE)
        message(FATAL_ERROR "A router in SystemVerilog needs verilator (Debian package verilator), which was not found.")
    endif()
    # Beyond -O1 the compiler takes twice as long and the routers run no faster.
    if(NOT DEFINED FLITSCOPE_RTL_OPTIMIZE)
        set(FLITSCOPE_RTL_OPTIMIZE "-O1")
    endif()
    set(here ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
    add_library(flitscope_verilated_runtime STATIC EXCLUDE_FROM_ALL
        ${FLITSCOPE_VERILATOR_INCLUDE}/verilated.cpp
        ${FLITSCOPE_VERILATOR_INCLUDE}/verilated_threads.cpp
        ${FLITSCOPE_VERILATOR_INCLUDE}/verilated_vcd_c.cpp
        $<$<BOOL:${FLITSCOPE_RTL_COVERAGE}>:${FLITSCOPE_VERILATOR_INCLUDE}/verilated_cov.cpp>)
    target_compile_features(flitscope_verilated_runtime PUBLIC cxx_std_17)
    target_include_directories(flitscope_verilated_runtime SYSTEM PUBLIC
        ${FLITSCOPE_VERILATOR_INCLUDE} ${FLITSCOPE_VERILATOR_INCLUDE}/vltstd)
    target_compile_definitions(flitscope_verilated_runtime
        PUBLIC VM_COVERAGE=$<BOOL:${FLITSCOPE_RTL_COVERAGE}> VM_SC=0 VM_TRACE=1 VM_TRACE_VCD=1
               VM_TRACE_FST=0 VL_USER_STOP
        PRIVATE VL_USER_STOP_MAYBE)
    # Not our code, and meant to do odd things with memory; its symbols stay within each library.
    target_compile_options(flitscope_verilated_runtime PUBLIC
        -w ${FLITSCOPE_RTL_OPTIMIZE} -fno-strict-aliasing -fno-sanitize=undefined
        -include ${here}/rtl_print.h)
    # The first failure stops the simulation. The runtime would count it before, in the context of
    # whatever model its thread has met last, which other threads do, too.
    target_compile_options(flitscope_verilated_runtime PRIVATE
        "-Dvl_stop_maybe(file,line,scope,maybe)=vl_stop(file,line,scope)")
    set_target_properties(flitscope_verilated_runtime PROPERTIES
        POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# _flitscope_rtl_module(MODULE ROUTER_DELAY SOURCES...): finds its source, and sets in the caller's
# scope
#   module_sources  the files that verilator reads (it finds other modules by their names)
#   module_flags    its options
#   module_depends  other files that it may read
#   tells_grants    whether verilated_router.cpp may look at signals that only our router has
#   quiet_cycles    when it is at rest
# A foreign module searches the folders of its sources first, and may take longer to come to rest. One
# with valid and ready is instantiated by an adapter.
function(_flitscope_rtl_module module router_delay)
    cmake_path(SET here NORMALIZE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../rtl)
    if(NOT EXISTS ${here}/sources.txt)
        message(FATAL_ERROR "The router '${module}' is made with SystemVerilog of flitscope, and there is"
                " no ${here}/sources.txt: also install the part 'runtime' of flitscope (cmake --install"
                " BUILD --component runtime; the Debian package flitscope).")
    endif()
    # The router's own sources, packages first.
    file(STRINGS ${here}/sources.txt own_sources REGEX "^[a-z]")
    list(TRANSFORM own_sources PREPEND ${here}/)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${here}/sources.txt)
    if(module STREQUAL "router")
        set(sources ${own_sources})
        set(flags -Wall)
        set(depends ${own_sources})
        set(tells_grants 1 PARENT_SCOPE)
        set(quiet_cycles ${router_delay}+2 PARENT_SCOPE)
    else()
        set(listed ${ARGN})
        if(NOT listed)
            set(listed ${here}/foreign/${module}.sv)
        endif()
        set(given)
        set(folders)
        foreach(source IN LISTS listed)
            cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
            if(NOT EXISTS "${source}")
                message(FATAL_ERROR "The router '${module}': there is no ${source}. See"
                        " hw/rtl/README.md, \"Your own router\".")
            endif()
            list(APPEND given ${source})
            cmake_path(GET source PARENT_PATH folder)
            list(APPEND folders ${folder})
        endforeach()
        list(APPEND folders ${here}/foreign)  # what a printed template has inside
        list(REMOVE_DUPLICATES folders)
        set(depends ${given} ${own_sources} ${here}/foreign/lint.vlt)
        set(flags)
        foreach(folder IN LISTS folders)
            file(GLOB beside CONFIGURE_DEPENDS ${folder}/*.sv ${folder}/*.svh ${folder}/*.v
                 ${folder}/*.vh)
            list(APPEND depends ${beside})
            list(APPEND flags -y ${folder})
        endforeach()
        list(REMOVE_DUPLICATES depends)
        set(sources ${here}/foreign/lint.vlt ${here}/router_pkg.sv ${given})
        list(APPEND flags -y ${here} -Wall)
        if(NOT folders STREQUAL ${here}/foreign)
            # Shown, but other people's rules stay theirs.
            list(APPEND flags -Wno-fatal -Werror-USERERROR -Werror-USERFATAL)
        endif()
        set(tells_grants 0 PARENT_SCOPE)
        math(EXPR quiet "${router_delay} + 16")
        set(quiet_cycles ${quiet} PARENT_SCOPE)
    endif()
    set(module_sources ${sources} PARENT_SCOPE)
    set(module_flags ${flags} PARENT_SCOPE)
    set(module_depends ${depends} PARENT_SCOPE)
endfunction()

# _flitscope_name_in(FOLDER ARGUMENT VARIABLE): an argument of verilator; if it is a file or a folder of ours,
# its name as seen from FOLDER, where verilator runs.
function(_flitscope_name_in folder argument variable)
    cmake_path(SET rtl NORMALIZE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../rtl)
    foreach(ours IN ITEMS ${rtl} ${folder})
        cmake_path(IS_PREFIX ours "${argument}" is_ours)
        if(is_ours)
            cmake_path(RELATIVE_PATH argument BASE_DIRECTORY ${folder})
            break()
        endif()
    endforeach()
    set(${variable} "${argument}" PARENT_SCOPE)
endfunction()

# _flitscope_adapter(FOLDER SOURCES): copies of the adapter for valid and ready and of what it consists of,
# in FOLDER, whose modules have names of their own: Verilog has a single name space, and routers of others
# have a `credit_counter`, too. SOURCES: their paths, in the order in which they are compiled.
function(_flitscope_adapter folder sources)
    cmake_path(SET rtl NORMALIZE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../rtl)
    set(names router_pkg credit_counter delay_line flit_fifo packet_checker round_robin_arbiter
        valid_ready_input valid_ready_output)
    set(paths)
    foreach(path IN LISTS names ITEMS valid_ready_adapter)
        if(path MATCHES "^valid_ready_")
            set(source ${rtl}/foreign/${path}.sv)
        else()
            set(source ${rtl}/${path}.sv)
        endif()
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
        file(READ ${source} text)
        foreach(name IN LISTS names)
            string(REGEX REPLACE "([^A-Za-z0-9_$])${name}([^A-Za-z0-9_$])" "\\1flitscope_${name}\\2"
                   text "${text}")
        endforeach()
        if(path IN_LIST names)
            set(file ${folder}/flitscope_${path}.sv)
        else()
            set(file ${folder}/${path}.sv)  # the top
        endif()
        file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
        list(APPEND paths ${file})
    endforeach()
    set(${sources} ${paths} PARENT_SCOPE)
endfunction()

# flitscope_add_router(NAME [SOURCES FILE...] [INCLUDE DIR...] [DEFINES NAME[=VALUE]...]
#                      [PARAMETERS NAME=VALUE...] [OUTPUT_DIRECTORY DIR]): the target NAME, which
# verilates a router with the parameters that NAME says (hw/rtl/README.md, "Variants") and makes the
# library DIR/NAME.so; DIR is the current binary folder's `routers` by default. A router that flitscope
# has not consists of the SOURCES, relative to the current source folder, in the order in which they are
# compiled; modules that are not among them are looked for by their names in the folders of these. Files
# that these include are looked for in the folders INCLUDE, with the macros DEFINES; PARAMETERS are those
# of the top module besides the ones that NAME says.
function(flitscope_add_router name)
    if(TARGET ${name})
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 router "" "OUTPUT_DIRECTORY"
        "SOURCES;INCLUDE;DEFINES;PARAMETERS")
    if(router_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "flitscope_add_router: unknown argument '${router_UNPARSED_ARGUMENTS}' (SOURCES, INCLUDE, DEFINES, PARAMETERS, OUTPUT_DIRECTORY).")
    endif()
    if(NOT router_OUTPUT_DIRECTORY)
        set(router_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/routers)
    endif()
    set(here ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
    # What names of variants look like is said once.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${here}/rtl_variant.h)
    file(READ ${here}/rtl_variant.h header)
    if(NOT header MATCHES "kRtlVariantName =[ \n]+\"([^\"]+)\"[ \n]+\"([^\"]+)\"[ \n]+\"([^\"]+)\";")
        message(FATAL_ERROR "rtl_variant.h does not say how variants are named.")
    endif()
    set(pattern "${CMAKE_MATCH_1}${CMAKE_MATCH_2}${CMAKE_MATCH_3}")
    # The last match is the one whose parts are read.
    if(name MATCHES "_v1_.*_hold" OR name MATCHES "^router_p[0-9].*_valid_ready(_direct)?$"
       OR NOT name MATCHES "^${pattern}$")
        message(FATAL_ERROR "'${name}' names no variant of a router: see hw/rtl/README.md, \"Variants\".")
    endif()
    set(module ${CMAKE_MATCH_1})
    set(ports ${CMAKE_MATCH_2})
    set(vcs ${CMAKE_MATCH_3})
    set(depth ${CMAKE_MATCH_4})
    set(flit_bits ${CMAKE_MATCH_5})
    set(router_delay ${CMAKE_MATCH_6})
    set(routing ${CMAKE_MATCH_7})
    set(arbitration "${CMAKE_MATCH_8}")
    set(several "${CMAKE_MATCH_9}")
    set(input_speedup 1)
    if(several MATCHES "_x([0-9]+)")
        set(input_speedup ${CMAKE_MATCH_1})
    endif()
    set(output_speedup 1)
    set(output_queue 1)
    if(several MATCHES "_o([0-9]+)q([0-9]+)")
        set(output_speedup ${CMAKE_MATCH_1})
        set(output_queue ${CMAKE_MATCH_2})
    endif()
    set(classes 1)
    set(policy "")
    if(several MATCHES "_c([0-9]+)(_k([0-9a-f]+))?")
        set(classes ${CMAKE_MATCH_1})
        set(policy "${CMAKE_MATCH_3}")
    endif()
    set(hold 0)
    if(arbitration MATCHES "_hold")
        set(hold 1)
    endif()
    set(combined 0)
    if(arbitration MATCHES "_combined")
        set(combined 1)
    endif()
    set(slow_links 0)
    if(arbitration MATCHES "_slow")
        set(slow_links 1)
    endif()
    set(protocol flit)
    set(top ${module})
    if(arbitration MATCHES "^_valid_ready")
        set(protocol valid_ready)
        set(top valid_ready_adapter)
    endif()
    string(REGEX REPLACE "[a-z]" "" table_entries ${routing})
    string(REGEX MATCH "^[a-z]+" routing ${routing})
    set(routings mesh hypercube table pins)
    list(FIND routings ${routing} routing_number)
    if(NOT table_entries)
        set(table_entries 0)
    endif()
    math(EXPR routing_parameter "${routing_number} + 4 * ${slow_links}")  # router_pkg::SlowLinks
    set(parameters -GPorts=${ports} -GVirtualChannels=${vcs} -GDepth=${depth}
        -GFlitBits=${flit_bits} -GRouterDelay=${router_delay} -GRouting=${routing_parameter})
    if(table_entries)
        list(APPEND parameters -GTableEntries=${table_entries})
    endif()
    if(hold)
        list(APPEND parameters -GHold=1'b1)
    endif()
    if(combined)
        list(APPEND parameters -GCombined=1'b1)
    endif()
    if(input_speedup GREATER 1)
        list(APPEND parameters -GInputSpeedup=${input_speedup})
    endif()
    if(output_speedup GREATER 1)
        list(APPEND parameters -GOutputSpeedup=${output_speedup} -GOutputQueue=${output_queue})
    endif()
    math(EXPR digits "65536 + ${classes}" OUTPUT_FORMAT HEXADECIMAL)  # 0x1 and four digits
    string(SUBSTRING ${digits} 3 4 digits)
    set(classes_parameter 272'h${policy}${digits})  # router_pkg::ClassesBits
    if(classes GREATER 1)
        list(APPEND parameters -GClasses=${classes_parameter})
    endif()
    _flitscope_verilated_runtime()
    _flitscope_rtl_module(${module} ${router_delay} ${router_SOURCES})
    if(protocol STREQUAL "valid_ready")
        _flitscope_adapter(${CMAKE_CURRENT_BINARY_DIR}/verilated/${name}/adapter adapter)
        list(APPEND module_sources ${adapter})
        list(APPEND module_depends ${adapter})
        list(APPEND module_flags -DVALID_READY_ROUTER=${module})
        if(routing STREQUAL "table")
            list(APPEND module_flags -DVALID_READY_TABLE)
        endif()
        if(arbitration MATCHES "_direct$")
            list(APPEND parameters -GFallThrough=1'b1)
        endif()
        # The adapter sets them; it is the top.
        set(assigned "")
        if(vcs GREATER 1)
            set(assigned ", .VirtualChannels(${vcs})")
        endif()
        foreach(parameter IN LISTS router_PARAMETERS)
            string(REGEX REPLACE "^([^=]+)=(.*)$" ", .\\1(\\2)" one "${parameter}")
            string(APPEND assigned "${one}")
        endforeach()
        if(assigned)
            list(APPEND module_flags "-DVALID_READY_PARAMETERS=${assigned}")
        endif()
    else()
        list(TRANSFORM router_PARAMETERS PREPEND -G OUTPUT_VARIABLE own_parameters)
        list(APPEND parameters ${own_parameters})
    endif()
    foreach(folder IN LISTS router_INCLUDE)
        cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
        file(GLOB included CONFIGURE_DEPENDS ${folder}/*.sv ${folder}/*.svh ${folder}/*.v
             ${folder}/*.vh)
        list(APPEND module_depends ${included})
        list(APPEND module_flags +incdir+${folder})
    endforeach()
    foreach(macro IN LISTS router_DEFINES)
        list(APPEND module_flags -D${macro})
    endforeach()

    set(folder ${CMAKE_CURRENT_BINARY_DIR}/verilated/${name})
    file(MAKE_DIRECTORY ${folder})  # which only some generators do
    # Verilator silently omits from a trace whatever is wider or longer than these limits, under which
    # every register of a router fits, the table of 2^16 nodes included.
    set(flags --cc --prefix Vrouter --top ${top} -O3 --assert --trace --no-trace-params
        --trace-max-width 65536 --trace-max-array 65536
        --x-assign unique --x-initial unique)
    # By default it unrolls 64 iterations of a loop, as many as a FIFO of 64 flits has.
    if(depth GREATER 64)
        list(APPEND flags --unroll-count ${depth} --unroll-stmts 100000)
    endif()
    if(FLITSCOPE_RTL_COVERAGE AND module STREQUAL "router")
        list(APPEND flags --coverage-user)
        if(NOT FLITSCOPE_RTL_COVERAGE STREQUAL "covers")
            list(APPEND flags --coverage-line --coverage-toggle --coverage-max-width 8192)
        endif()
    endif()
    # Where a build and its sources are must not be in the C++ (an assertion names its file), or each
    # checkout would make and compile its own.
    set(reads)
    foreach(file IN LISTS module_depends)
        _flitscope_name_in(${folder} "${file}" file)
        list(APPEND reads "${file}")
    endforeach()
    set(arguments)
    foreach(argument IN LISTS flags module_flags parameters module_sources)
        _flitscope_name_in(${folder} "${argument}" argument)
        list(APPEND arguments "${argument}")
    endforeach()
    add_custom_command(OUTPUT ${folder}/Vrouter__ALL.cpp
        # verilated_router.cpp reads these: a new layout must never meet an old object file.
        BYPRODUCTS ${folder}/Vrouter.h ${folder}/Vrouter___024root.h
        COMMAND ${CMAKE_COMMAND} -D "READS=${reads}" -P ${here}/verilate.cmake --
                ${FLITSCOPE_VERILATOR} ${arguments}
        DEPENDS ${module_depends} ${here}/verilate.cmake
        WORKING_DIRECTORY ${folder} VERBATIM COMMENT "verilating ${name}")

    add_library(${name} MODULE ${folder}/Vrouter__ALL.cpp ${here}/verilated_router.cpp)
    target_include_directories(${name} SYSTEM PRIVATE ${folder})
    if(IS_DIRECTORY ${here}/include)
        target_include_directories(${name} PRIVATE ${here}/include)
    endif()
    target_compile_options(${name} PRIVATE -fmacro-prefix-map=${folder}/=)
    target_compile_definitions(${name} PRIVATE
        FLITSCOPE_NAME="${name}" FLITSCOPE_PORTS=${ports} FLITSCOPE_VIRTUAL_CHANNELS=${vcs}
        FLITSCOPE_DEPTH=${depth} FLITSCOPE_FLIT_BITS=${flit_bits}
        FLITSCOPE_ROUTER_DELAY=${router_delay} FLITSCOPE_TABLE_ENTRIES=${table_entries}
        FLITSCOPE_HOLD=${hold} FLITSCOPE_COMBINED=${combined}
        FLITSCOPE_INPUT_SPEEDUP=${input_speedup} FLITSCOPE_OUTPUT_SPEEDUP=${output_speedup}
        FLITSCOPE_OUTPUT_QUEUE=${output_queue} FLITSCOPE_CLASSES="${classes_parameter}"
        FLITSCOPE_SLOW_LINKS=${slow_links} FLITSCOPE_ROUTING=${routing_number}
        FLITSCOPE_TELLS_GRANTS=${tells_grants}
        FLITSCOPE_QUIET_CYCLES=${quiet_cycles})
    target_link_libraries(${name} PRIVATE flitscope_verilated_runtime flitscope::headers)
    # Each library has its own class Vrouter and runtime: no symbol of them may leak out.
    target_link_options(${name} PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic)
    set_target_properties(${name} PROPERTIES
        PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${router_OUTPUT_DIRECTORY}
        CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()
