// SPDX-License-Identifier: Apache-2.0
#include "service/unprotected.h"

#include "journal/state.h"

#include <algorithm>

namespace firstwatch::service {

using journal::FileWord;
using journal::Kind;

namespace {

constexpr qsizetype mostChanges = 4096; // names come from outside; who makes more files than that loses a few times

bool lacksPlugin(const journal::Event &event)
{
    const auto word = journal::fileWordFromName(event.fields[QLatin1String("state")].toString());
    return word == FileWord::Drift || word == FileWord::Incomplete || word == FileWord::Contested;
}

} // namespace

void UnprotectedTime::apply(const journal::Event &event)
{
    const QString file = event.fields[QLatin1String("file")].toString();
    switch (event.kind) {
    case Kind::FileChange:
        begin(file, event);
        break;
    case Kind::FileUnreadable:
    case Kind::PatchFailed:
        await(file);
        break;
    case Kind::PatchApplied:
        end(file, event.tNs);
        break;
    case Kind::FileState:
        if (!lacksPlugin(event))
            m_changes.remove(file);
        break;
    default:
        break;
    }
}

void UnprotectedTime::begin(const QString &file, const journal::Event &event)
{
    if (m_changes.value(file).isAwaited || (m_changes.size() >= mostChanges && !m_changes.contains(file)))
        return;
    const qint64 seenNs = event.fields[QLatin1String("seen_ns")].toInteger();
    m_changes.insert(file, { seenNs > 0 && seenNs < event.tNs ? seenNs : event.tNs, false });
}

void UnprotectedTime::await(const QString &file)
{
    if (const auto change = m_changes.find(file); change != m_changes.end())
        change->isAwaited = true;
}

void UnprotectedTime::end(const QString &file, qint64 atNs)
{
    const auto change = m_changes.constFind(file);
    if (change == m_changes.cend())
        return;
    const double seconds = double(atNs - change->foundNs) / 1e9;
    m_changes.erase(change);
    const auto bound = std::lower_bound(bounds.begin(), bounds.end(), seconds);
    ++m_counts.at(size_t(bound - bounds.begin()));
    m_sum += seconds;
}

} // namespace firstwatch::service
