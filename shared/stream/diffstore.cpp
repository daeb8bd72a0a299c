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

void DiffStore::make(const Noted &noted)
{
    const QByteArray found = journal::redactedForOthers(noted.before);
    const QByteArray made = journal::redactedForOthers(noted.after);
    Diff diff{ noted.seq, noted.boot, journal::redactedText(journal::shownName(noted.name)), {}, {}, false, false };
    diff.ours = diffText(found, made, diff.file, diff.isTruncated);
    if (const auto left = m_left.find(noted.name); left != m_left.end()) {
        diff.knowsTheirs = true;
        diff.theirs = diffText(left->second.text, found, diff.file, diff.isTruncated);
    }
    keepLeft(noted.name, noted.seq, made);
    m_diffBytes += bytesOf(diff);
    m_diffs.push_back(std::move(diff));
    shrink();
}

void DiffStore::expect(quint64 seq, qint64 tNs)
{
    m_expected.push_back({ seq, tNs });
    if (m_expected.size() > mostDiffs)
        m_expected.pop_front();
}

int DiffStore::waitMs(quint64 seq, qint64 nowNs) const
{
    constexpr qint64 nsPerMs = 1'000'000;
    const auto found = std::find_if(
        m_expected.begin(), m_expected.end(), [seq](const Expected &expected) { return expected.seq == seq; });
    if (found == m_expected.end())
        return 0;
    return int(std::clamp<qint64>(patienceMs - (nowNs - found->tNs) / nsPerMs, 0, patienceMs));
}

void DiffStore::note(Noted noted)
{
    while (!m_expected.empty() && m_expected.front().seq <= noted.seq)
        m_expected.pop_front();
    m_notedBytes += noted.bytes();
    m_noted.push_back(std::move(noted));
    while (m_noted.size() > mostDiffs)
        skipOldest();
    if (m_notedBytes > mostBytes)
        settle();
}

void DiffStore::settle()
{
    m_notedBytes = 0;
    for (const Noted &noted : std::exchange(m_noted, {}))
        make(noted);
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
