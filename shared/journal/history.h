// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/event.h"
#include "sys/filedescriptor.h"

#include <QByteArray>

namespace firstwatch::journal {

// The journal's lines in rotated files: history.jsonl, history.1.jsonl … history.3.jsonl, 1 MiB each; one write(2) a
// line, so that a kill costs the line it hit and no other. Mode 0600 in a directory of mode 0700 that is created when
// missing. Where a file cannot be moved aside, the one in use grows up to the size of all, since only what is oldest is
// ever thrown away.
class History {
public:
    static constexpr qint64 fileBytes = 1024LL * 1024;
    static constexpr int files = 4;

    // False with `error` in words when the directory cannot be used; append() then does nothing.
    [[nodiscard]] bool open(const QByteArray &directory, QString &error);
    // False when the line could not be written (a full disk): the history is then closed, and error() says why.
    bool append(const QByteArray &line);
    [[nodiscard]] bool isOpen() const { return m_file.isValid(); }
    [[nodiscard]] const QString &error() const { return m_error; }

    struct Read {
        QList<Event> events; // oldest first
        int torn = 0; // lines that were not whole events
    };
    [[nodiscard]] static Read read(const QByteArray &directory);

private:
    bool openFile();
    bool close(const QString &what);
    bool rotate();

    sys::FileDescriptor m_directory;
    sys::FileDescriptor m_file;
    qint64 m_size = 0;
    QString m_error;
};

} // namespace firstwatch::journal
