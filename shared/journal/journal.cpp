// SPDX-License-Identifier: Apache-2.0
#include "journal/journal.h"

#include "journal/redact.h"
#include "sys/clock.h"

#include <QRandomGenerator>

namespace firstwatch::journal {
namespace {

QByteArray randomBoot()
{
    return QByteArray::number(QRandomGenerator::system()->generate64(), 16).rightJustified(16, '0');
}

} // namespace

Journal::Journal(QObject *parent)
    : QObject(parent)
    , m_boot(randomBoot())
{
}

Event Journal::record(Kind kind, const QJsonObject &fields)
{
    const Event event{ ++m_seq, m_boot, sys::bootTimeNs(), wallNowUs(), kind, {}, redacted(fields) };
    const QByteArray line = toLine(event);
    m_state.apply(event);
    m_ring.append(event.seq, line);
    handOn(event, line);
    return event;
}

// A slot may record in turn: what it records waits until everybody has the event before it.
void Journal::handOn(const Event &event, const QByteArray &line)
{
    m_pending.enqueue({ event, line });
    if (m_pending.size() > 1)
        return;
    while (!m_pending.isEmpty()) {
        const auto [next, nextLine] = m_pending.head();
        Q_EMIT recorded(next, nextLine);
        m_pending.dequeue();
    }
}

void Journal::openFinding(const Finding &finding, const QByteArray &file, const QJsonObject &extra)
{
    const std::pair key(file, finding.code);
    const auto open = m_open.constFind(key);
    if (open != m_open.cend() && *open == finding.text)
        return;
    m_open.insert(key, finding.text);
    QJsonObject fields = extra;
    fields.insert(QLatin1String("code"), finding.code);
    fields.insert(QLatin1String("file"), shownName(file));
    fields.insert(QLatin1String("text"), finding.text);
    record(Kind::FindingOpen, fields);
}

void Journal::closeFinding(int code, const QByteArray &file)
{
    if (m_open.remove({ file, code }) > 0)
        record(Kind::FindingClose, { { QLatin1String("code"), code }, { QLatin1String("file"), shownName(file) } });
}

void Journal::closeFindings(const QByteArray &file)
{
    QList<int> codes;
    for (auto open = m_open.lowerBound({ file, 0 }); open != m_open.end() && open.key().first == file; ++open)
        codes.append(open.key().second);
    for (const int code : codes)
        closeFinding(code, file);
}

} // namespace firstwatch::journal
