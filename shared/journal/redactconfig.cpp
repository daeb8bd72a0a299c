// SPDX-License-Identifier: Apache-2.0
#include "journal/redactconfig.h"

#include "conflist/splice.h"
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

// Notes what has to go.
class Finder final : public conflist::Visitor {
public:
    void key(Span span, QByteArrayView decoded) override
    {
        const QString name = QString::fromUtf8(decoded);
        m_isSecret = isInSecret() || isSecretName(name);
        if (isTelling(name))
            cut(span, name.size());
    }

    void scalar(Kind kind, Span span, QByteArrayView decoded) override
    {
        const bool isSecret = m_isSecret;
        m_isSecret = isInSecret();
        if (kind == Kind::Null)
            return;
        const QString value = QString::fromUtf8(decoded);
        if (isSecret || (kind == Kind::String && isTelling(value)))
            cut(span, kind == Kind::String ? value.size() : span.end - span.begin);
    }

    void open(Kind, qsizetype) override { m_open.push_back(m_isSecret); }

    void close(qsizetype) override
    {
        m_open.pop_back();
        m_isSecret = isInSecret();
    }

    [[nodiscard]] const QList<conflist::Edit> &edits() const { return m_edits; }

private:
    [[nodiscard]] bool isInSecret() const { return !m_open.empty() && m_open.back(); }
    [[nodiscard]] static bool isTelling(const QString &text)
    {
        return text.size() > maxText || redactedText(text) != text;
    }
    void cut(Span span, qsizetype chars) { m_edits.append({ span, '"' + cutText(chars) + '"' }); }

    std::vector<bool> m_open; // brackets: whether all in them is secret
    bool m_isSecret = false; // the next value
    QList<conflist::Edit> m_edits;
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

} // namespace

QByteArray redactedConfig(const QByteArray &text)
{
    Finder finder;
    if (conflist::read(text, finder))
        return hidden(text);
    return finder.edits().isEmpty() ? text : conflist::edited(text, finder.edits());
}

} // namespace firstwatch::journal
