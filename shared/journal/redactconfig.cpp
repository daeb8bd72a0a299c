// SPDX-License-Identifier: Apache-2.0
#include "journal/redactconfig.h"

#include "conflist/splice.h"
#include "journal/cnikeys.h"
#include "journal/redact.h"

#include <vector>

namespace firstwatch::journal {

using conflist::Kind;
using conflist::Span;

namespace {

QByteArray cutText(qsizetype chars)
{
    return QStringLiteral("‹cut, %1 chars›").arg(chars).toUtf8();
}

// Whether something in the part that redactedText() looks at would be cut.
bool looksSecret(const QString &text)
{
    const QString beginning = text.left(maxText);
    return redactedText(beginning) != beginning;
}

bool holdsSomething(QByteArrayView value)
{
    return !value.isEmpty() && !(value.startsWith("__") && value.endsWith("__"));
}

QByteArray shapeText(qsizetype chars)
{
    return QStringLiteral("‹string, %1 chars›").arg(chars).toUtf8();
}

// Notes what has to go, and what of it would do harm in other hands.
class Finder final : public conflist::Visitor {
public:
    explicit Finder(bool hidesUnknown = false)
        : m_hidesUnknown(hidesUnknown)
    {
    }

    void key(Span span, QByteArrayView decoded) override
    {
        const QString name = QString::fromUtf8(decoded);
        const bool looks = looksSecret(name);
        m_isSecret = isInSecret() || isSecretName(name);
        m_isKnown = !m_hidesUnknown || isCniKey(decoded);
        m_name = looks || name.size() > maxText ? QByteArray() : decoded.toByteArray();
        if (looks)
            m_places.append(SecretPlace{ span.begin, {} });
        if (m_name.isEmpty() && !name.isEmpty())
            cut(span, name.size());
    }

    void scalar(Kind kind, Span span, QByteArrayView decoded) override
    {
        const bool isSecret = m_isSecret;
        const bool isKnown = m_isKnown;
        settle();
        if (kind == Kind::Null)
            return;
        const QString value = QString::fromUtf8(decoded);
        const bool looks = kind == Kind::String && looksSecret(value);
        if (looks || (isSecret && kind != Kind::Bool && holdsSomething(decoded)))
            m_places.append(SecretPlace{ span.begin, m_name });
        if (isSecret || looks || (kind == Kind::String && value.size() > maxText))
            cut(span, kind == Kind::String ? value.size() : span.end - span.begin);
        else if (kind == Kind::String && !isKnown && !isPlainValue(decoded))
            m_edits.append({ span, '"' + shapeText(value.size()) + '"' });
    }

    void open(Kind, qsizetype) override { m_open.push_back({ m_isSecret, m_isKnown }); }

    void close(qsizetype) override
    {
        m_open.pop_back();
        settle();
    }

    [[nodiscard]] const QList<conflist::Edit> &edits() const { return m_edits; }
    [[nodiscard]] const QList<SecretPlace> &places() const { return m_places; }

private:
    [[nodiscard]] bool isInSecret() const { return !m_open.empty() && m_open.back().isSecret; }
    // The next value is an element, unless a key comes before it.
    void settle()
    {
        m_isSecret = isInSecret();
        m_isKnown = m_open.empty() || m_open.back().isKnown;
    }
    void cut(Span span, qsizetype chars) { m_edits.append({ span, '"' + cutText(chars) + '"' }); }

    struct Bracket {
        bool isSecret = false; // all in it
        bool isKnown = true; // the name that it stands behind
    };
    const bool m_hidesUnknown;
    std::vector<Bracket> m_open;
    bool m_isSecret = false; // the next value
    bool m_isKnown = true;
    QByteArray m_name; // the last key, when it may be shown
    QList<conflist::Edit> m_edits;
    QList<SecretPlace> m_places;
};

QByteArray indentOf(const QByteArray &line)
{
    qsizetype size = 0;
    while (size < line.size() && (line[size] == ' ' || line[size] == '\t'))
        ++size;
    return line.first(size);
}

QByteArray hiddenLine(QByteArray line)
{
    const QByteArray end = line.endsWith('\r') ? QByteArray("\r") : QByteArray();
    line.chop(end.size());
    const QByteArray indent = indentOf(line);
    const qsizetype chars = QString::fromUtf8(line).size() - indent.size();
    return chars == 0 ? QByteArray(line + end) : QByteArray(indent + cutText(chars) + end);
}

QByteArray hidden(const QByteArray &text)
{
    QByteArrayList lines = text.split('\n');
    for (QByteArray &line : lines)
        line = hiddenLine(line);
    return lines.join('\n');
}

QByteArray shown(const QByteArray &text, Finder finder)
{
    if (conflist::read(text, finder))
        return hidden(text);
    return finder.edits().isEmpty() ? text : conflist::edited(text, finder.edits());
}

} // namespace

QByteArray redactedConfig(const QByteArray &text)
{
    return shown(text, Finder());
}

QByteArray redactedForOthers(const QByteArray &text)
{
    return shown(text, Finder(true));
}

QList<SecretPlace> secretPlaces(const QByteArray &text)
{
    Finder finder;
    return conflist::read(text, finder) ? QList<SecretPlace>() : finder.places();
}

} // namespace firstwatch::journal
