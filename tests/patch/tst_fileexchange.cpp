// SPDX-License-Identifier: Apache-2.0
#include "patchroom.h"
#include "sys/clock.h"
#include "sys/failpoint.h"
#include "writers.h"

#include <QTest>

#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

struct stat statOf(const QByteArray &path)
{
    struct stat info { };
    if (::lstat(path.constData(), &info) != 0)
        qFatal("stat %s", path.constData());
    return info;
}

// The bits of capabilities(7) that this process may use from now on.
void keepCapabilities(quint64 kept)
{
    __user_cap_header_struct header{ _LINUX_CAPABILITY_VERSION_3, 0 };
    __user_cap_data_struct data[2]{};
    if (::syscall(SYS_capget, &header, data) != 0)
        qFatal("capget");
    for (int i = 0; i < 2; ++i)
        data[i].effective = data[i].permitted &= quint32(kept >> (32 * i));
    if (::syscall(SYS_capset, &header, data) != 0)
        qFatal("capset");
}

// An access ACL or default ACL that lets user 1234 in (acl(5); linux/posix_acl_xattr.h): version 2, then entries.
QByteArray aclForAnother()
{
    QByteArray bytes("\x02\x00\x00\x00", 4);
    const auto entry = [&bytes](quint16 tag, quint16 rights, quint32 id) {
        for (const quint32 part : { quint32(tag) | quint32(rights) << 16, id }) {
            for (int shift = 0; shift < 32; shift += 8)
                bytes.append(char(quint8(part >> shift)));
        }
    };
    constexpr quint32 none = 0xffffffff;
    entry(0x01, 7, none); // owner
    entry(0x02, 7, 1234); // a user
    entry(0x04, 5, none); // the group
    entry(0x10, 7, none); // mask
    entry(0x20, 0, none); // others
    return bytes;
}

} // namespace

class tst_FileExchange : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup()
    {
        sys::setFaults({});
        sys::setPointHook({});
    }
    void p14_stepsAreInTheOrderThatSurvivesAPowerLoss();
    void p15_modeOwnerAttributesKept_data();
    void p15_modeOwnerAttributesKept();
    void p15_temporaryIsNeverWider();
    void p15_directoryAclDoesNotWiden();
    void p15_withoutChownTheModeIsNarrower();
    void p15_lostAttributeIsSaid();
    void p46_worksWithoutCapabilities();
    void fileSystemWithoutExchange_data();
    void fileSystemWithoutExchange();
    void withoutLeasesTheReplacedFileIsKeptASecond();
    void p17_tornReadIsNeverWritten();
    void p14_errorsLeaveOldOrNew_data();
    void p14_errorsLeaveOldOrNew();
    void lastingErrorIsNamedAndEnds_data();
    void lastingErrorIsNamedAndEnds();
    void longestNameIsPatched();
};

// The text is durable before it can be seen, and the new name before it is told.
void tst_FileExchange::p14_stepsAreInTheOrderThatSurvivesAPowerLoss()
{
    Room room(disk);
    room.dir.writeInPlace(config, ownerText(1));
    sys::setFaults({});
    QCOMPARE(room.pass().patched, 1);
    const QList<QByteArray> points = sys::passedPoints();
    const QList<QByteArray> order{ "temp.create", "temp.write", "temp.chown", "temp.chmod", "temp.sync",
        "rename.exchange", "dir.sync" };
    qsizetype last = -1;
    for (const QByteArray &point : order) {
        QCOMPARE(points.count(point), 1);
        QVERIFY2(points.indexOf(point) > last, point.constData());
        last = points.indexOf(point);
    }
}

void tst_FileExchange::p15_modeOwnerAttributesKept_data()
{
    QTest::addColumn<QByteArray>("base");
    QTest::addColumn<int>("mode");
    QTest::addColumn<int>("owner");
    QTest::addColumn<int>("group");
    QTest::addColumn<int>("mask");
    for (const QByteArray &base : { tmpfs, disk }) {
        for (const int mode : { 0600, 0640, 0644, 0444, 0666 }) {
            for (const auto &[owner, group] : { std::pair(0, 0), std::pair(1000, 1000), std::pair(0, 1000) }) {
                for (const int mask : { 0, 077 })
                    QTest::addRow(
                        "%s %o %d:%d umask %o", base.constData(), unsigned(mode), owner, group, unsigned(mask))
                        << base << mode << owner << group << mask;
            }
        }
    }
}

void tst_FileExchange::p15_modeOwnerAttributesKept()
{
    QFETCH(QByteArray, base);
    QFETCH(int, mode);
    QFETCH(int, owner);
    QFETCH(int, group);
    QFETCH(int, mask);
    Room room(base);
    room.dir.writeInPlace(config, ownerText(1));
    const QByteArray path = room.dir.path(config);
    QCOMPARE(::chown(path.constData(), uid_t(owner), gid_t(group)), 0);
    QCOMPARE(::chmod(path.constData(), mode_t(mode)), 0);
    const bool attributes = ::setxattr(path.constData(), "user.test", "kept", 4, 0) == 0;
    const mode_t before = ::umask(mode_t(mask));
    const int patched = room.pass().patched;
    ::umask(before);
    QCOMPARE(patched, 1);
    const struct stat info = statOf(path);
    QCOMPARE(int(info.st_mode & 07777), mode);
    QCOMPARE(int(info.st_uid), owner);
    QCOMPARE(int(info.st_gid), group);
    QVERIFY(room.isPatchedFrom(ownerText(1)));
    QVERIFY(!room.hasFinding(1206));
    if (attributes) {
        char value[8]{};
        QCOMPARE(::getxattr(path.constData(), "user.test", value, sizeof value), 4);
        QCOMPARE(QByteArray(value), QByteArray("kept"));
    }
}

void tst_FileExchange::p15_temporaryIsNeverWider()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    QCOMPARE(::chmod(room.dir.path(config).constData(), 0640), 0);
    const mode_t before = ::umask(0);
    int looks = 0;
    sys::setPointHook([&](const char *) {
        for (const QByteArray &name : room.temporaries()) {
            ++looks;
            if ((statOf(room.dir.path(name)).st_mode & 0137) != 0)
                qFatal("wider than the original");
        }
    });
    QCOMPARE(room.pass().patched, 1);
    ::umask(before);
    QVERIFY(looks > 5);
}

void tst_FileExchange::p15_directoryAclDoesNotWiden()
{
    Room room(disk);
    room.dir.writeInPlace(config, ownerText(1));
    QCOMPARE(::chmod(room.dir.path(config).constData(), 0640), 0);
    const QByteArray acl = aclForAnother();
    if (::setxattr(room.dir.path().constData(), "system.posix_acl_default", acl.constData(), size_t(acl.size()), 0)
        != 0)
        QSKIP("no ACLs on this file system");
    QCOMPARE(room.pass().patched, 1);
    QCOMPARE(::getxattr(room.dir.path(config).constData(), "system.posix_acl_access", nullptr, 0), ssize_t(-1));
    QCOMPARE(int(statOf(room.dir.path(config)).st_mode & 07777), 0640);
}

void tst_FileExchange::p15_withoutChownTheModeIsNarrower()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    QCOMPARE(::chown(room.dir.path(config).constData(), 1000, 1000), 0);
    QCOMPARE(::chmod(room.dir.path(config).constData(), 0644), 0);
    const int status = inChild([&room] {
        keepCapabilities(~(quint64(1) << CAP_CHOWN));
        return room.pass().patched == 1 && room.hasFinding(1206, config) ? 0 : 1;
    });
    QCOMPARE(status, 0);
    QVERIFY(room.isPatchedFrom(ownerText(1)));
    QCOMPARE(int(statOf(room.dir.path(config)).st_mode & 07777), 0600);
    QCOMPARE(statOf(room.dir.path(config)).st_uid, uid_t(0));
}

void tst_FileExchange::p15_lostAttributeIsSaid()
{
    Room room(disk);
    room.dir.writeInPlace(config, ownerText(1));
    if (::setxattr(room.dir.path(config).constData(), "user.test", "kept", 4, 0) != 0)
        QSKIP("no user attributes on this file system");
    sys::setFaults("temp.xattr:errno=EACCES");
    QCOMPARE(room.pass().patched, 1);
    QVERIFY(room.hasFinding(1206, config));
    sys::setFaults({});
    room.dir.writeInPlace(config, ownerText(2)); // attributes that are kept this time: there are none any more
    QVERIFY(room.settles());
    QVERIFY(!room.hasFinding(1206));
}

// As in the pod: root with no capability at all, on directories and files of root.
void tst_FileExchange::p46_worksWithoutCapabilities()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    const int status = inChild([&room] {
        keepCapabilities(0);
        return room.settles() && room.journal->state().findings().isEmpty() ? 0 : 1;
    });
    QCOMPARE(status, 0);
    QVERIFY(room.isPatchedFrom(ownerText(1)));
    QCOMPARE(room.dir.names(), QList<QByteArray>{ config });
}

void tst_FileExchange::fileSystemWithoutExchange_data()
{
    QTest::addColumn<QByteArray>("error");
    for (const char *error : { "EINVAL", "ENOSYS", "ENOTSUP", "EPERM" })
        QTest::newRow(error) << QByteArray(error);
}

void tst_FileExchange::fileSystemWithoutExchange()
{
    QFETCH(QByteArray, error);
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    sys::setFaults("rename.exchange:errno=" + error);
    QVERIFY(room.settles());
    QVERIFY(room.isPatchedFrom(ownerText(1)));
    QCOMPARE(room.dir.names(), QList<QByteArray>{ config });
    QVERIFY(sys::passedPoints().contains("name.link"));
    sys::setFaults("rename.exchange:errno=" + error + ";rename.plain:errno=EIO");
    room.dir.writeInPlace(config, ownerText(2));
    room.pass();
    QCOMPARE(room.dir.read(config), ownerText(2));
    QVERIFY(room.hasFinding(1203, config));
    QCOMPARE(room.dir.names(), QList<QByteArray>{ config });
}

void tst_FileExchange::withoutLeasesTheReplacedFileIsKeptASecond()
{
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    sys::setFaults("file.lease:errno=EACCES");
    const int writer = ::open(room.dir.path(config).constData(), O_WRONLY | O_CLOEXEC);
    QCOMPARE(room.pass().patched, 1);
    const qint64 leasesWouldTellNs = sys::bootTimeNs() + patch::FileExchange::graceNs;
    bool lookedAtAfter = false;
    sys::setPointHook([&](const char *point) {
        lookedAtAfter |= QByteArrayView(point) == "file.lease" && sys::bootTimeNs() > leasesWouldTellNs;
    });
    QVERIFY(runUntil([&] { return lookedAtAfter; }));
    sys::setPointHook({});
    QCOMPARE(room.temporaries().size(), 1);
    QCOMPARE(::ftruncate(writer, 0), 0);
    room.pass(); // half-written is not an answer
    QVERIFY(room.isPatchedFrom(ownerText(1)));
    const QByteArray late = ownerText(2);
    QCOMPARE(::pwrite(writer, late.constData(), size_t(late.size()), 0), ssize_t(late.size()));
    ::close(writer);
    QVERIFY(room.settles());
    QVERIFY(room.isPatchedFrom(late));
    QCOMPARE(room.dir.names(), QList<QByteArray>{ config });
}

// A file of several pages, rewritten while it is read: what was read parses and is no version of the file.
void tst_FileExchange::p17_tornReadIsNeverWritten()
{
    Room room;
    const auto text = [](int counter) {
        QByteArray wide = ownerText(counter);
        return wide.insert(wide.indexOf("\"plugins\""), "\"wide\":\"" + QByteArray(40'000, 'x') + "\",");
    };
    room.dir.writeInPlace(config, text(1));
    int reads = 0;
    bool torn = false;
    sys::setPointHook([&](const char *point) {
        if (QByteArrayView(point) == "file.read" && ++reads == 2) {
            const int fd = ::open(room.dir.path(config).constData(), O_WRONLY | O_CLOEXEC);
            const QByteArray newer = text(2);
            if (::pwrite(fd, newer.constData(), size_t(newer.size()), 0) != newer.size())
                qFatal("write");
            ::close(fd);
        }
        torn = torn || counterOf(room.dir.read(config)) < 0;
    });
    QVERIFY(room.settles());
    QVERIFY(reads > 2);
    QVERIFY(!torn);
    QVERIFY(room.isPatchedFrom(text(2)));
}

void tst_FileExchange::p14_errorsLeaveOldOrNew_data()
{
    QTest::addColumn<QByteArray>("error");
    for (const char *error : { "ENOSPC", "EIO", "EROFS", "EDQUOT", "EINTR", "EACCES", "EPERM", "EMFILE" })
        QTest::newRow(error) << QByteArray(error);
}

// Each call of the recipe fails once, one after the other.
void tst_FileExchange::p14_errorsLeaveOldOrNew()
{
    QFETCH(QByteArray, error);
    bool reached = true;
    int calls = 0;
    for (; reached; ++calls) {
        Room room;
        room.dir.writeInPlace(config, ownerText(1));
        QCOMPARE(::chmod(room.dir.path(config).constData(), 0640), 0);
        sys::setFaults("*:errno=" + error + ",count=1,skip=" + QByteArray::number(calls));
        room.pass();
        reached = sys::passedPoints().size() > calls;
        const QByteArray where = sys::passedPoints().value(calls);
        const QByteArray now = room.dir.read(config);
        QVERIFY2(now == ownerText(1) || room.isPatchedFrom(ownerText(1)), where.constData());
        QVERIFY2(room.settles([&room] { return room.isPatchedFrom(ownerText(1)); }), where.constData());
        QVERIFY2(room.dir.names() == QList<QByteArray>{ config }, where.constData());
        const bool attributesLost = where == "temp.chown" || where == "temp.chmod";
        QCOMPARE(room.hasFinding(1206), attributesLost);
        if (!attributesLost) {
            QCOMPARE(int(statOf(room.dir.path(config)).st_mode & 07777), 0640);
            QVERIFY2(room.journal->state().findings().isEmpty(), where.constData());
        }
    }
    QVERIFY2(calls > 15, qPrintable(QString::number(calls)));
}

void tst_FileExchange::lastingErrorIsNamedAndEnds_data()
{
    QTest::addColumn<QByteArray>("rule");
    QTest::addColumn<int>("code");
    QTest::newRow("read-only") << QByteArray("temp.create:errno=EROFS") << 1201;
    QTest::newRow("no space for the name") << QByteArray("temp.create:errno=ENOSPC") << 1202;
    QTest::newRow("no space for the text") << QByteArray("temp.write:errno=ENOSPC") << 1202;
    QTest::newRow("no quota") << QByteArray("temp.write:errno=EDQUOT") << 1202;
    QTest::newRow("no space, said late") << QByteArray("temp.sync:errno=ENOSPC") << 1202;
    QTest::newRow("rename") << QByteArray("rename.exchange:errno=EIO") << 1203;
    QTest::newRow("mounted over") << QByteArray("rename.exchange:errno=EBUSY") << 1203;
    QTest::newRow("denied") << QByteArray("temp.create:errno=EACCES") << 1205;
    QTest::newRow("not permitted") << QByteArray("temp.create:errno=EPERM") << 1205;
    QTest::newRow("immutable") << QByteArray("rename.exchange:errno=EPERM;name.link:errno=EPERM") << 1205;
    QTest::newRow("disk") << QByteArray("temp.sync:errno=EIO") << 1207;
    QTest::newRow("descriptors") << QByteArray("temp.create:errno=EMFILE") << 1207;
    QTest::newRow("unreadable") << QByteArray("file.read:errno=EIO") << 1107;
    QTest::newRow("not to be opened") << QByteArray("file.open:errno=EACCES") << 1107;
    QTest::newRow("directory cannot be listed") << QByteArray("dir.list:errno=EIO") << 1010;
    QTest::newRow("directory cannot be synced") << QByteArray("dir.sync:errno=EIO") << 1207;
}

void tst_FileExchange::lastingErrorIsNamedAndEnds()
{
    QFETCH(QByteArray, rule);
    QFETCH(int, code);
    Room room;
    room.dir.writeInPlace(config, ownerText(1));
    sys::setFaults(rule);
    room.pass();
    room.pass();
    QVERIFY(room.hasFinding(code));
    QCOMPARE(room.journal->state().findings().size(), 1);
    QVERIFY(counterOf(room.dir.read(config)) == 1);
    sys::setFaults({});
    QVERIFY(room.settles([&room] { return room.isPatchedFrom(ownerText(1)); }));
    room.dir.writeByRename(config, ownerText(2));
    QVERIFY(room.settles([&room] { return room.isPatchedFrom(ownerText(2)); }));
    QVERIFY(room.journal->state().findings().isEmpty());
    QCOMPARE(room.dir.names(), QList<QByteArray>{ config });
}

void tst_FileExchange::longestNameIsPatched()
{
    Room room;
    const QByteArray name = QByteArray(246, 'x') + ".conflist";
    room.dir.writeInPlace(name, ownerText(1));
    QVERIFY(room.settles());
    QVERIFY(room.isPatchedFrom(ownerText(1), name));
    QCOMPARE(room.dir.names(), QList<QByteArray>{ name });
}

QTEST_GUILESS_MAIN(tst_FileExchange)
#include "tst_fileexchange.moc"
