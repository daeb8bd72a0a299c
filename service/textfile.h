// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

namespace firstwatch::service {

// A small file of our own container (a template, a token, a CA), read whole.
struct TextFile {
    QByteArray text;
    QString error; // why it could not be read; empty when it was
    bool missing = false;
};

// Follows symbolic links, as mounted ConfigMaps and Secrets are made of them. Never blocks on a FIFO; refuses what is
// no regular file or larger than `limit` bytes. `path` is absolute, or below `directory`.
[[nodiscard]] TextFile readTextFile(const QByteArray &path, qsizetype limit);
[[nodiscard]] TextFile readTextFile(int directory, const QByteArray &path, qsizetype limit);

} // namespace firstwatch::service
