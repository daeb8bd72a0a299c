# SPDX-License-Identifier: Apache-2.0
# firstwatch_add_test(tst_name SOURCES … [LIBRARIES …] [TIMEOUT seconds] [LABELS …]): one Qt Test program, run by ctest.
function(firstwatch_add_test name)
    cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LIBRARIES;LABELS" ${ARGN})
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE firstwatch_test_support ${arg_LIBRARIES} firstwatch_core firstwatch_faults Qt6::Test)
    add_test(NAME ${name} COMMAND ${name})
    foreach(label IN LISTS arg_LABELS) # "tests_unit" builds what "ctest -L unit" runs
        if(NOT TARGET tests_${label})
            add_custom_target(tests_${label})
        endif()
        add_dependencies(tests_${label} ${name})
    endforeach()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}"
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;TZ=UTC")
endfunction()
