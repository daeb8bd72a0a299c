// SPDX-License-Identifier: Apache-2.0
// Recordings of strangers: nothing in them is obeyed, and none of them takes long.
#include "program.h"

#include "journal/event.h"
#include "stream/capture.h"

#include <QFile>
#include <QJsonArray>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

const QString evil = QStringLiteral("\x1b[2J\x1b]0;t\x07\u009b31m\u202e%1%2%n<img src=x>\r\n\u2028\x7f");

// A run in which everything that may be a text is a hostile one.
QList<journal::Event> hostileRun()
{
    QList<journal::Event> events = stream::readCapture(FIRSTWATCH_CAPTURES "/drift.jsonl").events;
    events += stream::readCapture(FIRSTWATCH_CAPTURES "/usual.jsonl").events;
    for (journal::Event &event : events) {
        event.boot = events.first().boot;
        for (const QString &name : event.fields.keys()) {
            const bool isWord = name == QLatin1String("state") || name == QLatin1String("via");
            if (event.fields[name].isString() && !isWord)
                event.fields.insert(name, QString(name + evil));
        }
    }
    journal::Event strange = events.last();
    strange.kind = journal::Kind::Unknown;
    strange.unknownKind = QStringLiteral("new.kind") + evil;
    strange.fields = { { QStringLiteral("text") + evil, evil } };
    return events << strange;
}

bool isHarmless(const QByteArray &text)
{
    // As numbers: a direction inside a literal would mislead whoever reads this file.
    static const QList<char16_t> harmful{ 0x1b, 0x07, 0x0d, 0x7f, 0x9b, 0x202e, 0x2028 };
    const QString shown = QString::fromUtf8(text);
    return std::none_of(shown.begin(), shown.end(), [](QChar c) { return harmful.contains(c.unicode()); });
}

QByteArray linesOf(const QList<journal::Event> &events)
{
    QByteArray lines;
    for (const journal::Event &event : events)
        lines += journal::toLine(event);
    return lines;
}

} // namespace

class TestRecordings final : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_folder;

    QString written(const char *name, const QByteArray &bytes)
    {
        QFile file(m_folder.filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("%s cannot be written", name);
        return file.fileName();
    }

private Q_SLOTS:
    void p52_nothingInARecordingIsObeyed_data()
    {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<QString>("form");
        for (const Form &form : allForms())
            QTest::addRow("%s -o %s", qPrintable(form.verb), qPrintable(form.form)) << form.verb << form.form;
    }
    void p52_nothingInARecordingIsObeyed()
    {
        QFETCH(QString, verb);
        QFETCH(QString, form);
        const QString path = written("evil.jsonl", linesOf(hostileRun()));
        for (const QString &locale : { QStringLiteral("LC_ALL=C.UTF-8"), QStringLiteral("LC_ALL=C") }) {
            const Ran ran =
                run({ verb, QStringLiteral("-o"), form, QStringLiteral("--from"), path }, { { locale }, {}, {} });
            QVERIFY(ran.exitCode == 0 || ran.exitCode == 1);
            QVERIFY2(isHarmless(ran.out) && isHarmless(ran.err), QByteArray(ran.out + ran.err).constData());
        }
    }

    void p52_aHostileNameOrArgumentIsShownSafely()
    {
        for (const QStringList &arguments : { QStringList{ evil }, { QStringLiteral("help"), evil },
                 { QStringLiteral("explain"), evil }, { QStringLiteral("status"), QStringLiteral("--from"), evil },
                 { QStringLiteral("open"), evil }, { QStringLiteral("status"), QStringLiteral("-o"), evil },
                 { QStringLiteral("doctor"), QStringLiteral("--socket"), evil } }) {
            const Ran ran = run(arguments);
            QVERIFY(ran.exitCode == 2 || ran.exitCode == 3);
            QVERIFY2(isHarmless(ran.out) && isHarmless(ran.err), QByteArray(ran.out + ran.err).constData());
        }
    }

    void p52_anyBytesAreBorne_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("code");
        const QByteArray good = linesOf(stream::readCapture(FIRSTWATCH_CAPTURES "/usual.jsonl").events);
        QTest::newRow("empty") << QByteArray() << 0;
        QTest::newRow("NUL bytes") << QByteArray(100'000, '\0') << 3;
        QTest::newRow("no line end") << QByteArray(10'000'000, 'a') << 3;
        QTest::newRow("a huge line among good ones") << good + QByteArray(5'000'000, 'x') + '\n' + good << 0;
        QTest::newRow("deep") << QByteArray(200'000, '[') << 3;
        QTest::newRow("a torn end") << good.chopped(40) << 0;
        QTest::newRow("a torn beginning") << good.sliced(40) << 0;
        QTest::newRow("CRLF") << QByteArray(good).replace('\n', "\r\n") << 0;
        QByteArray noise(300'000, Qt::Uninitialized);
        QRandomGenerator(1).fillRange(reinterpret_cast<quint32 *>(noise.data()), noise.size() / 4);
        QTest::newRow("noise") << noise << 3;
        QTest::newRow("gzip's first bytes") << QByteArray("\x1f\x8b\x08\0\0\0\0\0", 8) << 3;
    }
    void p52_anyBytesAreBorne()
    {
        QFETCH(QByteArray, bytes);
        const QString path = written("any", bytes);
        for (const char *verb : { "status", "timeline", "events" }) {
            const Ran ran = run({ QString::fromLatin1(verb), QStringLiteral("-q"), QStringLiteral("--from"), path });
            QTEST(ran.exitCode, "code");
        }
    }

    void p52_aBombIsNotUnpacked()
    {
        const QByteArray line = journal::toLine(hostileRun().first());
        QProcess gzip;
        gzip.setStandardOutputFile(m_folder.filePath(QStringLiteral("bomb.fwz")));
        gzip.start(QStringLiteral("gzip"), {});
        for (int i = 0; i < 20; ++i) { // 200 MB of one line
            gzip.write(line + QByteArray(10'000'000, ' '));
            QVERIFY(gzip.waitForBytesWritten());
        }
        gzip.closeWriteChannel();
        QVERIFY(gzip.waitForFinished());
        const Ran ran =
            run({ QStringLiteral("status"), QStringLiteral("--from"), m_folder.filePath(QStringLiteral("bomb.fwz")) });
        QVERIFY2(ran.err.contains("only the first 32 MiB"), ran.err.constData());
    }

    void p52_aCutPackIsShownAsFarAsItGoes()
    {
        QFile file(capture("usual.fwz"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        for (qsizetype size = 0; size <= whole.size(); size += 97) {
            const Ran ran =
                run({ QStringLiteral("events"), QStringLiteral("--from"), written("cut.fwz", whole.first(size)) });
            QVERIFY(ran.exitCode == 0 || ran.exitCode == 3);
            QVERIFY(size == 0 || ran.exitCode == 3 || ran.err.contains("too early"));
        }
    }
};

QTEST_GUILESS_MAIN(TestRecordings)
#include "tst_recordings.moc"
