// SPDX-License-Identifier: Apache-2.0
#include "ui/text/documentwriter.h"

#include "ui/text/json.h"
#include "ui/text/yaml.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace firstwatch::ui {
namespace {

constexpr int jsonStep = 4; // columns of a level, as QJsonDocument has it
constexpr int yamlStep = 2;

// As it stands in a document at that depth, without the columns before its first line.
QByteArray jsonValue(const QJsonValue &value, qsizetype depth)
{
    const QByteArray list = QJsonDocument(QJsonArray{ value }).toJson(QJsonDocument::Indented);
    QByteArray text = list.sliced(jsonStep + 2, list.size() - jsonStep - 5); // "[\n    " and "\n]\n"
    if (depth > 1)
        text.replace("\n", QByteArray('\n' + QByteArray((depth - 1) * jsonStep, ' ')));
    return text;
}

} // namespace

DocumentWriter::DocumentWriter(Form form, bool hasUnicode, Sink sink)
    : m_form(form)
    , m_hasUnicode(hasUnicode)
    , m_sink(std::move(sink))
{
}

void DocumentWriter::beginObject(const QString &name)
{
    begin(name, false);
}

void DocumentWriter::beginList(const QString &name)
{
    begin(name, true);
}

void DocumentWriter::begin(const QString &name, bool isList)
{
    const bool isItem = !m_levels.isEmpty() && m_levels.constLast().isList;
    QByteArray text = lead(name);
    if (m_form == Form::Json)
        text += isList ? '[' : '{';
    m_levels.append({ isList, isItem });
    write(text);
}

void DocumentWriter::add(const QString &name, const QJsonValue &value)
{
    QByteArray text = lead(name);
    if (m_form == Form::Json)
        text += jsonValue(value, m_levels.size());
    else
        appendYaml(text, value, int(m_levels.size()) * yamlStep, m_levels.constLast().isList, m_hasUnicode);
    write(text);
}

void DocumentWriter::end()
{
    const Level level = m_levels.takeLast();
    if (m_form == Form::Json)
        write('\n' + indent() + (level.isList ? ']' : '}') + (m_levels.isEmpty() ? "\n" : ""));
    else if (level.isEmpty)
        write(level.isList ? " []\n" : " {}\n");
}

// What stands before a value, with the name of a member.
QByteArray DocumentWriter::lead(const QString &name)
{
    if (m_levels.isEmpty())
        return {};
    Level &level = m_levels.last();
    const QByteArray text = m_form == Form::Json ? jsonLead(level, name) : yamlLead(level, name);
    level.isEmpty = false;
    return text;
}

QByteArray DocumentWriter::jsonLead(const Level &level, const QString &name) const
{
    QByteArray text = level.isEmpty ? "\n" : ",\n";
    text += indent();
    if (!level.isList)
        text += '"' + name.toLatin1() + "\": ";
    return text;
}

// The first line of an item stands behind its dash.
QByteArray DocumentWriter::yamlLead(const Level &level, const QString &name) const
{
    QByteArray text = !level.isEmpty || m_levels.size() == 1 ? "" : "\n";
    if (level.isEmpty && level.isItem)
        text = " ";
    else
        text += indent();
    return text + (level.isList ? QByteArray("-") : QByteArray(name.toLatin1() + ':'));
}

QByteArray DocumentWriter::indent() const
{
    if (m_form == Form::Json)
        return QByteArray(m_levels.size() * jsonStep, ' ');
    return QByteArray((m_levels.size() - 1) * yamlStep, ' ');
}

void DocumentWriter::write(const QByteArray &part) const
{
    m_sink(m_form == Form::Json ? safeJson(part, m_hasUnicode) : part);
}

} // namespace firstwatch::ui
