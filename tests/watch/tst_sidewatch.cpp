// SPDX-License-Identifier: Apache-2.0
#include "watch/ancestorwatch.h"
#include "watch/sidewatch.h"

#include "sys/failpoint.h"

#include "watchedroom.h"

#include <QSignalSpy>
#include <QTest>

#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>

using namespace firstwatch;
using test::patienceMs;
using watch::AncestorWatch;
using watch::Inotify;
using watch::SideWatch;

namespace {

struct Place {
    QTemporaryDir temporary;
    QByteArray root = temporary.path().toUtf8();
    Inotify inotify;

    QByteArray path(const QByteArray &name) const { return root + '/' + name; }
    void make(const QByteArray &name) const { QCOMPARE(::mkdir(path(name).constData(), 0700), 0); }
    void write(const QByteArray &name) const
    {
        FILE *file = std::fopen(path(name).constData(), "w");
        QVERIFY(file != nullptr);
        std::fclose(file);
    }
    // As kubelet does: a new link beside, renamed over the old one.
    void link(const QByteArray &target, const QByteArray &name) const
    {
        const QByteArray beside = path(name + "_tmp");
        QCOMPARE(::symlink(target.constData(), beside.constData()), 0);
        QCOMPARE(::rename(beside.constData(), path(name).constData()), 0);
    }
};

} // namespace

#define HEARS(spy)                                                                                                     \
    QTRY_VERIFY_WITH_TIMEOUT(!(spy).isEmpty(), patienceMs);                                                            \
    (spy).clear()

class tst_SideWatch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void p21_rotationOfTheTokenIsHeard();
    void changesAreFolded();
    void aLinkedDirectoryIsFollowed();
    void aDirectoryThatComesLater();
    void removedAndMadeAgain();
    void withoutInotify();
    void twoOnOneDirectory();
    void ancestorHearsOnlyItsChild();
    void ancestorMovesWithTheTree();
    void anOverflowAsksForALook();
};

void tst_SideWatch::p21_rotationOfTheTokenIsHeard()
{
    const Place sa;
    sa.make("..1");
    sa.write("..1/token");
    sa.link("..1", "..data");
    sa.link("..data/token", "token");
    Inotify inotify;
    SideWatch side(inotify, {}, sa.root);
    QVERIFY(side.arm());
    QSignalSpy changed(&side, &SideWatch::changed);
    for (const char *next : { "..2", "..3", "..4" }) {
        sa.make(next);
        sa.write(QByteArray(next) + "/token");
        inotify.drain();
        changed.clear();
        sa.link(next, "..data");
        HEARS(changed);
    }
}

void tst_SideWatch::changesAreFolded()
{
    Place place;
    SideWatch side(place.inotify, {}, place.root);
    QVERIFY(side.arm());
    QSignalSpy changed(&side, &SideWatch::changed);
    for (int i = 0; i < 100; ++i)
        place.write(QByteArray::number(i));
    place.inotify.drain();
    QCOMPARE(changed.size(), 1);
    place.inotify.drain(); // nothing new
    QCOMPARE(changed.size(), 1);
}

// A node's binary directory is often a link that an update switches.
void tst_SideWatch::aLinkedDirectoryIsFollowed()
{
    Place place;
    place.make("v1");
    place.make("v2");
    place.link("v1", "bin");
    SideWatch side(place.inotify, {}, place.path("bin"));
    QVERIFY(side.arm());
    QSignalSpy changed(&side, &SideWatch::changed);
    place.write("v1/a");
    HEARS(changed);
    place.link("v2", "bin");
    HEARS(changed);
    place.write("v2/b");
    HEARS(changed);
    place.write("v1/c"); // no longer ours
    place.inotify.drain();
    QCOMPARE(changed.size(), 0);
}

void tst_SideWatch::aDirectoryThatComesLater()
{
    Place place;
    SideWatch side(place.inotify, {}, place.path("a/b/c"));
    QVERIFY(!side.arm());
    QSignalSpy changed(&side, &SideWatch::changed);
    for (const char *name : { "a", "a/b", "a/b/c", "a/b/c/d" }) {
        place.make(name);
        HEARS(changed);
    }
}

void tst_SideWatch::removedAndMadeAgain()
{
    Place place;
    place.make("bin");
    SideWatch side(place.inotify, {}, place.path("bin"));
    QVERIFY(side.arm());
    QSignalSpy changed(&side, &SideWatch::changed);
    for (int round = 0; round < 100; ++round) {
        QCOMPARE(::rmdir(place.path("bin").constData()), 0);
        place.make("bin");
        HEARS(changed);
        place.inotify.drain();
        changed.clear();
        place.write("bin/a");
        HEARS(changed);
        QCOMPARE(::unlink(place.path("bin/a").constData()), 0);
    }
}

void tst_SideWatch::withoutInotify()
{
    Place place;
    SideWatch side(place.inotify, {}, place.root);
    sys::setFaults("watch.init:errno=EMFILE,count=1;watch.add:errno=ENOSPC,count=2");
    QVERIFY(!side.arm()); // no instance
    QVERIFY(!side.arm()); // no watch
    QVERIFY(side.arm()); // its owner asks again, and it works
    sys::setFaults({});
    QSignalSpy changed(&side, &SideWatch::changed);
    place.write("a");
    HEARS(changed);
}

void tst_SideWatch::twoOnOneDirectory()
{
    Place place;
    auto first = std::make_unique<SideWatch>(place.inotify, QByteArray(), place.root);
    SideWatch second(place.inotify, {}, place.root);
    QVERIFY(first->arm() && second.arm());
    QSignalSpy changed(&second, &SideWatch::changed);
    QSignalSpy changedFirst(first.get(), &SideWatch::changed);
    place.write("a");
    HEARS(changed);
    QCOMPARE(changedFirst.size(), 1);
    first.reset();
    QVERIFY(second.arm()); // again, and again: users are counted right
    QVERIFY(second.arm());
    place.write("b");
    HEARS(changed);
}

void tst_SideWatch::ancestorHearsOnlyItsChild()
{
    Place place;
    QVERIFY(place.inotify.open());
    AncestorWatch ancestors(place.inotify, {}, place.path("net.d"));
    QVERIFY(ancestors.arm());
    QSignalSpy disturbed(&ancestors, &AncestorWatch::disturbed);
    place.make("other");
    place.make("net.d.old");
    place.inotify.drain();
    QCOMPARE(disturbed.size(), 0);
    place.make("net.d");
    place.inotify.drain();
    QCOMPARE(disturbed.size(), 1);
}

void tst_SideWatch::ancestorMovesWithTheTree()
{
    Place place;
    QVERIFY(place.inotify.open());
    place.make("a");
    AncestorWatch ancestors(place.inotify, place.root, "/a/b/c"); // below a prefix
    QVERIFY(ancestors.arm());
    QSignalSpy disturbed(&ancestors, &AncestorWatch::disturbed);
    place.make("a/b");
    HEARS(disturbed);
    QVERIFY(ancestors.arm()); // now on "b"
    place.make("a/x");
    place.inotify.drain();
    QCOMPARE(disturbed.size(), 0);
    QCOMPARE(::rmdir(place.path("a/b").constData()), 0);
    HEARS(disturbed);
    QVERIFY(ancestors.arm()); // on "a" again
    place.make("a/b");
    HEARS(disturbed);
    AncestorWatch root(place.inotify, {}, "/");
    QVERIFY(!root.arm()); // has none
}

void tst_SideWatch::anOverflowAsksForALook()
{
    Place place;
    SideWatch side(place.inotify, {}, place.root);
    QVERIFY(side.arm());
    QSignalSpy changed(&side, &SideWatch::changed);
    Q_EMIT place.inotify.overflowed();
    Q_EMIT place.inotify.settled();
    QCOMPARE(changed.size(), 1);
}

QTEST_GUILESS_MAIN(tst_SideWatch)
#include "tst_sidewatch.moc"
