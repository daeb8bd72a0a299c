// SPDX-License-Identifier: Apache-2.0
// `preview --write`: only what was shown, only after a yes, and never half.
#include "program.h"
#include "terminal.h"

#include "eventually.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <unistd.h>

using namespace firstwatch::test;

namespace {

const QString cni = QStringLiteral(FIRSTWATCH_CAPTURES "/../cni/");

QByteArray readFile(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void writeFile(const QString &path, const QByteArray &text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
}

struct Folder {
    Folder(const std::initializer_list<const char *> &names)
    {
        for (const char *name : names)
            add(QString::fromLatin1(name), QString::fromLatin1(name));
    }
    void add(const QString &from, const QString &to) const
    {
        if (!QFile::copy(cni + from, path(to)))
            qFatal("%s cannot be copied", qPrintable(from));
    }
    [[nodiscard]] QString path(const QString &name) const { return dir.filePath(name); }
    [[nodiscard]] QByteArray read(const char *name) const { return readFile(path(QString::fromLatin1(name))); }
    [[nodiscard]] QStringList names() const
    {
        return QDir(dir.path()).entryList(QDir::Files | QDir::Hidden, QDir::Name);
    }
    QTemporaryDir dir;
};

QStringList words(const char *line)
{
    return QString::fromLatin1(line).split(u' ');
}

// At a terminal that is the input and the standard error.
struct AtTerminal {
    explicit AtTerminal(const QStringList &arguments)
    {
        prepare(process, arguments);
        terminal.attach(process, { STDIN_FILENO, STDERR_FILENO });
        process.start();
        if (!process.waitForStarted(patienceMs))
            qFatal("firstwatch cannot be started");
    }
    bool isAsked()
    {
        return eventually([this] { return terminal.shown().contains("[y/N] "); });
    }
    int exitCode()
    {
        return process.waitForFinished(patienceMs) && process.exitStatus() == QProcess::NormalExit ? process.exitCode()
                                                                                                   : -1;
    }
    Terminal terminal;
    QProcess process;
};

} // namespace

class TestWrite final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatWasShownIsWritten_data()
    {
        QTest::addColumn<QString>("form");
        for (const char *form : { "diff", "summary", "json", "yaml", "patched", "sarif" })
            QTest::newRow(form) << QString::fromLatin1(form);
    }
    void whatWasShownIsWritten()
    {
        QFETCH(const QString, form);
        const Folder folder{ "10-calico.conflist" };
        const QString path = folder.path(QStringLiteral("10-calico.conflist"));
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner));
        const QByteArray wanted = run(words("preview -o patched") + QStringList{ path }).out;
        const QStringList line = words("preview --write --yes -o") + QStringList{ form, path };
        const Ran ran = run(line);
        QCOMPARE(ran.exitCode, 0);
        QCOMPARE(ran.err, QByteArray("1 file written.\n"));
        QCOMPARE(readFile(path), wanted);
        QCOMPARE(folder.names(), QStringList{ QStringLiteral("10-calico.conflist") });
        QCOMPARE(run(line).exitCode, 0); // and then there is nothing to do
        QCOMPARE(readFile(path), wanted);
    }

    void removalGivesTheBytesBack()
    {
        const Folder folder{ "10-flannel.conflist", "15-azure-tabs.conflist" };
        QCOMPARE(run(words("preview --write --yes -o summary") + QStringList{ folder.dir.path() }).exitCode, 0);
        QVERIFY(folder.read("10-flannel.conflist").contains("linkerd-cni"));
        QCOMPARE(
            run(words("preview --write --yes --remove -o summary") + QStringList{ folder.dir.path() }).exitCode, 0);
        for (const char *name : { "10-flannel.conflist", "15-azure-tabs.conflist" })
            QCOMPARE(folder.read(name), readFile(cni + QString::fromLatin1(name)));
    }

    void aSinglePluginBecomesAList()
    {
        const Folder folder{ "10-ovn.conf" };
        QCOMPARE(run(words("preview --write --yes") + QStringList{ folder.dir.path() }).exitCode, 0);
        QCOMPARE(folder.names(),
            QStringList({ QStringLiteral(".10-ovn.conf.firstwatch-kept"), QStringLiteral("10-ovn.conflist") }));
    }

    void wrongUse_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("words");
        const QString file = QStringLiteral("10-calico.conflist");
        QTest::newRow("nobody to ask") << words("--write") << file << QByteArray("--yes");
        QTest::newRow("a yes to nothing") << words("--yes") << file << QByteArray("--write");
        QTest::newRow("the standard input")
            << words("--write --yes") << QStringLiteral("-") << QByteArray("-o patched");
        QTest::newRow("a race") << words("--write --yes --race example:seed") << file << QByteArray("--race");
        QTest::newRow("an archive") << words("--write --yes") << QStringLiteral("x.tar.gz") << QByteArray("unpack");
    }
    void wrongUse()
    {
        QFETCH(const QStringList, options);
        QFETCH(const QString, path);
        const Folder folder{ "10-calico.conflist" };
        const Ran ran = run(words("preview") + options + QStringList{ path }, { {}, "{}", folder.dir.path() });
        QCOMPARE(ran.exitCode, 2);
        QVERIFY(ran.out.isEmpty());
        QFETCH(const QByteArray, words);
        QVERIFY2(ran.err.contains(words), ran.err.constData());
        QCOMPARE(folder.read("10-calico.conflist"), readFile(cni + QStringLiteral("10-calico.conflist")));
    }

    void aTerminalIsAsked_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<int>("code");
        QTest::newRow("yes") << QByteArray("y\n") << 0;
        QTest::newRow("yes, in full") << QByteArray("Yes\n") << 0;
        QTest::newRow("no") << QByteArray("n\n") << 1;
        QTest::newRow("only Enter") << QByteArray("\n") << 1;
        QTest::newRow("anything") << QByteArray("yesterday\n") << 1;
        QTest::newRow("the end of the input") << QByteArray("\x04") << 1;
        QTest::newRow("Ctrl-C") << QByteArray() << 130;
    }
    void aTerminalIsAsked()
    {
        QFETCH(const QByteArray, answer);
        const Folder folder{ "10-calico.conflist", "10-flannel.conflist" };
        AtTerminal at(words("preview --write -o summary") + QStringList{ folder.dir.path() });
        QVERIFY(at.isAsked());
        QVERIFY2(at.terminal.shown().contains("Write 2 files?"), at.terminal.shown().constData());
        if (answer.isEmpty())
            ::kill(pid_t(at.process.processId()), SIGINT);
        else
            at.terminal.type(answer);
        QTEST(at.exitCode(), "code");
        QCOMPARE(folder.read("10-calico.conflist").contains("linkerd-cni"), at.process.exitCode() == 0);
        QCOMPARE(folder.names().size(), 2);
    }

    void whatChangedMeanwhileIsLeft()
    {
        const Folder folder{ "10-calico.conflist", "10-flannel.conflist" };
        AtTerminal at(words("preview --write -o summary") + QStringList{ folder.dir.path() });
        QVERIFY(at.isAsked());
        const QByteArray other = readFile(cni + QStringLiteral("10-aws.conflist"));
        writeFile(folder.path(QStringLiteral("10-calico.conflist")), other);
        at.terminal.type("y\n");
        QCOMPARE(at.exitCode(), 3);
        QVERIFY2(at.terminal.shown().contains("changed since it was shown"), at.terminal.shown().constData());
        QCOMPARE(folder.read("10-calico.conflist"), other);
        QVERIFY(folder.read("10-flannel.conflist").contains("linkerd-cni"));
    }

    void anInterruptLeavesNothingHalf()
    {
        const Folder folder{};
        constexpr int files = 60;
        for (int i = 0; i < files; ++i)
            folder.add(
                QStringLiteral("10-calico.conflist"), QStringLiteral("%1-x.conflist").arg(i, 2, 10, QLatin1Char('0')));
        const QByteArray old = folder.read("00-x.conflist");
        QProcess process;
        prepare(process, words("preview --write --yes -o summary") + QStringList{ folder.dir.path() });
        process.start();
        QVERIFY(eventually([&] { return folder.read("00-x.conflist") != old; }));
        ::kill(pid_t(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(patienceMs));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        const QByteArray made = folder.read("00-x.conflist");
        int written = 0;
        for (const QString &name : folder.names()) {
            const QByteArray text = readFile(folder.path(name));
            QVERIFY2(text == old || text == made, qPrintable(name));
            written += text == made ? 1 : 0;
        }
        QCOMPARE(folder.names().size(), files);
        QCOMPARE(process.exitCode(), written == files ? 0 : 130);
    }
};

QTEST_GUILESS_MAIN(TestWrite)
#include "tst_write.moc"
