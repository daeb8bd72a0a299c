// SPDX-License-Identifier: Apache-2.0
// What a preview says of each file of the tests' own set.
#include "preview/filepreview.h"

#include "conflist/canonical.h"
#include "preview/linkerdplugin.h"
#include "ui/preview/changes.h"
#include "ui/preview/previewtext.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace firstwatch;
using preview::Change;
using preview::FilePreview;

namespace {

const QString data = QStringLiteral(FIRSTWATCH_TEST_DATA "/");

preview::Options optionsOf(bool isRemoval = false)
{
    conflist::PluginTemplate::Error error;
    const auto plugin =
        conflist::PluginTemplate::parse(preview::linkerdTemplate(), preview::defaultKubeconfigPath(), error);
    preview::Options options;
    options.chain.plugins = { *plugin };
    options.isRemoval = isRemoval;
    return options;
}

preview::Entry entryOf(const QByteArray &name, const QByteArray &text)
{
    return { name, patch::ReadStatus::Ok, 0, text, 0600 };
}

QByteArray readFile(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool writeFile(const QString &path, const QByteArray &text)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

// Every file of the set that has the name of a config.
void addFiles()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("text");
    for (const char *folder : { "cni", "synthetic" }) {
        for (const QFileInfo &file : QDir(data + QLatin1String(folder)).entryInfoList(QDir::Files, QDir::Name)) {
            if (conflist::isConfigName(file.fileName().toUtf8()))
                QTest::newRow(qPrintable(file.fileName())) << file.fileName().toUtf8() << readFile(file.filePath());
        }
    }
}

} // namespace

class TestFilePreview final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyPageIsAsReviewed_data() { addFiles(); }
    // FIRSTWATCH_REFRESH_GOLDEN=1 writes them anew; then look at what has changed.
    void everyPageIsAsReviewed()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, text);
        const FilePreview file = preview::previewFile(entryOf(name, text), optionsOf(), true);
        const QByteArray page = ui::filePage({ false, true, 0 }, QString::fromUtf8(name), file, false, false).toUtf8();
        const QString golden =
            data + QStringLiteral("golden/preview/") + QString::fromUtf8(name) + QStringLiteral(".txt");
        if (qEnvironmentVariableIsSet("FIRSTWATCH_REFRESH_GOLDEN"))
            QVERIFY(writeFile(golden, page));
        QCOMPARE(page, readFile(golden));
    }

    void printedDiffApplied_data() { addFiles(); }
    void printedDiffApplied()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, text);
        const FilePreview file = preview::previewFile(entryOf(name, text), optionsOf(), true);
        if (file.change != Change::Patch && file.change != Change::Convert)
            QSKIP("nothing would change");
        const QTemporaryDir folder;
        const QString path = QString::fromUtf8(name);
        QVERIFY(writeFile(folder.filePath(path), text));
        QProcess patch;
        patch.setWorkingDirectory(folder.path());
        patch.start(QStringLiteral("patch"), { QStringLiteral("-p1"), QStringLiteral("--binary") });
        // As the bytes are: a config that is not UTF-8 cannot be shown so that patch(1) takes it.
        const QString diff = ui::changeDiffs(path, file, true).join(QString());
        if (diff.contains(QChar::ReplacementCharacter) && !text.contains("\xef\xbf\xbd"))
            QSKIP("is not UTF-8");
        patch.write(diff.toUtf8());
        patch.closeWriteChannel();
        QVERIFY(patch.waitForFinished());
        QVERIFY2(patch.exitCode() == 0, patch.readAllStandardOutput().constData());
        QCOMPARE(readFile(folder.filePath(QString::fromUtf8(file.targetName))), file.after);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{ QString::fromUtf8(file.targetName) });
    }

    // What is shown before anything is deployed is what the manifests deploy.
    void theBuiltInTemplateIsThatOfTheManifests()
    {
        const QString manifest =
            QString::fromUtf8(readFile(data + QStringLiteral("../../deploy/kustomize/base/configmap.yaml")));
        const QString block = manifest.section(QStringLiteral("  cni_network_config: |\n"), 1);
        QByteArray shipped;
        for (const QString &line : block.split(u'\n')) {
            if (!line.startsWith(QLatin1String("    ")))
                break;
            shipped += line.toUtf8();
        }
        QVERIFY(!shipped.isEmpty());
        QCOMPARE(conflist::canonical(preview::linkerdTemplate()), conflist::canonical(shipped));
    }

    void removalGivesTheOriginalBack_data() { addFiles(); }
    void removalGivesTheOriginalBack()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, text);
        const FilePreview patched = preview::previewFile(entryOf(name, text), optionsOf(), true);
        if (patched.change != Change::Patch || conflist::verdict(name, text).chain.contains("linkerd-cni"))
            QSKIP("is not patched as a whole new element");
        const FilePreview removed = preview::previewFile(entryOf(name, patched.after), optionsOf(true), true);
        QCOMPARE(removed.change, Change::Patch);
        QCOMPARE(removed.after, text);
        QCOMPARE(preview::previewFile(entryOf(name, text), optionsOf(true), true).change, Change::None);
    }

    void whatCannotBeReadIsSaid_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("change");
        QTest::addColumn<int>("code");
        QTest::newRow("fifo") << int(patch::ReadStatus::NotRegular) << int(Change::Ignored) << 1105;
        QTest::newRow("large") << int(patch::ReadStatus::TooLarge) << int(Change::Left) << 1106;
        QTest::newRow("link") << int(patch::ReadStatus::LinkOutside) << int(Change::Left) << 1104;
        QTest::newRow("gone") << int(patch::ReadStatus::Missing) << int(Change::Unreadable) << 1107;
        QTest::newRow("error") << int(patch::ReadStatus::Failed) << int(Change::Unreadable) << 1107;
    }
    void whatCannotBeReadIsSaid()
    {
        QFETCH(int, status);
        preview::Entry entry = entryOf("10-x.conflist", {});
        entry.status = patch::ReadStatus(status);
        const FilePreview file = preview::previewFile(entry, optionsOf(), true);
        QTEST(int(file.change), "change");
        QCOMPARE(file.findings.size(), 1);
        QTEST(file.findings.constFirst().code, "code");
        QVERIFY(!file.reason.isEmpty());
    }

    void modeWiderThanItsOwner_data()
    {
        QTest::addColumn<int>("mode");
        QTest::addColumn<bool>("isFound");
        QTest::newRow("0600") << 0600 << false;
        QTest::newRow("0400") << 0400 << false;
        QTest::newRow("0640") << 0640 << true;
        QTest::newRow("0644") << 0644 << true;
        QTest::newRow("0700") << 0700 << true;
        QTest::newRow("not known") << -1 << false;
    }
    void modeWiderThanItsOwner()
    {
        QFETCH(int, mode);
        preview::Entry entry = entryOf("10-calico.conflist", readFile(data + QStringLiteral("cni/10-calico.conflist")));
        entry.mode = mode;
        const FilePreview file = preview::previewFile(entry, optionsOf(), true);
        const bool isFound = std::any_of(
            file.findings.begin(), file.findings.end(), [](const Finding &finding) { return finding.code == 2010; });
        QTEST(isFound, "isFound");
    }

    void p51_aSecretThatIsAKeyIsNotShown()
    {
        const QByteArray text = "{\"name\": \"n\", \"plugins\": [{\"type\": \"a\", \"token=CANARY\": 1, "
                                "\"token=CANARY\": 2}]}";
        const FilePreview file = preview::previewFile(entryOf("10-x.conflist", text), optionsOf(), true);
        const auto isRepeated = [](const Finding &finding) { return finding.code == 2008; };
        const auto found = std::find_if(file.findings.begin(), file.findings.end(), isRepeated);
        QVERIFY(found != file.findings.end());
        QVERIFY2(!found->text.contains(QLatin1String("CANARY")), qPrintable(found->text));
    }

    void p51_aSecretIsNotShown()
    {
        const QByteArray text =
            "{\n  \"name\": \"n\",\n  \"token\": \"CANARY\",\n  \"plugins\": [\n    {\"type\": \"a\", "
            "\"etcd_password\": \"CANARY\"}\n  ]\n}\n";
        const FilePreview file = preview::previewFile(entryOf("10-x.conflist", text), optionsOf(), true);
        QCOMPARE(file.change, Change::Patch);
        const QString path = QStringLiteral("10-x.conflist");
        QVERIFY(!ui::filePage({ false, true, 0 }, path, file, false, false).contains(QLatin1String("CANARY")));
        QVERIFY(ui::filePage({ false, true, 0 }, path, file, false, true).contains(QLatin1String("CANARY")));
    }
};

QTEST_APPLESS_MAIN(TestFilePreview)
#include "tst_filepreview.moc"
