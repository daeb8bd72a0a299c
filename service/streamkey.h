// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/journal.h"
#include "service/settings.h"
#include "watch/sidewatch.h"

#include <QObject>

namespace firstwatch::service {

// The key of the challenge on the stream's port, out of its file: read again when something happens in the file's
// directory, as when a mounted Secret is swapped by its "..data". While the file cannot be used, the key that it held
// before stays, and that is finding 1406.
class StreamKey final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(StreamKey)
public:
    StreamKey(const Settings &settings, watch::Inotify &inotify, journal::Journal &journal);

    // The bytes of the file, less one newline at the end, which editors and `openssl rand -hex` leave there. At least
    // 16; empty while there has been none, or none is asked for.
    [[nodiscard]] const QByteArray &bytes() const { return m_bytes; }
    [[nodiscard]] bool isAskedFor() const { return !m_path.isEmpty(); }
    void refresh(); // looks at the file

Q_SIGNALS:
    void changed(const QByteArray &bytes);

private:
    void complain(const QString &why);

    QByteArray m_path; // empty: none is asked for
    quint16 m_port;
    watch::SideWatch m_watch;
    journal::Journal &m_journal;
    QByteArray m_bytes;
    bool m_isBad = false; // and that is said
};

} // namespace firstwatch::service
