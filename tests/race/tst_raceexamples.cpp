// SPDX-License-Identifier: Apache-2.0
// The examples that are shipped, as they are shown.
#include "races.h"
#include "tests/ui/recorded.h"

#include "ui/race/racetext.h"
#include "ui/race/raceverdict.h"

#include <QJsonArray>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

ui::Race raced(const QString &name)
{
    ui::Race all{ raceOf(exampleText(name)), {} };
    for (const race::Installer installer :
        { race::Installer::ShellBefore, race::Installer::ShellAfter, race::Installer::Firstwatch })
        all.outcomes.append(race::simulate(installer, all.schedule, linkerdChain()));
    return all;
}

void addExamples()
{
    QTest::addColumn<QString>("name");
    for (const QString &name : exampleNames())
        QTest::newRow(qPrintable(name)) << name;
}

} // namespace

class TestRaceExamples final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void golden_data() { addExamples(); }
    void golden()
    {
        QFETCH(QString, name);
        const QByteArray text = ui::raceText({ false, true, 80 }, raced(name)).toUtf8();
        QCOMPARE(text, test::golden("race/" + name.chopped(5).toUtf8() + ".txt", text));
    }

    void firstwatchMissesNothingInThem_data() { addExamples(); }
    void firstwatchMissesNothingInThem()
    {
        QFETCH(QString, name);
        QVERIFY(ui::isGood(raced(name).outcomes.last()));
    }

    void eachHasATitleAndASource_data() { addExamples(); }
    void eachHasATitleAndASource()
    {
        QFETCH(QString, name);
        const race::Schedule schedule = raceOf(exampleText(name));
        QVERIFY(!schedule.title.isEmpty());
        QVERIFY(schedule.untilNs.has_value());
    }

    void everyLineFits_data() { addExamples(); }
    void everyLineFits()
    {
        QFETCH(QString, name);
        const ui::Race race = raced(name);
        for (const int columns : { 80, 120 }) {
            for (const bool hasUnicode : { true, false }) {
                const QString text = ui::raceText({ false, hasUnicode, columns }, race);
                for (const QString &line : text.split(u'\n'))
                    QVERIFY2(ui::widthOf(line) <= columns, qPrintable(line));
                QVERIFY(hasUnicode || std::all_of(text.cbegin(), text.cend(), [](QChar c) { return c < u'\x7f'; }));
            }
        }
    }

    void thePictureIsOneDocument_data() { addExamples(); }
    void thePictureIsOneDocument()
    {
        QFETCH(QString, name);
        QXmlStreamReader xml(ui::raceSvg(raced(name)));
        QList<double> tops; // of the pictures
        double bottom = 0;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement || xml.name() != QLatin1String("svg"))
                continue;
            const QXmlStreamAttributes attributes = xml.attributes();
            QVERIFY(attributes.hasAttribute(QStringLiteral("viewBox")));
            if (!attributes.hasAttribute(QStringLiteral("y")))
                continue; // the one around them
            tops.append(attributes.value(QStringLiteral("y")).toDouble());
            QVERIFY(tops.last() >= bottom); // none over another
            QVERIFY(attributes.value(QStringLiteral("width")).toDouble() > 0);
            QVERIFY(attributes.value(QStringLiteral("height")).toDouble() > 0);
            bottom = tops.last() + attributes.value(QStringLiteral("height")).toDouble();
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(tops.size(), 3);
    }

    void theDocumentSaysWhatThePageSays()
    {
        const QJsonObject json = ui::raceJson(raced(QStringLiteral("seed.race")));
        const QJsonArray installers = json[QStringLiteral("installers")].toArray();
        QCOMPARE(installers.size(), 3);
        QCOMPARE(installers[0][QStringLiteral("missed")].toInt(), 1);
        const QJsonValue change = installers[0][QStringLiteral("changes")][0];
        QCOMPARE(change[QStringLiteral("heard")].toString(), QStringLiteral("before_watch"));
        QCOMPARE(change[QStringLiteral("fate")].toString(), QStringLiteral("missed"));
        QCOMPARE(installers[0][QStringLiteral("timeline")][QStringLiteral("verdict")].toString(),
            QStringLiteral("not_proven"));
        QCOMPARE(installers[2][QStringLiteral("good")], QJsonValue(true));
        QCOMPARE(
            installers[2][QStringLiteral("timeline")][QStringLiteral("verdict")].toString(), QStringLiteral("proven"));
    }
};

QTEST_GUILESS_MAIN(TestRaceExamples)
#include "tst_raceexamples.moc"
