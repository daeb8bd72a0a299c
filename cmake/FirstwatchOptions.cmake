# SPDX-License-Identifier: Apache-2.0
# The one place for compile flags: every target links firstwatch_options.
add_library(firstwatch_options INTERFACE)
target_compile_features(firstwatch_options INTERFACE cxx_std_20)
target_compile_options(firstwatch_options INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Wnon-virtual-dtor
    -Woverloaded-virtual -Werror -fno-common -fstack-protector-strong)
target_compile_definitions(firstwatch_options INTERFACE
    FIRSTWATCH_VERSION="${PROJECT_VERSION}"
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_CAST_FROM_BYTEARRAY QT_NO_KEYWORDS QT_NO_FOREACH
    QT_NO_NARROWING_CONVERSIONS_IN_CONNECT QT_USE_QSTRINGBUILDER QT_DISABLE_DEPRECATED_BEFORE=0x060400)
target_include_directories(firstwatch_options INTERFACE ${PROJECT_SOURCE_DIR}/shared ${PROJECT_SOURCE_DIR})
target_link_options(firstwatch_options INTERFACE -Wl,--as-needed)

if(FIRSTWATCH_SANITIZE)
    target_compile_options(firstwatch_options INTERFACE
        -fsanitize=${FIRSTWATCH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(firstwatch_options INTERFACE -fsanitize=${FIRSTWATCH_SANITIZE})
endif()

if(FIRSTWATCH_SANITIZE STREQUAL thread)
    add_library(firstwatch_qtorder STATIC tests/tsan/qtorder.cpp)
    target_compile_features(firstwatch_qtorder PUBLIC cxx_std_20)
    target_link_libraries(firstwatch_qtorder PUBLIC Qt6::Core)
    target_link_libraries(firstwatch_options INTERFACE $<LINK_ONLY:firstwatch_qtorder>)
    target_link_options(firstwatch_options INTERFACE
        -Wl,--wrap=_ZN11QMetaObject8activateEP7QObjectPKS_iPPv
        -Wl,--wrap=_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv)
endif()
