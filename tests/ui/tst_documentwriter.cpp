// SPDX-License-Identifier: Apache-2.0
// A document that is written part by part is the text of the whole.
#include "ui/text/documentwriter.h"

#include "ui/text/json.h"
#include "ui/text/yaml.h"

#include <QJsonArray>
#include <QTest>

using namespace firstwatch::ui;
using Form = DocumentWriter::Form;

namespace {

void write(DocumentWriter &writer, const QString &name, const QJsonValue &value);

void writeMembers(DocumentWriter &writer, const QJsonObject &object)
{
    for (auto member = object.begin(); member != object.end(); ++member)
        write(writer, member.key(), member.value());
    writer.end();
}

// Everything begun and ended by itself.
void write(DocumentWriter &writer, const QString &name, const QJsonValue &value)
{
    if (value.isObject()) {
        writer.beginObject(name);
        writeMembers(writer, value.toObject());
    } else if (value.isArray()) {
        writer.beginList(name);
        for (const QJsonValue item : value.toArray())
            write(writer, {}, item);
        writer.end();
    } else {
        writer.add(name, value);
    }
}

QJsonObject sample()
{
    const QJsonArray odd{ 1, QStringLiteral("yes"), QStringLiteral("a\nb\n"), QStringLiteral("\u202e\x7f"),
        QJsonValue(), QJsonArray{ 1, QJsonArray{}, QJsonArray{ 2, 3 } }, QJsonObject{ { QStringLiteral("in"), 1.5 } },
        QJsonObject() };
    return { { QStringLiteral("a"), odd }, { QStringLiteral("b"), QJsonArray{} },
        { QStringLiteral("c"), QJsonObject() },
        { QStringLiteral("d"),
            QJsonObject{ { QStringLiteral("deep"), QJsonArray{ QJsonObject{ { QStringLiteral("x"), odd } } } },
                { QStringLiteral("text"), QStringLiteral("gr\u00fc\u00df\nzwei") } } } };
}

} // namespace

class TestDocumentWriter final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void thePartsAreTheWhole_data()
    {
        QTest::addColumn<bool>("isYaml");
        QTest::addColumn<bool>("hasUnicode");
        for (const bool isYaml : { false, true }) {
            for (const bool hasUnicode : { false, true })
                QTest::addRow("%s, %s", isYaml ? "yaml" : "json", hasUnicode ? "Unicode" : "ASCII")
                    << isYaml << hasUnicode;
        }
    }
    void thePartsAreTheWhole()
    {
        QFETCH(const bool, isYaml);
        QFETCH(const bool, hasUnicode);
        QByteArray text;
        DocumentWriter writer(
            isYaml ? Form::Yaml : Form::Json, hasUnicode, [&text](const auto &part) { text += part; });
        write(writer, {}, sample());
        QCOMPARE(text, isYaml ? yamlText(sample(), hasUnicode) : jsonText(sample(), hasUnicode));
    }

    void wholeValuesBetweenTheParts_data() { thePartsAreTheWhole_data(); }
    void wholeValuesBetweenTheParts()
    {
        QFETCH(const bool, isYaml);
        QFETCH(const bool, hasUnicode);
        QByteArray text;
        DocumentWriter writer(
            isYaml ? Form::Yaml : Form::Json, hasUnicode, [&text](const auto &part) { text += part; });
        const QJsonObject all = sample();
        writer.beginObject();
        for (auto member = all.begin(); member != all.end(); ++member)
            writer.add(member.key(), member.value());
        writer.end();
        QCOMPARE(text, isYaml ? yamlText(all, hasUnicode) : jsonText(all, hasUnicode));
    }
};

QTEST_APPLESS_MAIN(TestDocumentWriter)
#include "tst_documentwriter.moc"
