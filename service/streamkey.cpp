// SPDX-License-Identifier: Apache-2.0
#include "service/streamkey.h"

#include "journal/findingcodes.h"
#include "journal/shownname.h"
#include "service/textfile.h"

#include <algorithm>
#include <utility>

namespace firstwatch::service {
namespace {

constexpr qsizetype shortestKey = 16;
constexpr qsizetype longestKey = 4096;

TextFile readKey(const QByteArray &path)
{
    TextFile file = readTextFile(path, longestKey);
    if (file.text.endsWith('\n'))
        file.text.chop(1);
    if (file.error.isEmpty() && file.text.size() < shortestKey)
        file.error = QStringLiteral("shorter than %1 bytes").arg(shortestKey);
    return file;
}

} // namespace

StreamKey::StreamKey(const Settings &settings, watch::Inotify &inotify, journal::Journal &journal)
    : m_path(settings.streamPort == 0 ? QByteArray() : settings.streamKeyFile)
    , m_port(settings.streamPort)
    , m_watch(inotify, {}, m_path.left(std::max<qsizetype>(m_path.lastIndexOf('/'), 1)))
    , m_journal(journal)
{
    connect(&m_watch, &watch::SideWatch::changed, this, &StreamKey::refresh);
    refresh();
}

void StreamKey::refresh()
{
    if (!isAskedFor())
        return;
    m_watch.arm(); // before the look, so that nothing is missed in between
    const TextFile file = readKey(m_path);
    if (!file.error.isEmpty())
        return complain(file.error);
    if (std::exchange(m_isBad, false))
        m_journal.closeFinding(journal::code::streamPort);
    if (std::exchange(m_bytes, file.text) != file.text)
        Q_EMIT changed(m_bytes);
}

void StreamKey::complain(const QString &why)
{
    m_isBad = true;
    const QString file = QStringLiteral("the key file %1 cannot be used (%2)").arg(journal::shownName(m_path), why);
    m_journal.openFinding({ journal::code::streamPort,
        m_bytes.isEmpty() ? QStringLiteral("port %1 is not opened: ").arg(m_port) + file
                          : file + QStringLiteral(": the key that it held before stays good") });
}

} // namespace firstwatch::service
