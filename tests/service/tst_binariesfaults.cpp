// SPDX-License-Identifier: Apache-2.0
#include "binarynode.h"
#include "sys/failpoint.h"

#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::service;
using namespace firstwatch::test;

class tst_BinariesFaults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void p14_eachFailureLeavesAWholeFile_data();
    void p14_eachFailureLeavesAWholeFile();
    void p14_killedAnywhereConverges_data();
    void p14_killedAnywhereConverges();
};

void tst_BinariesFaults::initTestCase()
{
    if (::geteuid() != 0)
        QSKIP("installing files that belong to root needs root");
}

void tst_BinariesFaults::p14_eachFailureLeavesAWholeFile_data()
{
    QTest::addColumn<QByteArray>("point");
    QTest::addColumn<QByteArray>("error");
    const auto rows = [](const char *point, std::initializer_list<const char *> errors) {
        for (const char *error : errors)
            QTest::addRow("%s %s", point, error) << QByteArray(point) << QByteArray(error);
    };
    rows("dir.open", { "ENOENT", "EACCES", "EMFILE" });
    rows("dir.list", { "EIO", "ENOMEM" });
    rows("file.open", { "EACCES", "EMFILE", "EIO" });
    rows("bin.read", { "EIO" });
    rows("temp.create", { "ENOSPC", "EROFS", "EACCES", "EDQUOT", "EMFILE" });
    rows("temp.write", { "ENOSPC", "EDQUOT", "EIO", "EFBIG" });
    rows("temp.chown", { "EPERM", "EIO" });
    rows("temp.chmod", { "EPERM", "EIO" });
    rows("temp.sync", { "EIO", "ENOSPC" });
    rows("rename.plain", { "EACCES", "EROFS", "ENOSPC", "EIO", "ETXTBSY" });
    rows("dir.sync", { "EIO" });
}

void tst_BinariesFaults::p14_eachFailureLeavesAWholeFile()
{
    QFETCH(QByteArray, point);
    QFETCH(QByteArray, error);
    const QByteArray text(200LL * 1024, 'n');
    for (int skip = 0; skip < 4; ++skip) {
        Node node;
        node.put("plugin", "old");
        (void)node.installOne();
        node.put("plugin", text);
        sys::setFaults(point + ":errno=" + error + ",count=1,skip=" + QByteArray::number(skip));
        const QList<Binaries::Result> results = node.binaries.install();
        sys::setFaults({});
        QVERIFY(isInstalled(node, "plugin", text) || isInstalled(node, "plugin", "old"));
        QVERIFY(!codes(results).isEmpty() || isInstalled(node, "plugin", text));
        QCOMPARE(node.names(), QList<QByteArray>{ "plugin" });
        QVERIFY(codes(node.binaries.install()).isEmpty());
        QVERIFY(isInstalled(node, "plugin", text));
    }
}

void tst_BinariesFaults::p14_killedAnywhereConverges_data()
{
    QTest::addColumn<QByteArray>("point");
    for (const char *point : { "bin.read", "temp.create", "temp.write", "temp.chown", "temp.chmod", "temp.sync",
             "rename.plain", "dir.sync" })
        QTest::newRow(point) << QByteArray(point);
}

void tst_BinariesFaults::p14_killedAnywhereConverges()
{
    QFETCH(QByteArray, point);
    Node node;
    node.put("plugin", "old");
    (void)node.installOne();
    node.put("plugin", "new, and longer");
    const pid_t child = ::fork();
    if (child == 0) {
        sys::setFaults(point + ":kill=1");
        (void)node.binaries.install();
        ::_exit(0);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status));
    QVERIFY(isInstalled(node, "plugin", "old") || isInstalled(node, "plugin", "new, and longer"));
    QVERIFY(codes(node.binaries.install()).isEmpty());
    QVERIFY(isInstalled(node, "plugin", "new, and longer"));
    QCOMPARE(node.names(), QList<QByteArray>{ "plugin" });
}

QTEST_GUILESS_MAIN(tst_BinariesFaults)
#include "tst_binariesfaults.moc"
