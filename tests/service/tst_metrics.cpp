// SPDX-License-Identifier: Apache-2.0
#include "promrules.h"

#include "service/metrics.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace firstwatch;
using namespace firstwatch::service;
using namespace firstwatch::test;
using journal::Kind;

namespace {

constexpr qint64 ms = 1'000'000;
constexpr qint64 startNs = 100'000 * ms;

using Fields = QJsonObject;

// A node as its events make it, and what the service counts besides.
class Told {
public:
    void add(qint64 atMs, Kind kind, const Fields &fields = {})
    {
        const journal::Event event{ ++m_seq, "00112233445566aa", startNs + atMs * ms, 0, kind, {}, fields };
        view.apply(event);
        unprotected.apply(event);
    }
    void addChange(qint64 atMs, const QString &file, qint64 seenMs)
    {
        add(atMs, Kind::FileChange,
            { { QStringLiteral("file"), file }, { QStringLiteral("seen_ns"), startNs + seenMs * ms } });
    }
    void addAbout(qint64 atMs, Kind kind, const QString &file, const QString &state = {})
    {
        add(atMs, kind, { { QStringLiteral("file"), file }, { QStringLiteral("state"), state } });
    }
    void addProof(qint64 atMs) { add(atMs, Kind::WatchProven, { { QStringLiteral("probe_us"), 1500 } }); }
    [[nodiscard]] QByteArray text(qint64 atMs) const
    {
        return metricsText({ view, unprotected, stream, 2, version }, startNs + atMs * ms, 1'700'000'000'000'000);
    }

    journal::NodeView view;
    UnprotectedTime unprotected;
    stream::Counters stream;
    QString version = QStringLiteral("1.2.3");

private:
    quint64 m_seq = 0;
};

const QString a = QStringLiteral("10-a.conflist");
const QString b = QStringLiteral("20-b.conflist");

Told busyNode()
{
    Told told;
    told.add(0, Kind::ProcessStart);
    told.add(1, Kind::WatchArmed);
    told.addProof(2);
    told.add(5, Kind::PassBegin,
        { { QStringLiteral("pass"), 1 }, { QStringLiteral("evidence"), QStringLiteral("proof") },
            { QStringLiteral("margin_ns"), 3 * ms } });
    told.addChange(7, a, 6);
    told.addAbout(8, Kind::PatchApplied, a);
    told.addAbout(8, Kind::FileState, a, QStringLiteral("patched"));
    told.add(9, Kind::PassEnd, { { QStringLiteral("pass"), 1 }, { QStringLiteral("missed"), 4 } });
    told.add(10, Kind::TokenRotated, { { QStringLiteral("expires"), 1'700'003'600 } });
    told.add(11, Kind::Overflow, { { QStringLiteral("count"), 1 } });
    told.addChange(20, b, 20);
    told.addAbout(21, Kind::PatchFailed, b);
    told.addAbout(22, Kind::FileState, b, QStringLiteral("drift"));
    told.addAbout(23, Kind::PatchUndone, a);
    told.stream.clients = 3;
    told.stream.gaps = 5;
    return told;
}

} // namespace

class tst_Metrics : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsTheRules_data();
    void keepsTheRules();
    void areDocumented();
    void rulesFindFaults_data();
    void rulesFindFaults();
    void values_data();
    void values();
    void exactlyOneStateIsPresent_data();
    void exactlyOneStateIsPresent();
    void unknownIsAbsent();
    void labelsAreEscaped();
    void unprotected_data();
    void unprotected();
    void longestFitsNoBound();
};

void tst_Metrics::keepsTheRules_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing known") << Told().text(0);
    QTest::newRow("a busy node") << busyNode().text(50);
    Told odd;
    odd.version = QStringLiteral("1\"\\\n{}");
    QTest::newRow("odd version") << odd.text(0);
}

void tst_Metrics::keepsTheRules()
{
    QFETCH(const QByteArray, text);
    const PromText parsed(text);
    QCOMPARE(parsed.faults(), QStringList());
    QVERIFY(!parsed.samples().isEmpty());
    for (const Sample &sample : parsed.samples())
        QVERIFY2(sample.name.startsWith(u"firstwatch_"), qPrintable(sample.name));
}

void tst_Metrics::areDocumented()
{
    QFile page(QStringLiteral(QT_TESTCASE_SOURCEDIR "/../../docs/metrics.md"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QByteArray text = page.readAll();
    const PromText metrics(busyNode().text(50));
    QCOMPARE(text.count("\n| `firstwatch_"), metrics.types().size());
    for (auto family = metrics.types().cbegin(); family != metrics.types().cend(); ++family) {
        const Sample sample = *std::find_if(metrics.samples().cbegin(), metrics.samples().cend(),
            [&](const Sample &each) { return each.name.startsWith(family.key()); });
        const bool isLabelled = !sample.labels.isEmpty() && *family != u"histogram";
        const QString name = isLabelled ? family.key() + u'{' + sample.labels.firstKey() + u'}' : family.key();
        const QString row = QStringLiteral("\n| `%1` | %2 | ").arg(name, *family);
        QVERIFY2(text.contains(row.toUtf8()), qPrintable(row));
    }
}

void tst_Metrics::rulesFindFaults_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char *name, const char *text) { QTest::newRow(name) << QByteArray(text); };
    row("no end", "# HELP a b\n# TYPE a gauge\na 1");
    row("no type", "# HELP a b\na 1\n");
    row("no help", "# TYPE a gauge\na 1\n");
    row("type twice", "# HELP a b\n# TYPE a gauge\n# TYPE a gauge\na 1\n");
    row("type behind", "# HELP a b\n# TYPE a gauge\na 1\n# HELP a b\n");
    row("no counter's name", "# HELP a b\n# TYPE a counter\na 1\n");
    row("a counter's name", "# HELP a_total b\n# TYPE a_total gauge\na_total 1\n");
    row("sample twice", "# HELP a b\n# TYPE a gauge\na 1\na 1\n");
    row("bad name", "# HELP a b\n# TYPE a gauge\na-b 1\n");
    row("bad label", "# HELP a b\n# TYPE a gauge\na{1=\"x\"} 1\n");
    row("not escaped", "# HELP a b\n# TYPE a gauge\na{c=\"\"\"} 1\n");
    row("no number", "# HELP a b\n# TYPE a gauge\na x\n");
    row("empty line", "# HELP a b\n# TYPE a gauge\na 1\n\n");
    row("in two pieces", "# HELP a b\n# TYPE a gauge\n# HELP c b\n# TYPE c gauge\na{x=\"1\"} 1\nc 1\na 1\n");
    row("falling",
        "# HELP a b\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_count 1\na_sum 1\n");
    row("count", "# HELP a b\n# TYPE a histogram\na_bucket{le=\"1\"} 1\na_bucket{le=\"+Inf\"} 2\na_count 1\na_sum 1\n");
    row("no +Inf", "# HELP a b\n# TYPE a histogram\na_bucket{le=\"1\"} 1\na_count 1\na_sum 1\n");
}

void tst_Metrics::rulesFindFaults()
{
    QFETCH(const QByteArray, text);
    QVERIFY(!PromText(text).faults().isEmpty());
}

void tst_Metrics::values_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("label");
    QTest::addColumn<QString>("labelValue");
    QTest::addColumn<double>("value");
    const auto row = [](const char *name, double value, const char *label = "", const char *labelValue = "") {
        QTest::addRow("%s %s", name, labelValue)
            << QString(QLatin1String("firstwatch_") + QLatin1String(name)) << QString::fromLatin1(label)
            << QString::fromLatin1(labelValue) << value;
    };
    row("state", 1, "state", "DRIFT");
    row("state", 0, "state", "OK");
    row("proof_age_seconds", 0.048);
    row("proof_latency_seconds", 0.0015);
    row("ready_margin_seconds", 0.003);
    row("passes_total", 1);
    row("patches_total", 1, "result", "patched");
    row("patches_total", 0, "result", "repatched");
    row("patches_total", 0, "result", "recovered");
    row("patches_total", 1, "result", "failed");
    row("patches_total", 1, "result", "undone");
    row("missed_total", 4);
    row("overflows_total", 1);
    row("rearms_total", 2);
    row("drift_files", 1);
    row("drift_age_seconds", 0.028);
    row("contested_files", 0);
    row("unprotected_seconds_count", 1);
    row("unprotected_seconds_sum", 0.002);
    row("unprotected_seconds_bucket", 0, "le", "0.001");
    row("unprotected_seconds_bucket", 1, "le", "0.0025");
    row("unprotected_seconds_bucket", 1, "le", "60");
    row("token_age_seconds", 0.04);
    row("token_expires_seconds", 3600);
    row("stream_clients", 3);
    row("stream_gaps_total", 5);
    row("build_info", 1, "version", "1.2.3");
}

void tst_Metrics::values()
{
    QFETCH(const QString, name);
    QFETCH(const QString, label);
    QFETCH(const QString, labelValue);
    QFETCH(const double, value);
    const double found = PromText(busyNode().text(50)).value(name, label, labelValue);
    QVERIFY2(std::abs(found - value) < 1e-9, qPrintable(QString::number(found)));
}

void tst_Metrics::exactlyOneStateIsPresent_data()
{
    QTest::addColumn<qint64>("atMs");
    QTest::addColumn<bool>("stopped");
    QTest::addColumn<QString>("word");
    QTest::newRow("starting") << qint64(10) << false << QStringLiteral("STARTING");
    QTest::newRow("blind") << qint64(60'000) << false << QStringLiteral("BLIND");
    QTest::newRow("stopped") << qint64(10) << true << QStringLiteral("STOPPED");
}

void tst_Metrics::exactlyOneStateIsPresent()
{
    QFETCH(const qint64, atMs);
    QFETCH(const bool, stopped);
    QFETCH(const QString, word);
    Told told;
    told.add(0, Kind::ProcessStart);
    if (stopped)
        told.add(1, Kind::ProcessStop, { { QStringLiteral("clean"), true } });
    QStringList present;
    int all = 0;
    const PromText text(told.text(atMs));
    for (const Sample &sample : text.samples()) {
        if (sample.name != u"firstwatch_state")
            continue;
        ++all;
        if (sample.value == u"1")
            present.append(sample.labels.value(QStringLiteral("state")));
    }
    QCOMPARE(present, QStringList{ word });
    QCOMPARE(all, 8);
}

void tst_Metrics::unknownIsAbsent()
{
    Told told;
    told.add(0, Kind::ProcessStart);
    told.addProof(1);
    told.add(2, Kind::WatchLost, { { QStringLiteral("reason"), QStringLiteral("gone") } });
    told.add(3, Kind::TokenRotated, { { QStringLiteral("expires"), 0 } });
    const QByteArray text = told.text(10);
    QVERIFY(!text.contains("proof_age"));
    QVERIFY(!text.contains("ready_margin"));
    QCOMPARE(PromText(text).value(QStringLiteral("firstwatch_drift_age_seconds")), 0); // known: there is none
    QVERIFY(text.contains("token_age"));
    QVERIFY(!text.contains("token_expires")); // it never does
    QVERIFY(!Told().text(0).contains("token_"));
}

void tst_Metrics::labelsAreEscaped()
{
    Told told;
    told.version = QStringLiteral("a\"b\\c\nd");
    QVERIFY(told.text(0).contains("{version=\"a\\\"b\\\\c\\nd\"} 1\n"));
}

// Each step: when, what about 10-a, and the state or the time of the finding.
struct Step {
    qint64 atMs;
    Kind kind;
    QString state;
    qint64 seenMs = 0;
};
Q_DECLARE_METATYPE(QList<Step>)

void tst_Metrics::unprotected_data()
{
    using S = QList<Step>;
    const QString patched = QStringLiteral("patched");
    QTest::addColumn<QList<Step>>("steps");
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("sum");
    const Step change{ 20, Kind::FileChange, {}, 10 };
    const Step applied{ 30, Kind::PatchApplied, {} };
    QTest::newRow("change and patch") << S{ change, applied } << 1 << 0.020;
    QTest::newRow("patch without a change") << S{ applied } << 0 << 0.0;
    QTest::newRow("one patch counts once") << S{ change, applied, { 40, Kind::PatchApplied, {} } } << 1 << 0.020;
    QTest::newRow("change that needed none") << S{ { 1, Kind::FileChange, {}, 1 }, change, applied } << 1 << 0.020;
    QTest::newRow("was patched by its owner")
        << S{ { 1, Kind::FileChange, {}, 1 }, { 2, Kind::FileState, patched }, applied } << 0 << 0.0;
    QTest::newRow("a failure goes on") << S{ { 5, Kind::FileChange, {}, 5 }, { 6, Kind::PatchFailed, {} },
        { 7, Kind::FileState, QStringLiteral("drift") }, change, applied }
                                       << 1 << 0.025;
    QTest::newRow("half a file goes on") << S{ { 5, Kind::FileChange, {}, 5 }, { 6, Kind::FileUnreadable, {} }, change,
        applied } << 1 << 0.025;
    QTest::newRow("no time of finding") << S{ { 20, Kind::FileChange, {}, -200'000 }, applied } << 1 << 0.010;
    QTest::newRow("found in the future") << S{ { 20, Kind::FileChange, {}, 25 }, applied } << 1 << 0.010;
}

void tst_Metrics::unprotected()
{
    QFETCH(const QList<Step>, steps);
    QFETCH(const int, count);
    QFETCH(const double, sum);
    Told told;
    for (const Step &step : steps) {
        if (step.kind == Kind::FileChange)
            told.addChange(step.atMs, a, step.seenMs);
        else
            told.addAbout(step.atMs, step.kind, a, step.state);
    }
    const PromText text(told.text(100));
    QCOMPARE(text.value(QStringLiteral("firstwatch_unprotected_seconds_count")), double(count));
    QVERIFY(std::abs(told.unprotected.sum() - sum) < 1e-9);
}

void tst_Metrics::longestFitsNoBound()
{
    Told told;
    told.addChange(1, a, 0);
    told.addAbout(60'000, Kind::PatchApplied, a); // just the last bound
    told.addChange(60'001, a, 60'001);
    told.addAbout(200'000, Kind::PatchApplied, a);
    const auto &counts = told.unprotected.counts();
    QCOMPARE(counts.at(counts.size() - 2), quint64(1));
    QCOMPARE(counts.back(), quint64(1));
    QCOMPARE(PromText(told.text(200'000)).faults(), QStringList());
}

QTEST_GUILESS_MAIN(tst_Metrics)
#include "tst_metrics.moc"
