// SPDX-License-Identifier: Apache-2.0
#include "pages.h"
#include "recorded.h"
#include "ui/inspector/patchespage.h"
#include "ui/inspector/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolButton>

#include <memory>

using namespace firstwatch;
using namespace firstwatch::ui;

namespace {

const QString ours = QStringLiteral(R"(--- a/10-calico.conflist
+++ b/10-calico.conflist
@@ -3,7 +3,13 @@
   "cniVersion": "0.3.1",
   "plugins": [
     {"type": "calico", "mtu": 1440},
-    {"type": "portmap", "snat": true}
+    {"type": "portmap", "snat": true},
+    {
+      "type": "linkerd-cni",
+      "log_level": "info",
+      "kubernetes": {"kubeconfig": "/etc/cni/net.d/ZZZ-linkerd-cni-kubeconfig"}
+    }
   ]
 }
)");
const QString theirs = QStringLiteral(R"(--- a/10-calico.conflist
+++ b/10-calico.conflist
@@ -4,2 +4,2 @@
   "plugins": [
-    {"type": "calico", "mtu": 1500},
+    {"type": "calico", "mtu": 1440},
)");

// A node of which what was changed is known, but for the first patch.
Node nodeWithDiffs()
{
    Node node = test::recordedNode("stopped.jsonl");
    const QList<PatchRecord> records = patchRecords(node.events);
    for (const PatchRecord &record : records.mid(1, 3))
        node.diffs.append({ record.event.seq, record.event.boot, record.file, ours, theirs, true, false });
    return node;
}

} // namespace

class TestPatchesPage final : public QObject {
    Q_OBJECT

    std::unique_ptr<PatchesPage> m_page;

    void open(const Node &node)
    {
        m_page->setNode(node);
        m_page->resize(1000, 560);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    template <typename T> [[nodiscard]] T *named(const QString &name) const
    {
        for (T *each : m_page->findChildren<T *>()) {
            if (each->accessibleName() == name)
                return each;
        }
        return nullptr;
    }
    [[nodiscard]] QTableView *table() const { return m_page->findChild<QTableView *>(); }
    [[nodiscard]] QString note() const
    {
        return named<QLabel>(QStringLiteral("About the difference that is shown"))->text();
    }
    [[nodiscard]] QString unified() const
    {
        return named<QPlainTextEdit>(QStringLiteral("What the patch changed"))->toPlainText();
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(test::hasFonts());
        useTheme(Theme::Light);
    }
    void init() { m_page = std::make_unique<PatchesPage>(); }
    void cleanup() { m_page.reset(); }

    void everythingIsReachedByKey()
    {
        open(nodeWithDiffs());
        table()->selectRow(2);
        QCOMPARE(test::nameless(*m_page), QStringList());
        QCOMPARE(test::tabOrder(*m_page),
            (QStringList{ QStringLiteral("Patches"), QStringLiteral("What we changed"),
                QStringLiteral("What the other writer changed"), QStringLiteral("Side by side"),
                QStringLiteral("Copy as a unified diff"), QStringLiteral("What the patch changed") }));
    }

    void sides_data()
    {
        QTest::addColumn<bool>("wantsOurs");
        QTest::addColumn<bool>("wantsTheirs");
        QTest::addColumn<bool>("hasPlugin");
        QTest::addColumn<bool>("hasMtu");
        QTest::newRow("ours") << true << false << true << false;
        QTest::newRow("theirs") << false << true << false << true;
        QTest::newRow("both") << true << true << true << true;
        QTest::newRow("none") << false << false << false << false;
    }
    void sides()
    {
        QFETCH(bool, wantsOurs);
        QFETCH(bool, wantsTheirs);
        open(nodeWithDiffs());
        table()->selectRow(2);
        m_page->setSides({ wantsOurs, wantsTheirs });
        QTEST(unified().contains(QStringLiteral("+      \"type\": \"linkerd-cni\"")), "hasPlugin");
        QTEST(unified().contains(QStringLiteral("-    {\"type\": \"calico\", \"mtu\": 1500},")), "hasMtu");
        QCOMPARE(note().isEmpty(), wantsOurs || wantsTheirs);
        auto *const before = named<QPlainTextEdit>(QStringLiteral("Before"));
        QTEST(before->toPlainText().contains(QStringLiteral("1500")), "hasMtu");
        auto *const after = named<QPlainTextEdit>(QStringLiteral("After"));
        QCOMPARE(after->document()->blockCount(), before->document()->blockCount());
        QVERIFY(
            !after->toPlainText().contains(QStringLiteral("b/10-calico.conflist"))); // a head is no line of the file
        QTEST(after->toPlainText().contains(QStringLiteral("linkerd-cni")), "hasPlugin");
    }

    void whatIsNotKnownIsSaid_data()
    {
        QTest::addColumn<int>("row");
        QTest::addColumn<QString>("trouble");
        QTest::addColumn<bool>("wantsTheirs");
        QTest::addColumn<QString>("text");
        QTest::newRow("not kept") << 0 << "" << false << "What this patch changed is not known: Firstwatch keeps";
        QTest::newRow("a reason") << 0 << "the link broke." << false
                                  << "What this patch changed is not known: the link broke.";
        QTest::newRow("known") << 2 << "" << true << "";
    }
    void whatIsNotKnownIsSaid()
    {
        QFETCH(int, row);
        QFETCH(QString, trouble);
        QFETCH(bool, wantsTheirs);
        QFETCH(QString, text);
        Node node = nodeWithDiffs();
        node.diffTrouble = trouble;
        open(node);
        m_page->setSides({ true, wantsTheirs });
        table()->selectRow(row);
        QVERIFY2(text.isEmpty() ? note().isEmpty() : note().startsWith(text), qPrintable(note()));
    }

    void aDiffIsWantedOnce()
    {
        open(nodeWithDiffs());
        QSignalSpy wanted(m_page.get(), &PatchesPage::diffWanted);
        QSignalSpy selected(m_page.get(), &PatchesPage::patchSelected);
        table()->selectRow(4);
        table()->selectRow(2); // of the run before, which is not on the timeline
        QCOMPARE(wanted.size(), 0);
        QCOMPARE(selected.size(), 1);
        table()->selectRow(0);
        m_page->setNode(nodeWithDiffs());
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.first().last().toULongLong(), patchRecords(nodeWithDiffs().events).first().event.seq);
    }

    void whatComesLeavesTheSelection()
    {
        Node node = nodeWithDiffs();
        const QList<journal::Event> all = node.events;
        node.events = all.first(all.size() - 3);
        open(node);
        table()->selectRow(1);
        node.events = all;
        m_page->setNode(node);
        QCOMPARE(table()->currentIndex().row(), 1);
        m_page->selectPatch(node.diffs.first().boot, node.diffs.last().seq);
        QCOMPARE(table()->currentIndex().row(), 3);
    }

    // A line of a config may look like one of a diff's head.
    void linesAreColouredByTheirPlace()
    {
        Node node = nodeWithDiffs();
        node.diffs[1].ours = QStringLiteral("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n --- a\n--- b\n+++ c\n");
        open(node);
        table()->selectRow(2);
        const QTextDocument *document = named<QPlainTextEdit>(QStringLiteral("What the patch changed"))->document();
        const auto colourAt = [&](const QString &line) {
            for (QTextBlock block = document->firstBlock(); block.isValid(); block = block.next()) {
                if (block.text() == line && !block.layout()->formats().isEmpty())
                    return block.layout()->formats().first().format.foreground().color();
            }
            return QColor();
        };
        QCOMPARE(colourAt(QStringLiteral("--- b")), colourOf(Role::Error, m_page->palette()));
        QCOMPARE(colourAt(QStringLiteral("+++ c")), colourOf(Role::Good, m_page->palette()));
        QVERIFY(colourAt(QStringLiteral("--- a/x")) != colourOf(Role::Error, m_page->palette()));
    }

    void copiesTheDiff()
    {
        open(nodeWithDiffs());
        table()->selectRow(2);
        auto *const copy = named<QToolButton>(QStringLiteral("Copy as a unified diff"));
        copy->setFocus();
        QTest::keyClick(copy, Qt::Key_Space);
        QVERIFY(QGuiApplication::clipboard()->text().endsWith(ours));
        table()->selectRow(0);
        QVERIFY(!copy->isEnabled());
    }

    void emptyStatesAreWords()
    {
        open(Node());
        QVERIFY(!table()->isVisible());
        auto *const empty = named<QLabel>(QStringLiteral("Why no patch is shown"));
        QVERIFY(empty->isVisible() && empty->text().startsWith(QStringLiteral("No patch is known of this node")));
        Node away;
        away.trouble = QStringLiteral("Connection refused");
        m_page->setNode(away);
        QVERIFY(empty->text().startsWith(QStringLiteral("This node could not be reached")));
    }

    void pictures_data()
    {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << int(Theme::Light);
        QTest::newRow("dark") << int(Theme::Dark);
    }
    void pictures()
    {
        QFETCH(int, theme);
        const QString suffix = QStringLiteral("-%1-%2")
                                   .arg(QString::fromLatin1(QTest::currentDataTag()))
                                   .arg(qRound(m_page->devicePixelRatioF() * 100));
        useTheme(Theme(theme));
        open(nodeWithDiffs());
        m_page->resize(1280, 640);
        table()->selectRow(2);
        m_page->setSides({ true, true });
        test::shoot(*m_page, QString(QStringLiteral("patches") + suffix));
        m_page->setSideBySide(true);
        test::shoot(*m_page, QString(QStringLiteral("patches-beside") + suffix));
        table()->selectRow(0);
        m_page->setSideBySide(false);
        test::shoot(*m_page, QString(QStringLiteral("patches-unknown") + suffix));
        useTheme(Theme::Light);
    }
};

QTEST_MAIN(TestPatchesPage)
#include "tst_patchespage.moc"
