// SPDX-License-Identifier: Apache-2.0
// Each call fails once with an errno that it can have: the service lives on, damages nothing and comes to the same end.
#include "scene.h"
#include "schedule.h"

#include <QMap>
#include <QTest>

using namespace firstwatch::test;

namespace {

// What the manual pages name for the call, and a general failure of the disk for all.
QByteArrayList errorsOf(const QByteArray &point)
{
    static const QMap<QByteArray, QByteArrayList> known{ { "temp.create", { "EACCES", "ENOSPC", "EROFS", "EEXIST" } },
        { "temp.write", { "ENOSPC", "EDQUOT", "EFBIG" } }, { "temp.sync", { "ENOSPC", "EDQUOT" } },
        { "temp.chown", { "EPERM" } }, { "temp.chmod", { "EPERM" } }, { "temp.xattr", { "ENOTSUP", "ENOSPC" } },
        { "rename.exchange", { "EINVAL", "ENOSYS", "ENOSPC", "EROFS", "EACCES", "EBUSY" } },
        { "rename.plain", { "ENOSPC", "EROFS", "EACCES" } }, { "rename.noreplace", { "EEXIST", "EINVAL" } },
        { "name.unlink", { "EACCES", "EROFS", "EBUSY" } }, { "dir.open", { "EACCES", "EMFILE", "ENFILE", "ENOENT" } },
        { "file.open", { "EACCES", "EMFILE", "ENOENT" } }, { "file.lease", { "EAGAIN", "EINVAL", "EACCES" } },
        { "watch.init", { "EMFILE", "ENFILE", "ENOMEM" } }, { "watch.add", { "ENOSPC", "EACCES", "ENOENT" } },
        { "watch.read", { "EINVAL", "EBADF" } }, { "probe.chmod", { "EROFS", "EPERM" } },
        { "probe.open", { "EACCES" } }, { "kube.open", { "EACCES", "EMFILE" } } };
    return known.value(point) + QByteArrayList{ "EIO" };
}

QString failOnce(const QByteArray &rule)
{
    Scene scene;
    scene.mayBeNarrower = rule.startsWith("temp.chown:") || rule.startsWith("temp.chmod:");
    scene.node.setFaults(rule);
    scene.node.start();
    if (!scene.waitSettledOrDead() || !scene.node.process.isRunning())
        return QStringLiteral("does not converge\n%1").arg(QString::fromUtf8(scene.node.log()));
    scene.ownerRewrites();
    if (!scene.waitSettledOrDead() || !scene.node.process.isRunning())
        return QStringLiteral("does not follow\n%1").arg(QString::fromUtf8(scene.node.log()));
    if (QString wrong = scene.damage(); !wrong.isEmpty())
        return wrong;
    const int exit = scene.node.stop().value_or(-99);
    if (exit != 0 && exit != 1)
        return QStringLiteral("exit code %1").arg(exit);
    QString wrong = scene.damage();
    return wrong.isEmpty() ? scene.recover() : wrong;
}

} // namespace

class TestErrnoMatrix : public QObject {
    Q_OBJECT

public:
    static void initMain() { allowLongRuns(); }

private Q_SLOTS:
    void p14_aFailingCallDamagesNothing_data()
    {
        QTest::addColumn<QByteArray>("point");
        for (const QByteArray &point : failPoints())
            QTest::newRow(point.constData()) << point;
    }
    void p14_aFailingCallDamagesNothing()
    {
        QFETCH(const QByteArray, point);
        QByteArrayList rules;
        for (const QByteArray &error : errorsOf(point)) {
            for (int pass = 0; pass < sized(2, 30); ++pass)
                rules.append(point + ":count=1,errno=" + error + ",skip=" + QByteArray::number(pass));
        }
        const QStringList failures = inParallel(int(rules.size()), 6, [&](int number) {
            const QString wrong = failOnce(rules.at(number));
            return wrong.isEmpty() ? wrong : QString::fromLatin1(rules.at(number)) + QStringLiteral(": ") + wrong;
        });
        QVERIFY2(failures.isEmpty(), qPrintable(failures.join(QLatin1Char('\n'))));
    }
};

QTEST_GUILESS_MAIN(TestErrnoMatrix)
#include "tst_errnomatrix.moc"
