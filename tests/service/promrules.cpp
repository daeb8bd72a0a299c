// SPDX-License-Identifier: Apache-2.0
#include "promrules.h"

#include <QRegularExpression>

#include <cmath>

namespace firstwatch::test {
namespace {

const QString inf = QStringLiteral("+Inf");

double numberOf(const QString &text)
{
    bool good = false;
    const double number = text == inf ? HUGE_VAL : text == u"-Inf" ? -HUGE_VAL : text.toDouble(&good);
    return good || std::isinf(number) ? number : std::nan("");
}

} // namespace

PromText::PromText(const QByteArray &text)
{
    if (!text.endsWith('\n'))
        m_faults.append(QStringLiteral("the last line has no end"));
    for (const QString &line : QString::fromUtf8(text.chopped(1)).split(u'\n'))
        readLine(line);
    for (auto type = m_types.cbegin(); type != m_types.cend(); ++type) {
        if (*type == u"histogram")
            checkHistogram(type.key());
    }
}

double PromText::value(const QString &name, const QString &label, const QString &labelValue) const
{
    for (const Sample &sample : m_samples) {
        if (sample.name == name && (label.isEmpty() || sample.labels.value(label) == labelValue))
            return numberOf(sample.value);
    }
    return std::nan("");
}

void PromText::readLine(const QString &line)
{
    if (line.startsWith(u'#'))
        readMeta(line);
    else
        readSample(line);
}

void PromText::readMeta(const QString &line)
{
    static const QRegularExpression meta(QStringLiteral("^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (\\S.*)$"));
    const QRegularExpressionMatch match = meta.match(line);
    if (!match.hasMatch()) {
        m_faults.append(QStringLiteral("no HELP, no TYPE: ") + line);
        return;
    }
    const QString family = match.captured(2);
    QMap<QString, QString> &known = match.captured(1) == u"HELP" ? m_helps : m_types;
    if (known.contains(family) || m_done.contains(family) || familyOf(m_family) == family)
        m_faults.append(QStringLiteral("twice, or after its samples: ") + line);
    known.insert(family, match.captured(3));
    if (&known == &m_types && match.captured(3) == u"counter" && !family.endsWith(u"_total"))
        m_faults.append(QStringLiteral("a counter has to end in _total: ") + family);
    if (&known == &m_types && match.captured(3) != u"counter" && family.endsWith(u"_total"))
        m_faults.append(QStringLiteral("only a counter ends in _total: ") + family);
}

void PromText::readSample(const QString &line)
{
    static const QString labelText = QStringLiteral(R"re(([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)")re");
    static const QRegularExpression whole(
        QStringLiteral(R"re(^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:%1)(?:,(?:%1))*)\})? (\S+)$)re").arg(labelText));
    static const QRegularExpression label(labelText);
    const QRegularExpressionMatch match = whole.match(line);
    if (!match.hasMatch() || std::isnan(numberOf(match.captured(match.lastCapturedIndex())))) {
        m_faults.append(QStringLiteral("no sample: ") + line);
        return;
    }
    Sample sample{ match.captured(1), {}, match.captured(match.lastCapturedIndex()) };
    for (auto each = label.globalMatch(match.captured(2)); each.hasNext();) {
        const QRegularExpressionMatch one = each.next();
        if (sample.labels.contains(one.captured(1)))
            m_faults.append(QStringLiteral("a label twice: ") + line);
        sample.labels.insert(one.captured(1), one.captured(2));
    }
    const QString family = familyOf(sample.name);
    if (!m_types.contains(family) || !m_helps.contains(family))
        m_faults.append(QStringLiteral("no HELP or TYPE before: ") + line);
    if (family != m_family) {
        if (m_done.contains(family))
            m_faults.append(QStringLiteral("a family in two pieces: ") + line);
        m_done.append(m_family);
        m_family = family;
    }
    for (const Sample &other : m_samples) {
        if (other.name == sample.name && other.labels == sample.labels)
            m_faults.append(QStringLiteral("twice: ") + line);
    }
    m_samples.append(sample);
}

void PromText::checkHistogram(const QString &family)
{
    double before = -HUGE_VAL;
    double below = 0;
    double last = std::nan("");
    for (const Sample &sample : m_samples) {
        if (sample.name != family + QStringLiteral("_bucket"))
            continue;
        const double bound = numberOf(sample.labels.value(QStringLiteral("le")));
        const double count = numberOf(sample.value);
        if (!(bound > before) || count < below)
            m_faults.append(QStringLiteral("buckets do not add up at ") + sample.labels.value(QStringLiteral("le")));
        before = bound;
        below = count;
        if (std::isinf(bound))
            last = count;
    }
    if (last != value(family + QStringLiteral("_count")) || std::isnan(value(family + QStringLiteral("_sum"))))
        m_faults.append(QStringLiteral("not a whole histogram: ") + family);
}

QString PromText::familyOf(const QString &name) const
{
    for (const char *suffix : { "_bucket", "_count", "_sum" }) {
        const QString family = name.chopped(name.endsWith(QLatin1String(suffix)) ? qsizetype(qstrlen(suffix)) : 0);
        if (m_types.value(family) == u"histogram")
            return family;
    }
    return name;
}

} // namespace firstwatch::test
