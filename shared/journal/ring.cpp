// SPDX-License-Identifier: Apache-2.0
#include "journal/ring.h"

#include <algorithm>

namespace firstwatch::journal {
namespace {

void appendSince(QList<Ring::Entry> &out, const std::deque<Ring::Entry> &entries, quint64 seq)
{
    const auto from = std::upper_bound(entries.cbegin(), entries.cend(), seq,
        [](quint64 wanted, const Ring::Entry &entry) { return wanted < entry.seq; });
    std::for_each(from, entries.cend(), [&out](const Ring::Entry &entry) { out.append(entry); });
}

} // namespace

void Ring::append(quint64 seq, const QByteArray &line)
{
    if (m_pinned.size() < pinned) {
        m_pinned.push_back({ seq, line });
        return;
    }
    m_recent.push_back({ seq, line });
    m_bytes += line.size();
    while (m_recent.size() > maxLines || m_bytes > maxBytes) {
        m_bytes -= m_recent.front().line.size();
        m_recent.pop_front();
    }
}

QList<Ring::Entry> Ring::since(quint64 seq) const
{
    QList<Entry> entries;
    appendSince(entries, m_pinned, seq);
    appendSince(entries, m_recent, seq);
    return entries;
}

} // namespace firstwatch::journal
