// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/ascii.h"

#include "ui/text/units.h"
#include "ui/timeline/canvas.h"
#include "ui/timeline/compare.h"
#include "ui/timeline/scale.h"

#include <QMap>

#include <algorithm>
#include <array>
#include <cmath>

namespace firstwatch::ui {
namespace {

constexpr int widestName = 20;
constexpr double breakColumns = 4;
constexpr double pieceColumns = 4;
constexpr double tickColumns = 10;
constexpr int narrowestChart = 24;

struct Sign {
    char32_t unicode;
    char32_t ascii;
    Role role;
    const char *meaning; // in the legend
};

// In the order of Mark::Kind.
constexpr std::array markSigns{
    Sign{ U'│', U'|', Role::Plain, nullptr },
    Sign{ U'□', U'o', Role::Plain, "end" },
    Sign{ U'◇', U'o', Role::Plain, "armed" },
    Sign{ U'◆', U'*', Role::Good, "proven" },
    Sign{ U'✘', U'X', Role::Error, "lost" },
    Sign{ U'▲', U'^', Role::Odd, "changed by another" },
    Sign{ U'△', U'v', Role::Odd, "found by a pass" },
    Sign{ U'✗', U'x', Role::Error, "changed, never seen" },
    Sign{ U'▲', U'^', Role::Odd, "changed by another" },
    Sign{ U'■', U'#', Role::Good, "patched" },
    Sign{ U'□', U'o', Role::Plain, "taken out" },
    Sign{ U'✘', U'X', Role::Error, "failed" },
    Sign{ U'!', U'!', Role::Warning, "unreadable" },
    Sign{ U'■', U'#', Role::Good, "written" },
    Sign{ U'↻', U'@', Role::Plain, "rotated" },
    Sign{ U'!', U'!', Role::Warning, "overflow" },
    Sign{ U'?', U'?', Role::Warning, "gap" },
};
static_assert(markSigns.size() == size_t(Mark::Kind::Gap) + 1);

// In the order of Bar::Kind. A pass has its number in brackets instead.
constexpr std::array barSigns{
    Sign{ U'─', U'-', Role::Muted, nullptr },
    Sign{ U'·', U'.', Role::Muted, nullptr },
    Sign{ U'─', U'-', Role::Muted, nullptr },
    Sign{ U'═', U'=', Role::Good, "watched" },
    Sign{ U'┄', U'~', Role::Warning, "polling" },
    Sign{ U'─', U'=', Role::Plain, nullptr },
    Sign{ U'~', U'~', Role::Odd, "without the plugin" },
};
static_assert(barSigns.size() == size_t(Bar::Kind::Drift) + 1);

class Drawing {
public:
    // `whole`: what the scale has room for, the timeline itself or more.
    Drawing(const Look &look, const Timeline &timeline, qint64 untilNs, const Timeline &whole)
        : m_look(look)
        , m_timeline(timeline)
        , m_untilNs(untilNs)
        , m_columns(look.columns == 0 ? usualColumns : look.columns)
        , m_nameWidth(nameWidth(whole))
        , m_chart(std::max(m_columns - m_nameWidth - 1, narrowestChart))
        , m_scale(whole, m_chart - 1, breakColumns, pieceColumns)
    {
    }

    QString text()
    {
        const QString lanes = picture();
        return isReplay() ? lanes : QString(lanes + legend() + u'\n' + facts());
    }

    QString picture()
    {
        QString text = title() + sentence() + u'\n' + axis() + blindRow();
        for (const Lane &lane : m_timeline.lanes)
            text += laneRow(lane);
        return text;
    }

    // Only what the picture holds, and that of another one whose legend is not drawn.
    QString legend(const Drawing *other = nullptr)
    {
        for (const Sign &sign : other == nullptr ? QList<Sign>() : other->m_used)
            use(sign);
        QStringList lines{ QString() };
        for (const Sign &used : m_used) {
            const char32_t point = sign(used);
            const QString part = QString::fromUcs4(&point, 1) + u' ' + QString::fromLatin1(used.meaning);
            if (!lines.last().isEmpty() && widthOf(lines.last()) + 3 + widthOf(part) > m_columns)
                lines.append(QString());
            lines.last() += (lines.last().isEmpty() ? QString() : QStringLiteral("   ")) + part;
        }
        for (QString &line : lines)
            line = painted(m_look, Role::Muted, line);
        return m_used.isEmpty() ? QString() : u'\n' + lines.join(u'\n') + u'\n';
    }

private:
    char32_t sign(const Sign &sign) const { return m_look.hasUnicode ? sign.unicode : sign.ascii; }
    int column(qint64 atNs) const { return int(std::lround(m_scale.x(atNs))); }
    bool isReplay() const { return m_untilNs < m_timeline.endNs; }
    bool hasHappened(qint64 atNs) const { return atNs <= m_untilNs; }

    int nameWidth(const Timeline &whole) const
    {
        int width = 8;
        for (const Lane &lane : whole.lanes)
            width = std::max(width, widthOf(shown(m_look, lane.name)));
        return std::min(width, widestName) + 2;
    }

    QString nameOf(const QString &name) const
    {
        const QString whole = shown(m_look, name);
        const QString end = shown(m_look, QStringLiteral("…"));
        const QString cut = widthOf(whole) <= widestName ? whole : whole.left(widestName - end.size()) + end;
        return painted(m_look, Role::Muted, padded(cut, m_nameWidth));
    }

    QString row(const QString &name, const Canvas &canvas) const
    {
        QString line = nameOf(name) + canvas.text(m_look);
        while (line.endsWith(u' '))
            line.chop(1);
        return line + u'\n';
    }

    // What there is room for beside the verdict.
    QString heading(int room) const
    {
        const QString node = shown(m_look, m_timeline.node);
        if (m_timeline.boot.isEmpty()) // a simulation has neither a run nor a time
            return node;
        const QString run =
            node + QStringLiteral("  boot ") + shown(m_look, QString::fromUtf8(m_timeline.boot.left(8)));
        const QString whole = run + QStringLiteral("  ") + momentText(m_timeline.startedUs);
        return widthOf(whole) <= room ? whole : widthOf(run) <= room ? run : node;
    }

    // The verdict is known once the watch is.
    QString title() const
    {
        if (!m_timeline.blind.isEmpty() && !hasHappened(m_timeline.blind.first().toNs))
            return painted(m_look, Role::Strong, heading(m_columns)) + u'\n';
        const bool isGood = m_timeline.verdict == Timeline::Verdict::Proven;
        const QString word =
            shown(m_look, isGood ? QStringLiteral("✔ ") : QStringLiteral("✘ ")) + verdictWord(m_timeline.verdict);
        const QString margin = shown(m_look, marginTitle(m_timeline)) + QStringLiteral("  ");
        const int room = m_columns - widthOf(margin) - widthOf(word) - 2;
        const QString left = heading(room);
        const QString between = widthOf(left) > room ? QStringLiteral("\n") : QString(room + 2 - widthOf(left), u' ');
        return painted(m_look, Role::Strong, left) + between + painted(m_look, Role::Strong, margin)
            + painted(m_look, isGood ? Role::Good : Role::Error, word) + u'\n';
    }

    QString sentence() const
    {
        return m_untilNs < m_timeline.endNs
            ? QStringLiteral("\n")
            : wrapped(shown(m_look, m_timeline.sentence), m_columns).join(u'\n') + u'\n';
    }

    // Round times in the first piece; where each later piece begins, after its break.
    QString axis() const
    {
        Canvas labels(m_chart);
        Canvas line(m_chart);
        line.fill(0, m_chart - 1, m_look.hasUnicode ? U'─' : U'-', Role::Muted);
        int free = 0;
        const auto label = [&](double x, qint64 atNs) {
            const int at = int(std::lround(x));
            const QString text = shown(m_look, tickText(atNs, m_timeline.zeroNs));
            line.put(at, m_look.hasUnicode ? U'┬' : U'+', Role::Muted);
            const int begin = std::min(at, m_chart - widthOf(text)); // the last one may end with the row
            if (begin < free)
                return;
            labels.put(begin, text, Role::Muted);
            free = begin + widthOf(text) + 1;
        };
        for (const Scale::Tick &tick : m_scale.ticks(tickColumns, m_timeline.zeroNs)) {
            if (tick.atNs <= m_scale.pieces().first().toNs)
                label(tick.x, tick.atNs);
        }
        for (const Scale::Piece &piece : m_scale.pieces().sliced(1))
            label(piece.x, piece.fromNs);
        drawBreaks(line);
        return row({}, labels) + row({}, line);
    }

    void drawBreaks(Canvas &canvas) const
    {
        for (const Scale::Break &each : m_scale.breaks()) {
            const int at = int(std::lround(each.x));
            canvas.fill(at + 1, at + int(breakColumns) - 1, U' ');
            canvas.put(at + 2, m_look.hasUnicode ? U'≈' : U'%', Role::Muted);
        }
    }

    QString blindRow() const
    {
        Canvas canvas(m_chart);
        for (const BlindBand &band : m_timeline.blind) {
            if (!hasHappened(band.fromNs))
                continue;
            const int to = column(std::min(band.toNs, m_untilNs));
            canvas.fill(column(band.fromNs), to, m_look.hasUnicode ? U'░' : U'/', Role::Muted);
            if (band.exposedFromNs && hasHappened(*band.exposedFromNs))
                canvas.fill(column(*band.exposedFromNs), to, m_look.hasUnicode ? U'█' : U'#', Role::Error);
        }
        return row(QStringLiteral("blind"), canvas);
    }

    QString laneRow(const Lane &lane)
    {
        Canvas canvas(m_chart);
        for (const Bar &bar : lane.bars) {
            if (hasHappened(bar.fromNs))
                drawBar(canvas, bar);
        }
        drawBreaks(canvas);
        drawMarks(canvas, lane);
        return row(lane.name, canvas);
    }

    void drawBar(Canvas &canvas, const Bar &bar)
    {
        const Sign &look = barSigns.at(size_t(bar.kind));
        const int from = column(bar.fromNs);
        const int to = bar.isOpen && !isReplay() ? m_chart - 1 : column(std::min(bar.toNs, m_untilNs));
        use(look);
        if (bar.kind == Bar::Kind::Pass)
            return drawPass(canvas, from, to, bar.text);
        canvas.fill(from, to, sign(look), look.role);
    }

    // "├─1─┤", or as much of it as there is room for.
    void drawPass(Canvas &canvas, int from, int to, const QString &number)
    {
        if (to - from < int(number.size()) + 1) {
            canvas.put(from, shown(m_look, number), Role::Strong);
            return;
        }
        canvas.fill(from, to, m_look.hasUnicode ? U'─' : U'=');
        canvas.put(from, m_look.hasUnicode ? U'├' : U'|');
        canvas.put(to, m_look.hasUnicode ? U'┤' : U'|');
        canvas.put(from + (to - from + 1 - int(number.size())) / 2, shown(m_look, number), Role::Strong);
    }

    // Marks that come to stand in one column are counted there.
    void drawMarks(Canvas &canvas, const Lane &lane)
    {
        QMap<int, int> taken;
        for (const Mark &mark : lane.marks) {
            if (!hasHappened(mark.atNs) || !m_scale.shows(mark.atNs))
                continue;
            const Sign &look = markSigns.at(size_t(mark.kind));
            int at = column(mark.atNs);
            if (taken.contains(at) && !taken.contains(at + 1) && taken.value(at) == 1)
                ++at; // beside it there is room
            const int count = ++taken[at];
            use(look);
            canvas.put(at,
                count == 1      ? sign(look)
                    : count > 9 ? U'+'
                                : char32_t(U'0' + count),
                count == 1 ? look.role : Role::Strong);
        }
    }

    void use(const Sign &look)
    {
        const auto isSame = [&](const Sign &other) {
            return sign(other) == sign(look) && other.meaning == look.meaning;
        };
        if (look.meaning != nullptr && std::none_of(m_used.cbegin(), m_used.cend(), isSame))
            m_used.append(look);
    }

    QString facts() const
    {
        QString text;
        for (const BlindBand &band : m_timeline.blind)
            text += fact(QStringLiteral("blind"), band.fact, band.neverSeen > 0 ? Role::Error : Role::Plain);
        for (const Lane &lane : m_timeline.lanes)
            text += fact(lane.name, lane.facts.join(QStringLiteral(" · ")), Role::Plain);
        for (const Scale::Break &each : m_scale.breaks()) {
            if (each.marks > 0)
                text += fact(QStringLiteral("folded"),
                    QStringLiteral("%1 with %2 in them")
                        .arg(spanText(each.spanNs), countText(each.marks, QStringLiteral("moment"))),
                    Role::Plain);
        }
        return text;
    }

    QString fact(const QString &name, const QString &text, Role role) const
    {
        if (text.isEmpty())
            return {};
        QStringList lines = wrapped(shown(m_look, text), m_chart);
        for (QString &line : lines)
            line = painted(m_look, role, line);
        return nameOf(name) + lines.join(u'\n' + QString(m_nameWidth, u' ')) + u'\n';
    }

    const Look &m_look;
    const Timeline &m_timeline;
    const qint64 m_untilNs;
    const int m_columns;
    const int m_nameWidth;
    const int m_chart;
    const Scale m_scale;
    QList<Sign> m_used; // in the order of their first use
};

} // namespace

QString timelineText(const Look &look, const Timeline &timeline, std::optional<qint64> untilNs)
{
    return Drawing(look, timeline, untilNs.value_or(timeline.endNs), timeline).text();
}

QString comparisonText(const Look &look, const Timeline &one, const Timeline &other)
{
    const auto [left, right] = aligned(one, other);
    const Timeline whole = together(left, right);
    Drawing upper(look, left, left.endNs, whole);
    Drawing lower(look, right, right.endNs, whole);
    const QString pictures = upper.picture() + u'\n' + lower.picture();
    const int columns = look.columns == 0 ? usualColumns : look.columns;
    return pictures + lower.legend(&upper) + u'\n'
        + wrapped(shown(look, comparisonNote(one, other)), columns).join(u'\n') + QStringLiteral("\n\n")
        + comparisonTable(look, one, other);
}

} // namespace firstwatch::ui
