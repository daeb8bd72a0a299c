// SPDX-License-Identifier: Apache-2.0
// The model of Firstwatch and the service itself: the same schedule ends with the same files patched.
#include "node.h"
#include "races.h"

#include <QElapsedTimer>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

using namespace firstwatch;
using namespace firstwatch::test;
using race::Step;

namespace {

struct Doing {
    qint64 atNs;
    const Step *step;
    int piece; // of a write in pieces: each is one
};

QList<Doing> doingsOf(const race::Schedule &schedule)
{
    QList<Doing> all;
    for (const Step &step : schedule.steps) {
        for (int time = 0; time < step.times; ++time)
            all.append({ step.atNs + time * step.everyNs, &step, 0 });
    }
    std::stable_sort(
        all.begin(), all.end(), [](const Doing &left, const Doing &right) { return left.atNs < right.atNs; });
    return all;
}

// The owner of the schedule, in the real directory.
void doIt(const Step &step, const NetDir &net)
{
    const QByteArray away = net.path() + ".away" + QByteArray::number(::getpid());
    switch (step.what) {
    case Step::What::Write:
        return step.pieces == 1 ? net.writeInPlace(step.file, step.text.value)
                                : net.writeInTwo(step.file, step.text.value, int(step.gapNs / 1000));
    case Step::What::Create:
        return net.writeNew(step.file, step.text.value);
    case Step::What::Rename:
        return net.writeByRename(step.file, step.text.value);
    case Step::What::Move:
        QCOMPARE(::rename(net.path(step.file).constData(), net.path(step.to).constData()), 0);
        return;
    case Step::What::Delete:
        return net.remove(step.file);
    case Step::What::ReplaceDir:
        QCOMPARE(::rename(net.path().constData(), away.constData()), 0);
        QCOMPARE(::mkdir(net.path().constData(), 0755), 0);
        return;
    case Step::What::MakeDir:
        QCOMPARE(::mkdir(net.path().constData(), 0755), 0);
        return;
    case Step::What::RemoveDir:
        QCOMPARE(::rename(net.path().constData(), away.constData()), 0);
        return;
    case Step::What::Overflow:
        break;
    }
    QFAIL("this step has no real counterpart here");
}

void waitUntil(const QElapsedTimer &timer, qint64 ns)
{
    while (timer.nsecsElapsed() < ns) {
        const timespec pause{ 0, 50'000 };
        ::nanosleep(&pause, nullptr);
    }
}

QByteArrayList patchedFiles(const NetDir &net)
{
    QByteArrayList patched;
    for (const QByteArray &name : net.names()) {
        if (conflist::isConfigName(name) && ownersText(name, net.read(name)))
            patched.append(name);
    }
    return patched;
}

} // namespace

class TestRaceReality final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theServiceEndsAsTheModel_data()
    {
        QTest::addColumn<QByteArray>("race");
        const auto row = [](const char *name, const char *race) { QTest::newRow(name) << QByteArray(race); };
        row("the seed", "+4ms rename 10-calico.conflist < calico\n-1s write 87-podman.conflist < podman");
        row("a late watch",
            "delay watch 140ms\n+100ms rename 10-calico.conflist < calico\n-1s write 87-podman.conflist < podman");
        row("in place and moved",
            "-1s write 10-a.conflist < calico\n+50ms write 10-a.conflist < calico2\n+60ms create 20-b.conflist < aws");
        row("half-written for good", "-1s write 10-a.conflist < half\n+30ms rename 20-b.conflist < aws");
        row("in two pieces", "+20ms write 10-a.conflist < calico in 2 pieces every 100ms");
        row("taken away",
            "-1s write 10-a.conflist < calico\n+80ms delete 10-a.conflist\n+90ms rename 20-b.conflist < aws");
        row("displaced",
            "-1s write 10-a.conflist < calico\n+80ms move 10-a.conflist to 10-a.conflist.cilium_bak\n"
            "+90ms rename 05-cilium.conflist < cilium");
        row("another directory",
            "-1s write 10-a.conflist < calico\n+150ms replace dir\n+150ms rename 10-a.conflist < calico\n"
            "+151ms rename 20-b.conflist < aws");
        row("a single plugin", "-1s write 10-a.conf < single\n+50ms rename 20-b.json < single");
        row("twice at once",
            "-1s write 10-a.conflist < calico patched\n+100ms rename 10-a.conflist < calico\n"
            "+100.4ms rename 10-a.conflist < calico2");
    }
    void theServiceEndsAsTheModel()
    {
        QFETCH(QByteArray, race);
        const race::Schedule schedule = raceOf(race + "\nuntil +4s\n");
        const race::Outcome model = race::simulate(race::Installer::Firstwatch, schedule, linkerdChain());
        QVERIFY(!model.patched.isEmpty());

        Node node;
        node.set("CNI_NETWORK_CONFIG", preview::linkerdTemplate());
        if (schedule.watchDelayNs > 0)
            node.setFaults("watch.add:count=1,sleep=" + QByteArray::number(schedule.watchDelayNs / 1'000'000));
        QElapsedTimer timer;
        for (const Doing &doing : doingsOf(schedule)) {
            if (doing.atNs >= 0 && !timer.isValid()) {
                node.start();
                timer.start();
            }
            if (doing.atNs >= 0)
                waitUntil(timer, doing.atNs);
            doIt(*doing.step, node.net);
        }
        if (!timer.isValid())
            node.start();
        (void)eventually([&] { return patchedFiles(node.net) == model.patched; });
        QCOMPARE(patchedFiles(node.net), model.patched);
        QVERIFY(node.waitFor(journal::Kind::PassBegin));
        const QList<journal::Event> passes = node.events(journal::Kind::PassBegin);
        QVERIFY(passes.first().fields[QLatin1String("margin_ns")].toInteger() > 0);
        QVERIFY(*model.passNs > *model.provenNs);
    }
};

QTEST_GUILESS_MAIN(TestRaceReality)
#include "tst_racereality.moc"
