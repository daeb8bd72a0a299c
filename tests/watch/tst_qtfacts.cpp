// SPDX-License-Identifier: Apache-2.0
#include "netdir.h"
#include "watchedroom.h"

#include <QFileSystemWatcher>
#include <QSignalSpy>
#include <QTest>

#include <filesystem>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

using namespace firstwatch;
using test::patienceMs;
using Change = std::function<void(const test::NetDir &)>;

// What QFileSystemWatcher does and does not tell (found with Qt 6.4.2). The second witness is built on these facts:
// when an upgrade of Qt changes one, look at Witness and at the list of what it is expected to see in DirectoryWatch.
class tst_QtFacts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void signalsForAChange_data();
    void signalsForAChange();
    void manyChangesAreOneSignal();
    void silentAfterRecreation();
    void keepsTheOldInodeAfterARename();
    void silentAboutTheTargetOfALink();
    void kernelWatchStandsAtOnce();

private:
    // Everything that the kernel has for Qt by now is delivered after this: a directory of its own is changed last.
    void flush();

    std::unique_ptr<test::NetDir> m_dir;
    std::unique_ptr<test::NetDir> m_marker;
    std::unique_ptr<QFileSystemWatcher> m_watcher;
    int m_signals = 0;
    int m_marks = 0;
};

void tst_QtFacts::init()
{
    m_watcher = std::make_unique<QFileSystemWatcher>();
    m_dir = std::make_unique<test::NetDir>();
    m_marker = std::make_unique<test::NetDir>();
    m_dir->writeInPlace("a", "old");
    m_signals = m_marks = 0;
    QVERIFY(m_watcher->addPath(QString::fromUtf8(m_dir->path())));
    QVERIFY(m_watcher->addPath(QString::fromUtf8(m_marker->path())));
    const QString marker = QString::fromUtf8(m_marker->path());
    connect(m_watcher.get(), &QFileSystemWatcher::directoryChanged, this,
        [this, marker](const QString &path) { ++(path == marker ? m_marks : m_signals); });
}

void tst_QtFacts::flush()
{
    const int before = m_marks;
    m_marker->writeNew("mark" + QByteArray::number(before), {});
    QTRY_VERIFY_WITH_TIMEOUT(m_marks > before, patienceMs);
}

void tst_QtFacts::signalsForAChange_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<bool>("seen");
    const auto row = [](const char *name, bool seen, const Change &change) { QTest::newRow(name) << change << seen; };
    row("in-place write", false, [](const test::NetDir &dir) { dir.writeInPlace("a", "new"); });
    row("create", true, [](const test::NetDir &dir) { dir.writeInPlace("b", {}); });
    row("rename over", true, [](const test::NetDir &dir) { dir.writeByRename("a", "new"); });
    row("remove", true, [](const test::NetDir &dir) { dir.remove("a"); });
    row("mode of a file", true, [](const test::NetDir &dir) { QCOMPARE(::chmod(dir.path("a").constData(), 0640), 0); });
    row("mode of the directory, unchanged", true, [](const test::NetDir &dir) {
        struct stat info { };
        QCOMPARE(::stat(dir.path().constData(), &info), 0);
        QCOMPARE(::chmod(dir.path().constData(), info.st_mode & 07777), 0);
    });
}

void tst_QtFacts::signalsForAChange()
{
    QFETCH(Change, change);
    QFETCH(bool, seen);
    change(*m_dir);
    flush();
    QCOMPARE(m_signals > 0, seen);
}

void tst_QtFacts::manyChangesAreOneSignal()
{
    for (int i = 0; i < 500; ++i)
        m_dir->writeInPlace("n" + QByteArray::number(i), {});
    flush();
    QCOMPARE(m_signals, 1);
}

void tst_QtFacts::silentAfterRecreation()
{
    std::error_code error;
    std::filesystem::remove_all(m_dir->path().constData(), error);
    QCOMPARE(::mkdir(m_dir->path().constData(), 0700), 0);
    flush();
    QVERIFY(m_signals >= 1);
    QVERIFY(!m_watcher->directories().contains(QString::fromUtf8(m_dir->path())));
    m_signals = 0;
    m_dir->writeInPlace("b", {});
    flush();
    QCOMPARE(m_signals, 0);
}

void tst_QtFacts::keepsTheOldInodeAfterARename()
{
    const QByteArray old = m_dir->path() + ".old";
    QCOMPARE(::rename(m_dir->path().constData(), old.constData()), 0);
    QCOMPARE(::mkdir(m_dir->path().constData(), 0700), 0);
    m_dir->writeInPlace("in the new one", {});
    flush();
    QCOMPARE(m_signals, 0);
    const test::NetDir before(old);
    before.writeInPlace("in the old one", {});
    flush();
    QCOMPARE(m_signals, 1);
    std::error_code error;
    std::filesystem::remove_all(old.constData(), error);
}

void tst_QtFacts::silentAboutTheTargetOfALink()
{
    const test::NetDir elsewhere;
    elsewhere.writeInPlace("target", {});
    QCOMPARE(::symlink(elsewhere.path("target").constData(), m_dir->path("link").constData()), 0);
    flush();
    m_signals = 0;
    elsewhere.writeInPlace("target", "new");
    elsewhere.writeByRename("target", "newer");
    flush();
    QCOMPARE(m_signals, 0);
}

// No turn of the event loop is needed before addPath() counts: a change right after it is not missed.
void tst_QtFacts::kernelWatchStandsAtOnce()
{
    const test::NetDir dir;
    QFileSystemWatcher watcher;
    QSignalSpy changed(&watcher, &QFileSystemWatcher::directoryChanged);
    QVERIFY(watcher.addPath(QString::fromUtf8(dir.path())));
    dir.writeInPlace("a", {});
    QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, patienceMs);
}

QTEST_GUILESS_MAIN(tst_QtFacts)
#include "tst_qtfacts.moc"
