// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/picture.h"

#include "journal/shownname.h"
#include "ui/text/units.h"
#include "ui/timeline/compare.h"
#include "ui/timeline/scale.h"

#include <QXmlStreamWriter>

#include <algorithm>

namespace firstwatch::ui {
namespace {

constexpr double width = 960;
constexpr double margin = 20;
constexpr double chartX = 190;
constexpr double chartWidth = width - chartX - margin;
constexpr double laneHeight = 30;
constexpr double top = 96; // of the first lane
constexpr double breakWidth = 24;
constexpr double leastPiece = 40;
constexpr double tickDistance = 80;
constexpr double lineHeight = 18;

// The roles of both themes, as a document has them: on white.
constexpr char good[] = "#0a7f3f";
constexpr char bad[] = "#c4232b";
constexpr char odd[] = "#a85400";
constexpr char accent[] = "#0b62d6";
constexpr char muted[] = "#5b6570";
constexpr char ink[] = "#1b1f24";
constexpr char paper[] = "#ffffff";
constexpr char rule[] = "#d9dde3";

struct Shape {
    const char *path; // around 0, 0
    const char *fill;
    const char *stroke;
};

constexpr char diamond[] = "M0 -8 L8 0 L0 8 L-8 0 Z";
constexpr char triangle[] = "M0 -8 L8 7 L-8 7 Z";
constexpr char square[] = "M-7 -7 H7 V7 H-7 Z";
constexpr char cross[] = "M-6 -6 L6 6 M6 -6 L-6 6";
constexpr char stroke[] = "M0 -10 V10";

Shape shapeOf(Mark::Kind kind)
{
    switch (kind) {
    case Mark::Kind::Armed:
        return { diamond, paper, accent };
    case Mark::Kind::Proven:
        return { diamond, accent, accent };
    case Mark::Kind::ChangeByEvent:
    case Mark::Kind::ChangeOutside:
        return { triangle, odd, odd };
    case Mark::Kind::ChangeByPass:
        return { triangle, paper, odd };
    case Mark::Kind::ChangeUnseen:
    case Mark::Kind::Lost:
    case Mark::Kind::Failed:
        return { cross, "none", bad };
    case Mark::Kind::Patched:
    case Mark::Kind::Written:
        return { square, good, good };
    case Mark::Kind::Undone:
    case Mark::Kind::Stop:
        return { square, paper, ink };
    case Mark::Kind::Rotated:
        return { diamond, paper, ink };
    default:
        return { stroke, "none", odd };
    }
}

struct BarShape {
    double height;
    const char *fill;
};

BarShape shapeOf(Bar::Kind kind)
{
    switch (kind) {
    case Bar::Kind::Watched:
        return { 6, accent };
    case Bar::Kind::Polled:
        return { 6, odd };
    case Bar::Kind::Pass:
        return { 20, muted };
    case Bar::Kind::Drift:
        return { 8, odd };
    default:
        return { 2, rule };
    }
}

class Svg {
public:
    // `whole`: what the scale has room for, the timeline itself or more. `hasFacts`: what there is to read of it goes
    // below it.
    Svg(QXmlStreamWriter &xml, const Timeline &timeline, const Timeline &whole, bool hasFacts)
        : m_timeline(timeline)
        , m_scale(whole, chartWidth, breakWidth, leastPiece)
        , m_xml(xml)
        , m_hasFacts(hasFacts)
        , m_bottom(top + double(timeline.lanes.size()) * laneHeight)
    {
    }

    [[nodiscard]] double height() const { return m_bottom + 24 + double(facts().size()) * lineHeight; }

    // As an element of its own, so far below the top of another one; below zero: as the only one.
    void draw(double offset)
    {
        begin(offset);
        drawTitle();
        drawBlind();
        drawAxis();
        double y = top;
        for (const Lane &lane : m_timeline.lanes) {
            drawLane(lane, y + laneHeight / 2);
            y += laneHeight;
        }
        drawFacts();
        m_xml.writeEndElement();
    }

private:
    static QString number(double value) { return QString::number(value, 'f', 1); }
    double x(qint64 atNs) const { return chartX + m_scale.x(atNs); }

    void attribute(const char *name, const QString &value) { m_xml.writeAttribute(QString::fromLatin1(name), value); }
    void attribute(const char *name, const char *value) { attribute(name, QString::fromLatin1(value)); }
    void attribute(const char *name, double value) { attribute(name, number(value)); }

    void begin(double y)
    {
        m_xml.writeStartElement(QStringLiteral("svg"));
        if (y >= 0) { // inside another one
            attribute("y", y);
            attribute("width", width);
            attribute("height", height());
        } else {
            m_xml.writeDefaultNamespace(QStringLiteral("http://www.w3.org/2000/svg"));
        }
        attribute("viewBox", QStringLiteral("0 0 %1 %2").arg(width).arg(number(height())));
        attribute("font-family", "DejaVu Sans, Helvetica, Arial, sans-serif");
        attribute("font-size", "13");
        attribute("role", "img");
        m_xml.writeTextElement(QStringLiteral("title"), shownText(m_timeline.sentence));
        rectangle(0, 0, width, height(), paper);
    }

    static QString shownText(const QString &text) { return journal::shownText(text); }

    void rectangle(double left, double y, double w, double h, const char *fill, const char *opacity = "1")
    {
        m_xml.writeStartElement(QStringLiteral("rect"));
        attribute("x", left);
        attribute("y", y);
        attribute("width", std::max(w, 1.0));
        attribute("height", h);
        attribute("fill", fill);
        attribute("fill-opacity", opacity);
        m_xml.writeEndElement();
    }

    void text(double left, double y, const QString &what, const char *fill, const char *anchor = "start",
        const char *size = "13")
    {
        m_xml.writeStartElement(QStringLiteral("text"));
        attribute("x", left);
        attribute("y", y);
        attribute("fill", fill);
        attribute("text-anchor", anchor);
        attribute("font-size", size);
        m_xml.writeCharacters(shownText(what));
        m_xml.writeEndElement();
    }

    void drawTitle()
    {
        const bool isGood = m_timeline.verdict == Timeline::Verdict::Proven;
        text(margin, 32, m_timeline.node, ink, "start", "17");
        text(width - margin, 32,
            marginTitle(m_timeline) + (isGood ? QStringLiteral("  ✔ ") : QStringLiteral("  ✘ "))
                + verdictWord(m_timeline.verdict),
            isGood ? good : bad, "end", "20");
        text(margin, 54, m_timeline.sentence, muted);
    }

    void drawBlind()
    {
        for (const BlindBand &band : m_timeline.blind) {
            rectangle(x(band.fromNs), top, x(band.toNs) - x(band.fromNs), m_bottom - top, rule, "0.6");
            if (band.exposedFromNs)
                rectangle(
                    x(*band.exposedFromNs), top, x(band.toNs) - x(*band.exposedFromNs), m_bottom - top, bad, "0.3");
        }
    }

    void drawAxis()
    {
        for (const Scale::Tick &tick : m_scale.ticks(tickDistance, m_timeline.zeroNs)) {
            rectangle(chartX + tick.x, top - 6, 1, m_bottom - top + 6, rule);
            text(chartX + tick.x, top - 10, tickText(tick.atNs, m_timeline.zeroNs), muted, "middle", "11");
        }
        for (const Scale::Break &each : m_scale.breaks())
            text(chartX + each.x + breakWidth / 2, top - 10, QStringLiteral("≈"), muted, "middle");
    }

    void drawLane(const Lane &lane, double y)
    {
        text(margin, y + 4, lane.name, ink);
        for (const Bar &bar : lane.bars)
            drawBar(bar, y);
        for (const Mark &mark : lane.marks) {
            if (m_scale.shows(mark.atNs))
                drawMark(mark, y);
        }
    }

    void drawBar(const Bar &bar, double y)
    {
        const BarShape shape = shapeOf(bar.kind);
        rectangle(x(bar.fromNs), y - shape.height / 2, x(bar.toNs) - x(bar.fromNs), shape.height, shape.fill);
        if (bar.kind == Bar::Kind::Pass)
            text((x(bar.fromNs) + x(bar.toNs)) / 2, y - 13, bar.text, muted, "middle", "11");
    }

    void drawMark(const Mark &mark, double y)
    {
        const Shape shape = shapeOf(mark.kind);
        m_xml.writeStartElement(QStringLiteral("path"));
        attribute("d", shape.path);
        attribute("transform", QStringLiteral("translate(%1 %2)").arg(number(x(mark.atNs)), number(y)));
        attribute("fill", shape.fill);
        attribute("stroke", shape.stroke);
        attribute("stroke-width", "2");
        m_xml.writeTextElement(QStringLiteral("title"),
            shownText(
                QString(markName(mark.kind)) + u' ' + signedText(mark.atNs - m_timeline.zeroNs) + u' ' + mark.text)
                .trimmed());
        m_xml.writeEndElement();
    }

    QStringList facts() const
    {
        QStringList all;
        if (!m_hasFacts)
            return all;
        for (const BlindBand &band : m_timeline.blind)
            all += QStringLiteral("blind: ") + band.fact;
        for (const Lane &lane : m_timeline.lanes) {
            if (!lane.facts.isEmpty())
                all += lane.name + QStringLiteral(": ") + lane.facts.join(QStringLiteral(" · "));
        }
        return all;
    }

    void drawFacts()
    {
        double y = m_bottom + 24;
        for (const QString &fact : facts()) {
            text(margin, y, fact, muted, "start", "12");
            y += lineHeight;
        }
    }

    const Timeline &m_timeline;
    const Scale m_scale;
    QXmlStreamWriter &m_xml;
    const bool m_hasFacts;
    const double m_bottom;
};

void begin(QXmlStreamWriter &xml)
{
    xml.setAutoFormatting(true);
    xml.setAutoFormattingIndent(1);
    xml.writeStartDocument();
}

} // namespace

QByteArray timelineSvg(const Timeline &timeline)
{
    QByteArray bytes;
    QXmlStreamWriter xml(&bytes);
    begin(xml);
    Svg(xml, timeline, timeline, true).draw(-1);
    xml.writeEndDocument();
    return bytes + '\n';
}

QByteArray comparisonSvg(const Timeline &one, const Timeline &other)
{
    const auto [left, right] = aligned(one, other);
    const Timeline whole = together(left, right);
    QByteArray bytes;
    QXmlStreamWriter xml(&bytes);
    Svg upper(xml, left, whole, false);
    Svg lower(xml, right, whole, false);
    const double note = upper.height() + lower.height();
    begin(xml);
    xml.writeStartElement(QStringLiteral("svg"));
    xml.writeDefaultNamespace(QStringLiteral("http://www.w3.org/2000/svg"));
    xml.writeAttribute(QStringLiteral("viewBox"), QStringLiteral("0 0 %1 %2").arg(width).arg(note + 2 * lineHeight));
    xml.writeTextElement(QStringLiteral("title"), journal::shownText(comparisonNote(one, other)));
    upper.draw(0);
    lower.draw(upper.height());
    xml.writeStartElement(QStringLiteral("text"));
    for (const auto &[name, value] :
        { std::pair(u"x", margin), std::pair(u"y", note + lineHeight), std::pair(u"font-size", 12.0) })
        xml.writeAttribute(QString::fromUtf16(name), QString::number(value));
    xml.writeAttribute(QStringLiteral("font-family"), QStringLiteral("DejaVu Sans, Helvetica, Arial, sans-serif"));
    xml.writeCharacters(journal::shownText(comparisonNote(one, other)));
    xml.writeEndDocument();
    return bytes + '\n';
}

} // namespace firstwatch::ui
