// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/compare.h"

#include "ui/text/table.h"
#include "ui/text/units.h"
#include "ui/timeline/picture.h"

#include <QJsonArray>

#include <algorithm>
#include <limits>

namespace firstwatch::ui {
namespace {

// Times of a recording may be any.
qint64 later(qint64 atNs, qint64 byNs)
{
    constexpr qint64 latest = std::numeric_limits<qint64>::max();
    return atNs > latest - byNs ? latest : atNs + byNs;
}

// What goes on at the end of what is known of one run is not known to go on in the rest of the other.
Timeline shifted(Timeline timeline, qint64 byNs, qint64 zeroNs)
{
    timeline.zeroNs = zeroNs;
    timeline.endNs = later(timeline.endNs, byNs);
    for (Lane &lane : timeline.lanes) {
        for (Mark &mark : lane.marks)
            mark.atNs = later(mark.atNs, byNs);
        for (Bar &bar : lane.bars) {
            bar.fromNs = later(bar.fromNs, byNs);
            bar.toNs = later(bar.toNs, byNs);
            bar.isOpen = false;
        }
    }
    for (BlindBand &band : timeline.blind) {
        band.fromNs = later(band.fromNs, byNs);
        band.toNs = later(band.toNs, byNs);
        if (band.exposedFromNs)
            *band.exposedFromNs = later(*band.exposedFromNs, byNs);
    }
    return timeline;
}

QString changesText(const Timeline &timeline)
{
    int changes = 0;
    int neverSeen = 0;
    for (const BlindBand &band : timeline.blind) {
        changes += band.changes;
        neverSeen += band.neverSeen;
    }
    const QString text = countText(changes, QStringLiteral("change"));
    return neverSeen == 0 ? text : QStringLiteral("%1, %2 never seen").arg(text).arg(neverSeen);
}

QString nameOf(const Timeline &timeline)
{
    return QStringLiteral("%1 (%2)").arg(timeline.node, QString::fromUtf8(timeline.boot.left(8)));
}

QString orNone(std::optional<qint64> ns, QString (*text)(qint64))
{
    return ns ? text(*ns) : QStringLiteral("none");
}

QJsonObject runJson(const Timeline &timeline)
{
    QJsonObject json = timelineJson(timeline);
    const std::optional<qint64> proof = proofNs(timeline);
    json.insert(QStringLiteral("proof_ns"), proof ? QJsonValue(*proof) : QJsonValue());
    return json;
}

} // namespace

std::optional<qint64> proofNs(const Timeline &timeline)
{
    std::optional<qint64> first;
    for (const Lane &lane : timeline.lanes) {
        for (const Mark &mark : lane.marks) {
            if (mark.kind == Mark::Kind::Proven)
                first = std::min(first.value_or(mark.atNs), mark.atNs);
        }
    }
    return first;
}

std::pair<Timeline, Timeline> aligned(const Timeline &one, const Timeline &other)
{
    const qint64 ones = proofNs(one).value_or(0);
    const qint64 others = proofNs(other).value_or(0);
    const qint64 zero = std::max(ones, others);
    return { shifted(one, zero - ones, zero), shifted(other, zero - others, zero) };
}

Timeline together(const Timeline &one, const Timeline &other)
{
    Timeline both = one;
    both.lanes += other.lanes;
    both.blind += other.blind;
    both.endNs = std::max(one.endNs, other.endNs);
    return both;
}

QString comparisonNote(const Timeline &one, const Timeline &other)
{
    QString note = QStringLiteral("0 is the proof of each: the clocks of two runs are not compared.");
    for (const Timeline *each : { &one, &other }) {
        if (!proofNs(*each))
            note += QStringLiteral(" %1 has no proof, and is put there with its start.").arg(nameOf(*each));
    }
    return note;
}

QString comparisonTable(const Look &look, const Timeline &one, const Timeline &other)
{
    Table table(look, { { QString() }, { nameOf(one) }, { nameOf(other) } });
    const auto row = [&](const char *what, const QString &left, const QString &right) {
        table.append({ { QString::fromLatin1(what), Role::Muted }, { left }, { right } });
    };
    row("verdict", verdictWord(one.verdict), verdictWord(other.verdict));
    row("ready margin", orNone(one.marginNs, signedText), orNone(other.marginNs, signedText));
    row("from start to proof", orNone(proofNs(one), spanText), orNone(proofNs(other), spanText));
    row("while blind", changesText(one), changesText(other));
    return table.text();
}

QJsonObject comparisonJson(const Timeline &one, const Timeline &other)
{
    return { { QStringLiteral("aligned_at"), QStringLiteral("proof") },
        { QStringLiteral("note"), comparisonNote(one, other) },
        { QStringLiteral("runs"), QJsonArray{ runJson(one), runJson(other) } } };
}

} // namespace firstwatch::ui
