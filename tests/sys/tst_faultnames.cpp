// SPDX-License-Identifier: Apache-2.0
#include "sys/failpoint.h"
#include "sys/syscalls.h"

#include "netdir.h"

#include <QTest>

#include <cerrno>
#include <fcntl.h>
#include <functional>
#include <sys/inotify.h>
#include <sys/xattr.h>

using namespace firstwatch;

namespace {

// A directory with the file "f", both open, and a watch: what the calls need in order to succeed.
struct Place {
    test::NetDir dir;
    sys::FileDescriptor fd;
    sys::FileDescriptor file;
    sys::FileDescriptor inotify;

    Place()
    {
        dir.writeInPlace("f", "text");
        (void)::symlink("f", dir.path("link").constData());
        fd = sys::openDirectory({}, dir.path());
        file = sys::FileDescriptor(::open(dir.path("f").constData(), O_RDWR | O_CLOEXEC));
        inotify = sys::inotifyInit();
    }
};

struct Call {
    const char *point;
    std::function<bool(const Place &)> works;
};

bool leaseIs(const Place &place, sys::Lease word)
{
    const sys::FileDescriptor reading(::open(place.dir.path("f").constData(), O_RDONLY | O_CLOEXEC));
    ::fcntl(place.file.get(), F_SETFL, 0);
    return sys::askLease(reading.get()) == word;
}

QByteArray readBack(const Place &place)
{
    QByteArray text;
    return sys::readAll(place.file.get(), 100, text) ? text : QByteArray();
}

const QList<Call> &calls()
{
    using P = const Place &;
    static const QList<Call> all{
        { "dir.open", [](P p) { return sys::openDirectory({}, p.dir.path()).isValid(); } },
        { "dir.stat",
            [](P p) {
                sys::Identity identity;
                return sys::identify(p.fd.get(), identity) && identity.inode != 0;
            } },
        { "dir.list",
            [](P p) {
                QList<QByteArray> names;
                return sys::listDirectory(p.fd.get(), names) && names.size() == 2;
            } },
        { "dir.sync", [](P p) { return sys::syncDirectory(p.fd.get()); } },
        { "watch.init", [](P) { return sys::inotifyInit().isValid(); } },
        { "watch.add", [](P p) { return sys::inotifyAdd(p.inotify.get(), p.fd.get(), IN_CREATE) >= 0; } },
        { "watch.read",
            [](P p) {
                char buffer[100];
                return sys::inotifyRead(p.inotify.get(), buffer, sizeof buffer) == 0;
            } },
        { "probe.chmod", [](P p) { return sys::probeByChmod(p.fd.get()) == 0; } },
        { "probe.open", [](P p) { return sys::probeByOpen(p.fd.get()) == 0; } },
        { "file.open", [](P p) { return sys::openFile(p.fd.get(), "f").isValid(); } },
        { "file.stat",
            [](P p) {
                struct stat info { };
                return sys::statFile(p.file.get(), info);
            } },
        { "name.stat",
            [](P p) {
                struct stat info { };
                return sys::statName(p.fd.get(), "f", info);
            } },
        { "file.read", [](P p) { return readBack(p) == "text"; } },
        { "link.read", [](P p) { return sys::readLink(p.fd.get(), "link") == "f"; } },
        { "file.lease", [](P p) { return !leaseIs(p, sys::Lease::Refused); } },
        { "temp.create", [](P p) { return sys::createExclusive(p.fd.get(), "new", 0600).isValid(); } },
        { "temp.write", [](P p) { return sys::writeAll(p.file.get(), "more"); } },
        { "temp.chown", [](P p) { return sys::setOwner(p.file.get(), ::geteuid(), ::getegid()); } },
        { "temp.chmod", [](P p) { return sys::setMode(p.file.get(), 0640); } },
        { "temp.sync", [](P p) { return sys::syncFile(p.file.get()); } },
        { "rename.exchange", [](P p) { return sys::exchangeNames(p.fd.get(), "f", "link"); } },
        { "rename.noreplace", [](P p) { return sys::renameNew(p.fd.get(), "f", "g"); } },
        { "rename.plain", [](P p) { return sys::renameOver(p.fd.get(), "f", "link"); } },
        { "name.link", [](P p) { return sys::linkName(p.fd.get(), "f", "g"); } },
        { "name.unlink", [](P p) { return sys::unlinkName(p.fd.get(), "f"); } },
        { "kube.open", [](P p) { return sys::openFollowing(p.fd.get(), "link").isValid(); } },
        { "bin.read",
            [](P p) {
                char buffer[10];
                return sys::readAt(p.file.get(), buffer, sizeof buffer, 1) == 3;
            } },
    };
    return all;
}

} // namespace

class tst_FaultNames : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { sys::setFaults({}); }
    void eachNameFailsItsCall_data();
    void eachNameFailsItsCall();
    void aFailedCallTouchesNothing();
    void removeKeepsTheWatch();
    void attributes();
};

void tst_FaultNames::eachNameFailsItsCall_data()
{
    QTest::addColumn<qsizetype>("index");
    for (qsizetype i = 0; i < calls().size(); ++i)
        QTest::newRow(calls().at(i).point) << i;
}

void tst_FaultNames::eachNameFailsItsCall()
{
    QFETCH(qsizetype, index);
    const Call &call = calls().at(index);
    const Place place;
    sys::setFaults(QByteArray(call.point) + ":errno=ENODATA,count=1");
    errno = 0;
    QVERIFY2(!call.works(place), "the fault did not reach the call");
    QCOMPARE(errno, ENODATA);
    QVERIFY2(sys::passedPoints().contains(call.point), "the call passes another point");
    QVERIFY2(call.works(place), "the call works once the fault is over");
}

void tst_FaultNames::aFailedCallTouchesNothing()
{
    const Place place;
    for (const char *point : { "rename.exchange", "rename.noreplace", "rename.plain", "name.unlink", "temp.write" }) {
        sys::setFaults(QByteArray(point) + ":errno=EIO");
        for (const Call &call : calls()) {
            if (qstrcmp(call.point, point) == 0)
                QVERIFY(!call.works(place));
        }
        QCOMPARE(place.dir.names(), (QList<QByteArray>{ "f", "link" }));
        QCOMPARE(place.dir.read("f"), QByteArray("text"));
    }
}

void tst_FaultNames::removeKeepsTheWatch()
{
    const Place place;
    char buffer[4096];
    const int watch = sys::inotifyAdd(place.inotify.get(), place.fd.get(), IN_CREATE);
    sys::setFaults("watch.remove:errno=EINVAL,count=1");
    sys::inotifyRemove(place.inotify.get(), watch);
    QCOMPARE(sys::inotifyRead(place.inotify.get(), buffer, sizeof buffer), ssize_t(0));
    sys::inotifyRemove(place.inotify.get(), watch);
    QCOMPARE(sys::inotifyRead(place.inotify.get(), buffer, sizeof buffer), ssize_t(sizeof(inotify_event)));
}

void tst_FaultNames::attributes()
{
    const Place place;
    place.dir.writeInPlace("g", "text");
    if (::setxattr(place.dir.path("g").constData(), "user.kept", "1", 1, 0) != 0)
        QSKIP("no extended attributes on this file system");
    const sys::FileDescriptor from = sys::openFile(place.fd.get(), "g");
    sys::setFaults("temp.xattr:errno=ENOTSUP");
    QVERIFY(sys::copyAttributes(from.get(), place.file.get()).contains("user.kept"));
    QCOMPARE(::fgetxattr(place.file.get(), "user.kept", nullptr, 0), ssize_t(-1));
}

QTEST_GUILESS_MAIN(tst_FaultNames)
#include "tst_faultnames.moc"
