// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream/capture.h"
#include "ui/text/node.h"

#include <QFile>

namespace firstwatch::test {

inline QByteArray sourcePath(const QByteArray &below)
{
    return QByteArrayLiteral(FIRSTWATCH_SOURCE_DIR "/") + below;
}

// A recording of tests/data/captures as a node.
inline ui::Node recordedNode(const char *name)
{
    const stream::Capture capture = stream::readCapture(sourcePath("tests/data/captures/") + name);
    ui::Node node;
    node.source = QString::fromLatin1(name);
    node.events = capture.events;
    (void)ui::showRun(node, {});
    return node;
}

// The text of a golden file. With FIRSTWATCH_REFRESH_GOLDEN it is written first: look at the difference before it is
// committed.
inline QByteArray golden(const QByteArray &name, const QByteArray &now)
{
    QFile file(QFile::decodeName(sourcePath("tests/data/golden/") + name));
    if (qEnvironmentVariableIsSet("FIRSTWATCH_REFRESH_GOLDEN") && file.open(QIODevice::WriteOnly)) {
        (void)file.write(now);
        file.close();
    }
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace firstwatch::test
