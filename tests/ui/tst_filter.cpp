// SPDX-License-Identifier: Apache-2.0
#include "ui/filter/filter.h"

#include <QRandomGenerator>
#include <QTest>

using namespace firstwatch::ui;

namespace {

constexpr qint64 nowUs = 1700000000000000;
constexpr qint64 minuteUs = 60000000;

const Facts patch{ QStringLiteral("patch.applied"), QStringLiteral("10-calico.conflist"), QStringLiteral("node-17"),
    QStringLiteral("DRIFT"), QStringLiteral("FW1101"), QStringLiteral("12:00 patch.applied 10-calico.conflist Repatch"),
    nowUs - 10 * minuteUs };

QString asText(const QString &text)
{
    Filter::Error error;
    const std::optional<Filter> filter = Filter::parse(text, error);
    return filter ? filter->text() : QStringLiteral("%1: %2").arg(error.column).arg(error.text);
}

} // namespace

class TestFilter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takesWhatItSays_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<bool>("isTaken");
        const auto row = [](const char *filter, bool isTaken) {
            QTest::newRow(filter) << QString::fromUtf8(filter) << isTaken;
        };
        row("", true);
        row("kind:patch.applied", true);
        row("kind:patch", true);
        row("type:patch", true);
        row("kind:pat", false);
        row("kind:watch", false);
        row("kind:watch,patch", true);
        row("kind:watch kind:patch", true);
        row("-kind:patch", false);
        row("not:kind:watch", true);
        row("-kind:watch,patch", false);
        row("file:10-*", true);
        row("file:10-", false);
        row("file:*.conflist kind:watch", false);
        row("-file:20-*", true);
        row("node:node-1?", true);
        row("node:NODE-17", false);
        row("state:drift", true);
        row("state:OK,DRIFT", true);
        row("-state:DRIFT", false);
        row("code:1101", true);
        row("code:fw11*", true);
        row("code:FW2*", false);
        row("since:11m", true);
        row("since:9m", false);
        row("since:1h since:9m", false);
        row("-since:9m", true);
        row("repatch", true);
        row("REPATCH calico", true);
        row("repatch cilium", false);
        row("-cilium", true);
        row("-calico", false);
        row("\"applied 10\"", true);
        row("\"applied  10\"", false);
        row("-\"applied 10\"", false);
        row("\"-calico\"", true);
        row("\"-cilium\"", false);
        row("a,b", false);
    }
    void takesWhatItSays()
    {
        QFETCH(const QString, filter);
        Filter::Error error;
        const std::optional<Filter> parsed = Filter::parse(filter, error);
        QVERIFY2(parsed, qPrintable(error.text));
        QCOMPARE(parsed->isEmpty(), filter.isEmpty());
        QTEST(parsed->takes(patch, nowUs), "isTaken");
    }

    void isWrittenInOneWay_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("normal");
        const auto row = [](const char *filter, const char *normal) {
            QTest::newRow(filter) << QString::fromUtf8(filter) << QString::fromUtf8(normal);
        };
        row("", "");
        row("  b   a  ", "b a");
        row("a a", "a");
        row("word kind:b -file:x kind:a,b state:ok", "kind:b,a -file:x state:OK word");
        row("not:word -word", "-word");
        row("type:\"patch\"", "kind:patch");
        row("code:1101,fw1102", "code:FW1101,FW1102");
        row("since:90m since:2h", "since:1h30m");
        row("since:1500ms", "since:1s500ms");
        row("\"a b\" \"c,d\" \"e\\\"f\" \"kind:x\" \"-y\" plain,comma",
            "\"a b\" \"c,d\" \"e\\\"f\" \"kind:x\" \"-y\" \"plain,comma\"");
        row("file:\"a b\",c", "file:\"a b\",c");
        row("file:a:b", "file:a:b");
        row("\\n", "\\n");
        row("\"\\\\ \"", "\"\\\\ \"");
    }
    void isWrittenInOneWay()
    {
        QFETCH(const QString, filter);
        QFETCH(const QString, normal);
        QCOMPARE(asText(filter), normal);
        QCOMPARE(asText(normal), normal);
    }

    void errorsNameTheColumn_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("error");
        const auto row = [](const char *filter, const char *error) {
            QTest::newRow(filter) << QString::fromUtf8(filter) << QString::fromUtf8(error);
        };
        row("a -", "3: nothing follows the negation");
        row("a not: b", "3: nothing follows the negation");
        row("a kind:", "8: kind: needs a value");
        row("kind:a,", "8: kind: needs a value");
        row("kind:,a", "6: kind: needs a value");
        row("a \"b c", "3: these quotes are not closed");
        row("file:\"b", "6: these quotes are not closed");
        row("\"a\"b", "4: a space is missing here");
        row("\"\"", "1: there is nothing between the quotes");
        row("since:soon", "7: 'soon' is no span of time, such as 90s, 10m or 1h30m");
        row("since:1m,2m", "11: since: takes one span of time");
        row("code:FW", "6: 'FW' is no code, such as FW1101, 1101 or FW11*");
        row("a pod:x",
            "3: 'pod' is no key: it is one of kind, file, node, state, code, since; a word with a colon stands in "
            "quotes");
        row("state:fine",
            "7: 'fine' is no state: it is one of BLIND, DRIFT, CONTESTED, DEGRADED, STARTING, UNREACHABLE, "
            "STOPPED, WAITING, OK, patched, drift, incomplete, refused, contested, ignored, gone");
    }
    void errorsNameTheColumn()
    {
        QFETCH(const QString, filter);
        QTEST(asText(filter), "error");
    }

    // Whatever is typed: it is an error with a place in it, or means the same when it is read again.
    void anyTextIsReadTheSameAgain()
    {
        const QStringList parts{ QStringLiteral("kind:"), QStringLiteral("-"), QStringLiteral("not:"),
            QStringLiteral("\""), QStringLiteral("\\"), QStringLiteral(","), QStringLiteral(" "), QStringLiteral("a"),
            QStringLiteral("since:"), QStringLiteral("90m"), QStringLiteral("code:"), QStringLiteral("11*"),
            QStringLiteral(":"), QString(QChar(char16_t(0xD834))), QStringLiteral("\u00e9\n") };
        QRandomGenerator random(17);
        for (int i = 0; i < 20000; ++i) {
            QString text;
            for (int count = random.bounded(10); count > 0; --count)
                text += parts[random.bounded(int(parts.size()))];
            Filter::Error error;
            const std::optional<Filter> filter = Filter::parse(text, error);
            if (filter) {
                const std::optional<Filter> again = Filter::parse(filter->text(), error);
                QVERIFY2(again && *again == *filter, qPrintable(text));
            } else {
                QVERIFY2(
                    error.column >= 1 && error.column <= text.size() + 1 && !error.text.isEmpty(), qPrintable(text));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestFilter)
#include "tst_filter.moc"
