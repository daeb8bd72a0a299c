// SPDX-License-Identifier: Apache-2.0
#include "recorded.h"
#include "ui/text/copyas.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTest>

using namespace firstwatch;
using namespace firstwatch::ui;

class TestCopyAs final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void commands_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<bool>("isLive");
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("command");
        QTest::newRow("a recording") << "run.fwz" << false << ""
                                     << "firstwatch events --from run.fwz";
        QTest::newRow("a port") << "127.0.0.1:9911" << true << ""
                                << "firstwatch events --endpoint 127.0.0.1:9911";
        QTest::newRow("a socket") << "/run/fw.sock" << true << ""
                                  << "firstwatch events --socket /run/fw.sock";
        QTest::newRow("a filter") << "a b.fwz" << false << "kind:patch file:*x"
                                  << "firstwatch events --from 'a b.fwz' --filter 'kind:patch file:*x'";
    }
    void commands()
    {
        QFETCH(QString, filter);
        QFETCH(QString, source);
        QFETCH(bool, isLive);
        Node node;
        node.source = source;
        node.isLive = isLive;
        Filter::Error error;
        const Filter terms = Filter::parse(filter, error).value_or(Filter());
        QTEST(copyOfEvents(CopyForm::Command, node, {}, terms), "command");
    }

    // A file name may hold whatever a shell obeys.
    void wordsAreOneWord_data()
    {
        QTest::addColumn<QString>("word");
        for (const char *word :
            { "", "plain-1.fwz", "two words", "it's", "$(id)", "`id`", "a;b", "a\nb", "\\", "\"", "*", "~" })
            QTest::newRow(word) << QString::fromUtf8(word);
    }
    void wordsAreOneWord()
    {
        QFETCH(QString, word);
        QProcess shell;
        shell.start(
            QStringLiteral("sh"), { QStringLiteral("-c"), QString(QStringLiteral("printf %s ") + shellWord(word)) });
        QVERIFY(shell.waitForFinished());
        QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), word);
    }

    void jsonIsTheDocumentOfTheCommandLine()
    {
        const Node node = test::recordedNode("usual.jsonl");
        const QJsonObject json =
            QJsonDocument::fromJson(copyOfEvents(CopyForm::Json, node, node.events, {}).toUtf8()).object();
        QCOMPARE(json[QStringLiteral("schema")].toString(), QStringLiteral("firstwatch/v1"));
        QCOMPARE(json[QStringLiteral("events")].toArray().size(), node.events.size());
    }

    void marksOfMarkdownAreText()
    {
        journal::Event event;
        event.fields.insert(QStringLiteral("text"), QStringLiteral("a|b <i>*c*"));
        const QString text = copyOfEvents(CopyForm::Markdown, {}, { event }, {});
        QVERIFY2(text.endsWith(QStringLiteral("| a\\|b \\<i\\>\\*c\\* |\n")), qPrintable(text));
    }

    // A line of the text is a line of "firstwatch events".
    void textHasALineForEach()
    {
        const Node node = test::recordedNode("texts.jsonl");
        QCOMPARE(copyOfEvents(CopyForm::Text, node, node.events, {}).count(u'\n'), node.events.size());
    }
};

QTEST_GUILESS_MAIN(TestCopyAs)
#include "tst_copyas.moc"
