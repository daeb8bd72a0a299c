// SPDX-License-Identifier: Apache-2.0
// What patches have changed: kept without secrets and within bounds, told in pieces, put together again, recorded.
#include "fakenode.h"
#include "rawclient.h"
#include "servednode.h"

#include "stream/capture.h"
#include "stream/diffrequest.h"
#include "stream/diffstore.h"

#include <QJsonDocument>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace firstwatch;
using namespace firstwatch::test;
using namespace firstwatch::stream;

namespace {

const QByteArray boot = "00112233445566aa";

// Lines of another size for each seed, all of them different.
QByteArray textOf(int seed, qsizetype bytes)
{
    QByteArray text = "{\n";
    for (int line = 0; text.size() < bytes; ++line)
        text += "  \"" + QByteArray::number(seed) + '.' + QByteArray::number(line) + "\": 1,\n";
    return text + "  \"x\": 1\n}\n";
}

Diff someDiff(quint64 seq, const QString &ours, const QString &theirs)
{
    return { seq, boot, QStringLiteral("10-a.conflist"), ours, theirs, true, false };
}

QJsonObject asTold(const QJsonObject &page)
{
    return QJsonDocument::fromJson(QJsonDocument(page).toJson()).object();
}

void tellTexts(ServedNode &node, quint64 seq, const QByteArray &before, const QByteArray &after)
{
    node.inThread([&](Server &server) { server.appendTexts(seq, "10-a.conflist", before, after); });
}

QJsonObject ask(RawClient &client, const QJsonObject &params)
{
    return client.call(QStringLiteral("diff"), params);
}

void add(DiffStore &store, const DiffStore::Noted &noted)
{
    store.note(noted);
    store.settle();
}

} // namespace

class TestPatchDiffs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsOursAndTheirs();
    void p51_aSecretIsInNoDiff();
    void keepsTheLast();
    void keepsWithinItsBytes();
    void whatIsNotedIsMadeWhenItIsAskedFor();
    void ofALongBurstTheOldestAreNotMade();
    void longTextsDoNotWait();
    void aLongDiffEndsAtALine();
    void piecesComeTogether_data();
    void piecesComeTogether();
    void strangePiecesAreNotTaken_data();
    void strangePiecesAreNotTaken();
    void p35_everyPieceFitsIntoAFrame();
    void aNodeAnswers();
    void whoAsksAtTheEventGetsIt();
    void textsThatDoNotComeAreWaitedForOnce();
    void whatIsNotThereIsNamed_data();
    void whatIsNotThereIsNamed();
    void allAreFetchedWhateverTheRate();
    void anOldNodeIsSaid();
    void aCaptureKeepsThem();
    void aCaptureOfAnyLinesIsRead();
};

void TestPatchDiffs::tellsOursAndTheirs()
{
    DiffStore store;
    add(store, { 3, boot, "10-a.conflist", "{\n}\n", "{\n \"ours\": 1\n}\n" });
    add(store, { 4, boot, "20-b.conflist", "{}\n", "{ }\n" });
    add(store, { 9, boot, "10-a.conflist", "{\n \"new\": 1\n}\n", "{\n \"new\": 1,\n \"ours\": 1\n}\n" });
    const Diff *const first = store.find(3);
    QVERIFY(first != nullptr && !first->knowsTheirs && first->boot == boot);
    QCOMPARE(first->ours,
        QStringLiteral("--- a/10-a.conflist\n+++ b/10-a.conflist\n@@ -1,2 +1,3 @@\n {\n+ \"ours\": 1\n }\n"));
    const Diff *const second = store.find(9);
    QVERIFY(second != nullptr && second->knowsTheirs);
    QVERIFY(second->theirs.contains(QStringLiteral("\n- \"ours\": 1\n+ \"new\": 1\n")));
    QVERIFY(second->ours.contains(QStringLiteral("\n+ \"ours\": 1\n")));
    QVERIFY(store.find(5) == nullptr);
}

void TestPatchDiffs::p51_aSecretIsInNoDiff()
{
    DiffStore store;
    const QByteArray before = R"({"a":[{"token":"CANARY"}],)"
                              "\n"
                              R"("x":"eyJhbGciOi.CANARY"})";
    add(store, { 1, boot, "10-token=CANARY.conf", before, QByteArray(before).replace("\"a\"", "\"b\"") });
    add(store, { 2, boot, "10-token=CANARY.conf", QByteArray(before).replace("CANARY", "CANARZ"), "half \"CANARY" });
    for (const Diff &diff : store.diffs()) {
        const QString all = diff.ours + diff.theirs;
        QVERIFY2(!all.contains(QStringLiteral("CANAR")), qPrintable(all));
    }
    QVERIFY(store.find(1)->ours.contains(QStringLiteral("‹cut, 6 chars›")));
    add(store, { 3, boot, "a", "{}\n", "{\"license\": \"CANARY 17\"}\n" }); // by its name and its looks it is none
    QVERIFY(store.find(3)->ours.contains(QStringLiteral("\n+{\"license\": \"‹string, 9 chars›\"}\n")));
}

void TestPatchDiffs::keepsTheLast()
{
    DiffStore store;
    for (quint64 seq = 1; seq <= DiffStore::mostDiffs + 10; ++seq)
        add(store, { seq * 2, boot, "a", "{}", "{ }" });
    QCOMPARE(store.diffs().size(), DiffStore::mostDiffs);
    QCOMPARE(store.evictedTo(), quint64(20));
    QVERIFY(store.find(20) == nullptr && store.find(22) != nullptr);
}

void TestPatchDiffs::keepsWithinItsBytes()
{
    DiffStore store;
    constexpr qsizetype textBytes = 100000;
    for (int i = 1; i <= 40; ++i) // files of their own: nobody knows what was there before once it has fallen out
        add(store, { quint64(i), boot, QByteArray::number(i), textOf(1, textBytes), textOf(i + 1, textBytes) });
    qsizetype bytes = 0;
    for (const Diff &diff : store.diffs())
        bytes += 2 * diff.size();
    QVERIFY(bytes <= DiffStore::mostBytes && bytes > DiffStore::mostBytes / 2);
    add(store, { 50, boot, "1", "{}", "{ }" });
    add(store, { 51, boot, "40", "{}", "{ }" });
    QVERIFY(!store.find(50)->knowsTheirs);
    QVERIFY(store.find(51)->knowsTheirs);
}

void TestPatchDiffs::whatIsNotedIsMadeWhenItIsAskedFor()
{
    DiffStore store;
    store.note({ 1, boot, "a", "{}", "{ }" });
    QVERIFY(store.diffs().empty());
    store.settle();
    store.note({ 2, boot, "a", "{  }", "{ }" });
    store.note({ 3, boot, "b", "{}", "{ }" });
    store.settle();
    QCOMPARE(store.diffs().size(), size_t(3));
    QVERIFY(store.find(2)->knowsTheirs);
    QVERIFY(!store.find(3)->knowsTheirs);
}

void TestPatchDiffs::ofALongBurstTheOldestAreNotMade()
{
    DiffStore store;
    add(store, { 1, boot, "a", "{}", "{ }" });
    for (quint64 seq = 2; seq <= DiffStore::mostDiffs + 2; ++seq)
        store.note({ seq, boot, seq == 2 ? "a" : "b", "{}", "{ }" });
    add(store, { DiffStore::mostDiffs + 3, boot, "a", "{}", "{ }" });
    QCOMPARE(store.diffs().size(), DiffStore::mostDiffs);
    QVERIFY(store.find(3) == nullptr && store.find(4) != nullptr);
    QCOMPARE(store.evictedTo(), quint64(3));
    QVERIFY(!store.find(DiffStore::mostDiffs + 3)->knowsTheirs); // what was left at 2 is not known
}

void TestPatchDiffs::longTextsDoNotWait()
{
    DiffStore store;
    for (quint64 seq = 1; seq <= 4; ++seq)
        store.note({ seq, boot, "a", textOf(1, 300000), textOf(2, 300000) });
    QVERIFY(!store.diffs().empty());
}

void TestPatchDiffs::aLongDiffEndsAtALine()
{
    DiffStore store;
    add(store, { 1, boot, "a", textOf(1, 300000), textOf(2, 300000) });
    const Diff &diff = *store.find(1);
    QVERIFY(diff.isTruncated);
    QVERIFY(diff.ours.size() <= longestDiff && diff.ours.size() > longestDiff - 100);
    QVERIFY(diff.ours.endsWith(u'\n'));
}

void TestPatchDiffs::piecesComeTogether_data()
{
    QTest::addColumn<QString>("ours");
    QTest::addColumn<QString>("theirs");
    const QString plain(200000, u'x');
    const QString pairs = QString::fromUtf8("x") + QString::fromUtf8("𝄞").repeated(50000);
    QTest::newRow("small") << QStringLiteral("a") << QStringLiteral("b");
    QTest::newRow("nothing") << QString() << QString();
    QTest::newRow("only theirs") << QString() << plain;
    QTest::newRow("large") << plain << plain;
    QTest::newRow("pairs") << pairs << pairs;
}

void TestPatchDiffs::piecesComeTogether()
{
    QFETCH(const QString, ours);
    QFETCH(const QString, theirs);
    const Diff whole = someDiff(7, ours, theirs);
    DiffReader reader;
    DiffReader::Took took = DiffReader::Took::Piece;
    int pieces = 0;
    for (; took == DiffReader::Took::Piece; ++pieces)
        took = reader.take(asTold(diffPage(whole, reader.diff().size())));
    QCOMPARE(took, DiffReader::Took::Last);
    QVERIFY(reader.diff() == whole);
    QVERIFY(pieces <= whole.size() / 30000 + 1);
}

void TestPatchDiffs::strangePiecesAreNotTaken_data()
{
    QTest::addColumn<QByteArray>("change");
    QTest::addColumn<int>("took");
    const int nothing = int(DiffReader::Took::Nothing);
    QTest::newRow("as it should be") << QByteArray("{}") << int(DiffReader::Took::Last);
    QTest::newRow("another patch") << QByteArray(R"({"seq":8})") << nothing;
    QTest::newRow("another run") << QByteArray(R"({"boot":"x"})") << nothing;
    QTest::newRow("a hole") << QByteArray(R"({"offset":32769})") << nothing;
    QTest::newRow("once more") << QByteArray(R"({"offset":1})") << nothing;
    QTest::newRow("no offset") << QByteArray(R"({"offset":null})") << nothing;
    QTest::newRow("no seq") << QByteArray(R"({"seq":-1})") << nothing;
    QTest::newRow("an end without an end")
        << QByteArray(R"({"ours":"","theirs":"","more":true})") << int(DiffReader::Took::Last);
}

void TestPatchDiffs::strangePiecesAreNotTaken()
{
    QFETCH(const QByteArray, change);
    const Diff whole = someDiff(7, QString(40000, u'x'), {});
    DiffReader reader;
    QCOMPARE(reader.take(diffPage(whole, 0)), DiffReader::Took::Piece);
    QJsonObject page = diffPage(whole, reader.diff().size());
    const QJsonObject changes = QJsonDocument::fromJson(change).object();
    for (auto member = changes.begin(); member != changes.end(); ++member)
        page.insert(member.key(), member.value());
    QTEST(int(reader.take(page)), "took");
}

void TestPatchDiffs::p35_everyPieceFitsIntoAFrame()
{
    const Diff worst = someDiff(7, QString(longestDiff, QChar(u'\x01')), QString(longestDiff, QChar(u'\x01')));
    for (qsizetype offset = 0; offset < worst.size(); offset += 10000)
        QVERIFY(resultLine(7, diffPage(worst, offset)).size() <= longestFrame);
}

void TestPatchDiffs::aNodeAnswers()
{
    ServedNode node;
    const quint64 seq = node.record(journal::Kind::PatchApplied, {});
    tellTexts(node, seq, textOf(1, 100000), textOf(2, 100000));
    RawClient client(node.path());
    (void)client.hello();
    DiffReader reader;
    QJsonObject page;
    do {
        page =
            ask(client, { { QStringLiteral("seq"), qint64(seq) }, { QStringLiteral("offset"), reader.diff().size() } })
                .value(u"result")
                .toObject();
    } while (reader.take(page) == DiffReader::Took::Piece);
    QVERIFY(reader.diff().ours.endsWith(QStringLiteral("\n }\n")));
    QCOMPARE(reader.diff().boot, node.boot());
    QVERIFY(page[u"theirs"].isNull());
}

// The event is out before its texts are told: a client that asks at once must not hear that there are none.
void TestPatchDiffs::whoAsksAtTheEventGetsIt()
{
    ServedNode node;
    RawClient client(node.path());
    RawClient other(node.path());
    (void)client.hello();
    (void)other.hello();
    const quint64 seq = node.record(journal::Kind::PatchApplied, {});
    client.send(requestOf(7, QStringLiteral("diff"), { { QStringLiteral("seq"), qint64(seq) } })
        + requestOf(8, QStringLiteral("ping")));
    for (int i = 0; i < 3; ++i) // the server has taken the question by now
        (void)other.call(QStringLiteral("ping"));
    tellTexts(node, seq, "{}\n", "{ }\n");
    const QJsonObject answer = client.waitForAnswer(7);
    QCOMPARE(answer[u"result"][u"seq"].toInteger(), qint64(seq));
    QVERIFY(answer[u"result"][u"ours"].toString().contains(QStringLiteral("\n-{}\n+{ }\n")));
    QVERIFY(client.waitForAnswer(8)[u"result"].isObject()); // the one behind it, and after it
    QVERIFY(client.passed().isEmpty());
}

void TestPatchDiffs::textsThatDoNotComeAreWaitedForOnce()
{
    DiffStore store;
    constexpr qint64 ms = 1'000'000;
    store.expect(3, 100 * ms);
    store.expect(5, 100 * ms);
    QCOMPARE(store.waitMs(4, 100 * ms), 0); // is no patch
    QCOMPARE(store.waitMs(3, 100 * ms), DiffStore::patienceMs);
    QCOMPARE(store.waitMs(3, 400 * ms), DiffStore::patienceMs - 300);
    QCOMPARE(store.waitMs(3, 5000 * ms), 0);
    store.note({ 5, boot, "a", "{}", "{ }" });
    QCOMPARE(store.waitMs(3, 100 * ms), 0); // they come in order
    QCOMPARE(store.waitMs(5, 100 * ms), 0);
    ServedNode node;
    RawClient client(node.path());
    (void)client.hello();
    const quint64 seq = node.record(journal::Kind::PatchApplied, {});
    const QJsonObject params{ { QStringLiteral("seq"), qint64(seq) } };
    QCOMPARE(ask(client, params)[u"error"][u"code"].toInt(), int(ErrorCode::NotKept));
}

void TestPatchDiffs::whatIsNotThereIsNamed_data()
{
    QTest::addColumn<QByteArray>("params");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("text");
    QTest::newRow("no patch") << QByteArray(R"({"seq":1})") << int(ErrorCode::NotKept)
                              << QStringLiteral("what changed at 1 is not kept any more: there are 256, from 6 to 261");
    QTest::newRow("not yet") << QByteArray(R"({"seq":900})") << int(ErrorCode::NotKept)
                             << QStringLiteral("900 is no patch whose changes are known: there are 256, from 6 to 261");
    const auto wrong = int(ErrorCode::InvalidParams);
    const auto seqText = QStringLiteral("seq is that of a patch.applied event, and offset an integer from 0 on");
    QTest::newRow("no seq") << QByteArray("{}") << wrong << seqText;
    QTest::newRow("zero") << QByteArray(R"({"seq":0})") << wrong << seqText;
    QTest::newRow("a text") << QByteArray(R"({"seq":"6"})") << wrong << seqText;
    QTest::newRow("a fraction") << QByteArray(R"({"seq":6.5})") << wrong << seqText;
    QTest::newRow("below zero") << QByteArray(R"({"seq":6,"offset":-1})") << wrong << seqText;
    QTest::newRow("far beyond") << QByteArray(R"({"seq":261,"offset":9007199254740991})") << wrong
                                << QStringLiteral("offset is at most 74 here");
    QTest::newRow("another run") << QByteArray(R"({"seq":6,"boot":"x"})") << int(ErrorCode::BootChanged)
                                 << QStringLiteral("the service was started anew");
}

void TestPatchDiffs::whatIsNotThereIsNamed()
{
    QFETCH(const QByteArray, params);
    ServedNode node;
    node.happen(1);
    for (quint64 seq = 1; seq <= DiffStore::mostDiffs + 5; ++seq)
        node.inThread([&](Server &server) { server.appendTexts(seq, "a", "{}\n", "{ }\n"); });
    RawClient client(node.path());
    (void)client.hello();
    const QJsonObject error = ask(client, QJsonDocument::fromJson(params).object())[u"error"].toObject();
    QTEST(error[u"code"].toInt(), "code");
    QTEST(error[u"message"].toString(), "text");
    QVERIFY(ask(client, { { QStringLiteral("seq"), 6 } })[u"result"].isObject()); // and goes on
}

void TestPatchDiffs::allAreFetchedWhateverTheRate()
{
    ServerOptions options;
    options.limits.requestBurst = 5;
    options.limits.requestsPerSecond = 200;
    ServedNode node(options);
    QList<quint64> seqs;
    for (int i = 0; i < 50; ++i) {
        seqs.append(node.record(journal::Kind::PatchApplied, {}));
        tellTexts(node, seqs.last(), textOf(i, 100), textOf(i, i == 7 ? 60000 : 120));
    }
    seqs.append(9999); // is not there
    Client::Options client;
    client.follow = false;
    Client link(Endpoint{ Endpoint::Kind::Local, QString::fromUtf8(node.path()), {}, 0, {} }, client);
    QSignalSpy ready(&link, &Client::done);
    link.start();
    QVERIFY(ready.wait());
    DiffRequest request(link, seqs);
    QSignalSpy done(&request, &DiffRequest::done);
    request.start();
    QVERIFY(done.wait(patienceMs));
    QCOMPARE(request.diffs().size(), 50);
    QVERIFY(request.trouble().startsWith(QStringLiteral("9999 is no patch")));
    QCOMPARE(done.size(), 1);
}

void TestPatchDiffs::anOldNodeIsSaid()
{
    FakeNode node;
    node.addEvents(1, 3);
    Client::Options options;
    options.follow = false;
    Client link(node.endpoint(), options);
    QSignalSpy ready(&link, &Client::done);
    link.start();
    QVERIFY(ready.wait());
    DiffRequest request(link, { 1, 2, 3 });
    QSignalSpy done(&request, &DiffRequest::done);
    request.start();
    QVERIFY(done.wait(patienceMs));
    QVERIFY(request.diffs().isEmpty() && request.trouble().contains(QStringLiteral("version")));
}

void TestPatchDiffs::aCaptureKeepsThem()
{
    const QTemporaryDir folder;
    const QByteArray path = QFile::encodeName(folder.filePath(QStringLiteral("a.fwz")));
    const QList<journal::Event> events{ someEvent(1), someEvent(2) };
    const QList<Diff> diffs{ someDiff(1, QString(100000, u'\u202e'), QStringLiteral("x")), someDiff(2, {}, {}) };
    QString error;
    QVERIFY2(writeCapture(path, {}, events, diffs, error), qPrintable(error));
    const Capture capture = readCapture(path);
    QVERIFY(capture.diffs == diffs);
    QVERIFY(capture.events == events);
    QCOMPARE(capture.torn, 0);
}

void TestPatchDiffs::aCaptureOfAnyLinesIsRead()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("a.jsonl")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QJsonObject page = diffPage(someDiff(1, QString(40000, u'x'), {}), 0);
    page.insert(QStringLiteral("schema"), QStringLiteral("firstwatch-diff/v1"));
    const QByteArray line = QJsonDocument(page).toJson(QJsonDocument::Compact) + '\n';
    QJsonObject stranger = page;
    stranger.insert(QStringLiteral("offset"), 5);
    file.write(line + "{\"schema\":\"firstwatch-diff/v1\"}\n" + QJsonDocument(stranger).toJson(QJsonDocument::Compact)
        + '\n' + journal::toLine(someEvent(1)));
    file.close();
    const Capture capture = readCapture(QFile::encodeName(file.fileName()));
    QCOMPARE(capture.diffs.size(), 0); // its second piece never came
    QCOMPARE(capture.events.size(), 1);
    QCOMPARE(capture.torn, 2);
}

QTEST_GUILESS_MAIN(TestPatchDiffs)
#include "tst_patchdiffs.moc"
