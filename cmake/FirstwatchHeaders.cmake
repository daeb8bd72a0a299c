# SPDX-License-Identifier: Apache-2.0
# Headers that nearly every file of a library includes are read once: that is half of what compiling one costs. Tests
# have none: Qt Test's headers depend on the Qt modules that a test links.
# Every file still includes what it uses; -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds without this and shows it.
set(FIRSTWATCH_COMMON_HEADERS
    <algorithm> <array> <cerrno> <functional> <map> <memory> <optional> <string> <vector>
    <QByteArray> <QByteArrayList> <QCoreApplication> <QDir> <QFile> <QJsonArray> <QJsonDocument> <QJsonObject> <QList>
    <QMap> <QObject> <QRegularExpression> <QString> <QStringList> <QTimer>)

set(FIRSTWATCH_HEADERS_SOURCE ${CMAKE_BINARY_DIR}/headers.cpp) # a target must have a source
file(CONFIGURE OUTPUT ${FIRSTWATCH_HEADERS_SOURCE} CONTENT "")
# Has no macros but those that every target has, or the others could not take its precompiled headers.
add_library(firstwatch_headers OBJECT ${FIRSTWATCH_HEADERS_SOURCE})
target_link_libraries(firstwatch_headers PRIVATE firstwatch_options Qt6::Core)
target_precompile_headers(firstwatch_headers PRIVATE ${FIRSTWATCH_COMMON_HEADERS})

function(firstwatch_share_headers)
    foreach(target IN LISTS ARGN)
        target_precompile_headers(${target} REUSE_FROM firstwatch_headers)
    endforeach()
endfunction()
