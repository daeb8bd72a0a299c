// SPDX-License-Identifier: Apache-2.0
#include "ui/text/yaml.h"

#include "journal/shownname.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>

namespace firstwatch::ui {
namespace {

constexpr int step = 2; // columns of a level

// Words of YAML 1.1 (yaml.org/type) among them, in any case.
bool isPlainWord(const QString &text)
{
    static const QRegularExpression word(QStringLiteral("^[A-Za-z][A-Za-z0-9_./-]*$"));
    static const QRegularExpression reserved(
        QStringLiteral("^(?:y|n|yes|no|on|off|true|false|null)$"), QRegularExpression::CaseInsensitiveOption);
    return word.match(text).hasMatch() && !text.endsWith(u'\n') && !reserved.match(text).hasMatch();
}

bool mayStand(char32_t point, bool hasUnicode)
{
    if (point < 0x80)
        return point >= 0x20 && point != 0x7f;
    const QString character = QString::fromUcs4(&point, 1);
    return hasUnicode && journal::shownText(character) == character;
}

QByteArray escaped(char32_t point)
{
    switch (point) {
    case U'"':
    case U'\\':
        return QByteArray("\\") + char(point);
    case U'\n':
        return "\\n";
    case U'\t':
        return "\\t";
    case U'\r':
        return "\\r";
    default:
        break;
    }
    const QByteArray digits = QByteArray::number(uint(point), 16);
    return point < 0x10000 ? "\\u" + digits.rightJustified(4, '0') : "\\U" + digits.rightJustified(8, '0');
}

QByteArray quoted(const QString &text, bool hasUnicode)
{
    QByteArray result = "\"";
    for (const char32_t point : text.toUcs4()) {
        if (!mayStand(point, hasUnicode) || point == U'"' || point == U'\\')
            result += escaped(point);
        else if (point < 0x80)
            result += char(point);
        else
            result += QString::fromUcs4(&point, 1).toUtf8();
    }
    return result + '"';
}

// Lines as they are, one below the other.
bool isBlock(const QString &text, bool hasUnicode)
{
    const QList<uint> points = text.toUcs4();
    return text.indexOf(u'\n') >= 0 && !text.startsWith(u'\n') && !text.endsWith(QLatin1String("\n\n"))
        && std::all_of(points.begin(), points.end(),
            [hasUnicode](uint point) { return point == U'\n' || point == U'\t' || mayStand(point, hasUnicode); });
}

QByteArray block(const QString &text, int indent)
{
    const bool hasEnd = text.endsWith(u'\n');
    QByteArray result = QByteArray("|") + QByteArray::number(step) + (hasEnd ? "" : "-");
    for (const QString &line : text.chopped(hasEnd ? 1 : 0).split(u'\n'))
        result += '\n' + (line.isEmpty() ? QByteArray() : QByteArray(indent, ' ') + line.toUtf8());
    return result;
}

// As JSON has it; but a reader of YAML 1.1 takes 1e-07 for a text.
QByteArray number(const QJsonValue &value)
{
    QByteArray text = QJsonDocument(QJsonArray{ value }).toJson(QJsonDocument::Compact);
    text = text.sliced(1, text.size() - 2);
    return text.contains('.') ? text : text.replace("e", ".0e");
}

class Writer {
public:
    explicit Writer(bool hasUnicode)
        : m_hasUnicode(hasUnicode)
    {
    }

    // Behind a key or a dash: on its line, or on lines of its own below it.
    void put(const QJsonValue &value, int indent, bool isItem)
    {
        if (value.isObject() && !value.toObject().isEmpty())
            return putObject(value.toObject(), indent, isItem);
        if (value.isArray() && !value.toArray().isEmpty())
            return putArray(value.toArray(), indent, isItem);
        text += (text.isEmpty() ? "" : " ") + scalar(value, indent) + '\n';
    }

    QByteArray text;

private:
    QByteArray scalar(const QJsonValue &value, int indent) const
    {
        if (value.isString())
            return string(value.toString(), indent);
        if (value.isDouble())
            return number(value);
        if (value.isBool())
            return value.toBool() ? "true" : "false";
        return value.isObject() ? "{}" : value.isArray() ? "[]" : "null";
    }

    QByteArray string(const QString &value, int indent) const
    {
        if (isPlainWord(value))
            return value.toLatin1();
        return isBlock(value, m_hasUnicode) ? block(value, indent) : quoted(value, m_hasUnicode);
    }

    // The first line of an item stands behind its dash.
    void begin(int indent, bool isFirstOfItem)
    {
        if (isFirstOfItem)
            text += ' ';
        else
            text += QByteArray(indent, ' ');
    }

    void putObject(const QJsonObject &object, int indent, bool isItem)
    {
        if (!isItem && !text.isEmpty())
            text += '\n';
        bool isFirst = isItem;
        for (auto member = object.begin(); member != object.end(); ++member) {
            begin(indent, std::exchange(isFirst, false));
            text += (isPlainWord(member.key()) ? member.key().toLatin1() : quoted(member.key(), m_hasUnicode)) + ':';
            put(member.value(), indent + step, false);
        }
    }

    void putArray(const QJsonArray &array, int indent, bool isItem)
    {
        if (!isItem)
            text += '\n';
        bool isFirst = isItem;
        for (const QJsonValue &item : array) {
            begin(indent, std::exchange(isFirst, false));
            text += '-';
            put(item, indent + step, true);
        }
    }

    bool m_hasUnicode;
};

} // namespace

QByteArray yamlText(const QJsonObject &json, bool hasUnicode)
{
    Writer writer(hasUnicode);
    writer.put(json, 0, false);
    return writer.text;
}

void appendYaml(QByteArray &text, const QJsonValue &value, int indent, bool isItem, bool hasUnicode)
{
    Writer writer(hasUnicode);
    writer.text.swap(text);
    writer.put(value, indent, isItem);
    writer.text.swap(text);
}

} // namespace firstwatch::ui
