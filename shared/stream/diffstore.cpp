// SPDX-License-Identifier: Apache-2.0
#include "stream/diffstore.h"

#include "conflist/unifieddiff.h"
#include "journal/redact.h"
#include "journal/redactconfig.h"
#include "journal/shownname.h"

#include <algorithm>
#include <utility>

namespace firstwatch::stream {
namespace {

// Of a text that is too long its first lines.
QString diffText(const QByteArray &before, const QByteArray &after, const QString &file, bool &isTruncated)
{
    const QByteArray name = file.toUtf8();
    QByteArray text = conflist::unifiedDiff(before, after, { "a/" + name, "b/" + name });
    if (text.size() > longestDiff) {
        text.truncate(text.lastIndexOf('\n', longestDiff - 1) + 1);
        isTruncated = true;
    }
    return QString::fromUtf8(text);
}

qsizetype bytesOf(const Diff &diff)
{
    return diff.size() * qsizetype(sizeof(QChar));
}

} // namespace

void DiffStore::append(
    quint64 seq, const QByteArray &boot, const QByteArray &name, const QByteArray &before, const QByteArray &after)
{
    const QByteArray found = journal::redactedConfig(before);
    const QByteArray made = journal::redactedConfig(after);
    Diff diff{ seq, boot, journal::redactedText(journal::shownName(name)), {}, {}, false, false };
    diff.ours = diffText(found, made, diff.file, diff.isTruncated);
    if (const auto left = m_left.find(name); left != m_left.end()) {
        diff.knowsTheirs = true;
        diff.theirs = diffText(left->second.text, found, diff.file, diff.isTruncated);
    }
    keepLeft(name, seq, made);
    m_diffBytes += bytesOf(diff);
    m_diffs.push_back(std::move(diff));
    shrink();
}

void DiffStore::note(
    quint64 seq, const QByteArray &boot, const QByteArray &name, const QByteArray &before, const QByteArray &after)
{
    m_noted.push_back({ seq, boot, name, before, after });
    m_notedBytes += m_noted.back().bytes();
    while (m_noted.size() > mostDiffs)
        skipOldest();
    if (m_notedBytes > mostBytes)
        settle();
}

void DiffStore::settle()
{
    m_notedBytes = 0;
    for (const Noted &noted : std::exchange(m_noted, {}))
        append(noted.seq, noted.boot, noted.name, noted.before, noted.after);
}

// What was left in its file is then not known for the next one.
void DiffStore::skipOldest()
{
    m_evictedTo = m_noted.front().seq;
    m_notedBytes -= m_noted.front().bytes();
    forgetLeft(m_noted.front().name);
    m_noted.pop_front();
}

void DiffStore::forgetLeft(const QByteArray &name)
{
    const auto left = m_left.find(name);
    if (left == m_left.end())
        return;
    m_leftBytes -= left->second.text.size();
    m_left.erase(left);
}

void DiffStore::keepLeft(const QByteArray &name, quint64 seq, const QByteArray &text)
{
    Left &left = m_left[name];
    m_leftBytes += text.size() - left.text.size();
    left = { seq, text };
}

void DiffStore::shrink()
{
    while (m_diffs.size() > mostDiffs || m_diffBytes > mostBytes) {
        m_evictedTo = std::max(m_evictedTo, m_diffs.front().seq);
        m_diffBytes -= bytesOf(m_diffs.front());
        m_diffs.pop_front();
    }
    while (m_leftBytes > mostBytes) {
        const auto oldest = std::min_element(m_left.begin(), m_left.end(),
            [](const auto &left, const auto &right) { return left.second.seq < right.second.seq; });
        forgetLeft(QByteArray(oldest->first));
    }
}

const Diff *DiffStore::find(quint64 seq) const
{
    const auto found =
        std::find_if(m_diffs.begin(), m_diffs.end(), [seq](const Diff &diff) { return diff.seq == seq; });
    return found == m_diffs.end() ? nullptr : &*found;
}

} // namespace firstwatch::stream
