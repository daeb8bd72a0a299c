// SPDX-License-Identifier: Apache-2.0
#include "journal/codes.h"

#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include <algorithm>

using namespace firstwatch::journal;

namespace {

constexpr int titleChars = 64;
constexpr int textChars = 120;

QString sourcePath(const char *path)
{
    return QStringLiteral(FIRSTWATCH_SOURCE_DIR "/") + QString::fromLatin1(path);
}

QByteArray readSource(const char *path)
{
    QFile file(sourcePath(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString severityWord(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return QStringLiteral("Error");
    case Severity::Warning:
        return QStringLiteral("Warning");
    case Severity::Info:
        break;
    }
    return QStringLiteral("Info");
}

QString markdown(const char *text)
{
    static const QRegularExpression special(QStringLiteral(R"(([\\`*_<>\[\]]))"));
    return QString::fromUtf8(text).replace(special, QStringLiteral("\\\\1"));
}

QString section(const CodeEntry &entry)
{
    const QString effect =
        entry.effect == Effect::Degraded ? QStringLiteral(" While it is open the node is `DEGRADED`.") : QString();
    return QStringLiteral("<a id=\"FW%1\"></a>\n## FW%1: %2\n\n%3.%4\n\n"
                          "* **What it means for pods:** %5\n"
                          "* **What Firstwatch does:** %6\n"
                          "* **What you can do:** %7\n")
        .arg(QString::number(entry.code), markdown(entry.title), severityWord(entry.severity), effect,
            markdown(entry.meaning), markdown(entry.does), markdown(entry.next));
}

QByteArray document()
{
    QString text =
        QStringLiteral("# Finding codes\n\n"
                       "A finding is a problem with a code. A code is never reused. `firstwatch explain FW1002` prints "
                       "the same text.\n\n"
                       "| codes | about |\n|---|---|\n"
                       "| FW10xx | the watch |\n| FW11xx | files in the net dir |\n| FW12xx | writing |\n"
                       "| FW13xx | service account and kubeconfig |\n| FW14xx | the service itself |\n"
                       "| FW20xx | what is in a config |\n| FW30xx | plugin binaries |\n"
                       "| FW90xx | looking at nodes from a desk |\n\n"
                       "This page is made from the tables in `shared/journal/codes_*.cpp`: run `tst_codes` with\n"
                       "`FIRSTWATCH_REFRESH_DOCS=1` to write it anew.\n");
    for (const CodeEntry &entry : allCodes())
        text += QLatin1Char('\n') + section(entry);
    return text.toUtf8();
}

void checkText(const char *text, int limit)
{
    QVERIFY(text != nullptr);
    const QString value = QString::fromUtf8(text);
    QVERIFY(!value.trimmed().isEmpty());
    QCOMPARE(value.trimmed(), value);
    QVERIFY2(value.size() <= limit, text);
    QVERIFY2(!value.contains(u'\n'), text);
}

} // namespace

class TestCodes final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyEntryIsWhole_data();
    void everyEntryIsWhole();
    void codesAreUniqueAndInOrder();
    void everyNamedCodeHasAnEntryAndBack();
    void unknownCode();
    void pageIsUpToDate();
};

void TestCodes::everyEntryIsWhole_data()
{
    QTest::addColumn<int>("code");
    for (const CodeEntry &entry : allCodes())
        QTest::addRow("FW%d", entry.code) << entry.code;
}

void TestCodes::everyEntryIsWhole()
{
    QFETCH(int, code);
    const CodeEntry *entry = codeEntry(code);
    QVERIFY(entry != nullptr);
    QCOMPARE(entry->code, code);
    QVERIFY(code >= 1000 && code <= 9999);
    checkText(entry->title, titleChars);
    checkText(entry->meaning, textChars);
    checkText(entry->does, textChars);
    checkText(entry->next, textChars);
    QVERIFY2(!QString::fromUtf8(entry->title).endsWith(u'.'), entry->title);
    QVERIFY2(QString::fromUtf8(entry->meaning).endsWith(u'.'), entry->meaning);
    QVERIFY2(QString::fromUtf8(entry->does).endsWith(u'.'), entry->does);
}

void TestCodes::codesAreUniqueAndInOrder()
{
    QList<int> codes;
    for (const CodeEntry &entry : allCodes())
        codes << entry.code;
    QVERIFY(!codes.isEmpty());
    QVERIFY(std::is_sorted(codes.cbegin(), codes.cend(), std::less_equal()));
}

void TestCodes::everyNamedCodeHasAnEntryAndBack()
{
    static const QRegularExpression constant(QStringLiteral("constexpr int \\w+ = (\\d+);"));
    QList<int> named;
    for (const char *header : { "shared/journal/findingcodes.h", "shared/conflist/findingcodes.h" }) {
        const qsizetype before = named.size();
        auto matches = constant.globalMatch(QString::fromUtf8(readSource(header)));
        while (matches.hasNext())
            named << matches.next().captured(1).toInt();
        QVERIFY2(named.size() > before, header);
    }
    for (const int code : named)
        QVERIFY2(codeEntry(code) != nullptr, QByteArray::number(code).constData());
    QCOMPARE(QSet<int>(named.cbegin(), named.cend()).size(), named.size());
    QCOMPARE(allCodes().size(), named.size());
}

void TestCodes::unknownCode()
{
    QVERIFY(codeEntry(0) == nullptr);
    QVERIFY(codeEntry(-1) == nullptr);
    QVERIFY(codeEntry(1000) == nullptr);
}

void TestCodes::pageIsUpToDate()
{
    const QByteArray expected = document();
    if (qEnvironmentVariableIsSet("FIRSTWATCH_REFRESH_DOCS")) {
        QFile file(sourcePath("docs/codes.md"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(expected), expected.size());
    }
    QVERIFY2(readSource("docs/codes.md") == expected,
        "docs/codes.md is not what the table says: run tst_codes with FIRSTWATCH_REFRESH_DOCS=1");
}

QTEST_GUILESS_MAIN(TestCodes)
#include "tst_codes.moc"
