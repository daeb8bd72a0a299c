// SPDX-License-Identifier: Apache-2.0
// Every config that can be had: the diff that is printed makes of a file what -o patched prints, and taking the plugin
// out again gives back its bytes.
#include "preview/filepreview.h"

#include "preview/linkerdplugin.h"
#include "ui/preview/changes.h"

#include <QDir>
#include <QDirIterator>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace firstwatch;
using preview::Change;
using preview::FilePreview;

namespace {

preview::Options optionsOf(bool isRemoval)
{
    conflist::PluginTemplate::Error error;
    preview::Options options;
    options.chain.plugins = { *conflist::PluginTemplate::parse(
        preview::linkerdTemplate(), preview::defaultKubeconfigPath(), error) };
    options.isRemoval = isRemoval;
    return options;
}

FilePreview previewOf(const QByteArray &name, const QByteArray &text, bool isRemoval)
{
    return preview::previewFile({ name, patch::ReadStatus::Ok, 0, text, 0600 }, optionsOf(isRemoval), true);
}

QByteArray readFile(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QStringList folders()
{
    QStringList all{ QStringLiteral(FIRSTWATCH_TEST_DATA "/cni"), QStringLiteral(FIRSTWATCH_TEST_DATA "/synthetic") };
    const QString corpus = qEnvironmentVariable("FIRSTWATCH_CORPUS");
    if (corpus.isEmpty())
        qInfo("FIRSTWATCH_CORPUS is not set: configs of public projects are left out");
    else
        all.append(corpus);
    return all;
}

// patch(1) on a copy; what the file is called then, and holds.
QByteArray applied(const FilePreview &file, QByteArray &names)
{
    const QTemporaryDir folder;
    const QString name = QString::fromUtf8(file.name);
    QFile original(folder.filePath(name));
    if (!original.open(QIODevice::WriteOnly) || original.write(file.before) != file.before.size())
        return "cannot be written";
    original.close();
    QProcess patch;
    patch.setWorkingDirectory(folder.path());
    patch.start(QStringLiteral("patch"), { QStringLiteral("-p1"), QStringLiteral("--binary") });
    patch.write(ui::changeDiffs(name, file, true).join(QString()).toUtf8());
    patch.closeWriteChannel();
    if (!patch.waitForFinished() || patch.exitCode() != 0)
        return "patch(1) says: " + patch.readAllStandardOutput() + patch.readAllStandardError();
    names = QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).join(u' ').toUtf8();
    return readFile(folder.filePath(QString::fromUtf8(file.targetName)));
}

bool isUtf8(const QByteArray &text)
{
    return QString::fromUtf8(text).toUtf8() == text;
}

} // namespace

class TestCorpusPreview final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyFile_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("text");
        for (const QString &folder : folders()) {
            QDirIterator files(folder, QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                const QString path = files.next();
                const QByteArray name = files.fileName().toUtf8();
                if (conflist::isConfigName(name))
                    QTest::newRow(qPrintable(path.sliced(folder.lastIndexOf(u'/') + 1))) << name << readFile(path);
            }
        }
    }
    void everyFile()
    {
        QFETCH(const QByteArray, name);
        QFETCH(const QByteArray, text);
        const FilePreview file = previewOf(name, text, false);
        if (file.change != Change::Patch && file.change != Change::Convert) {
            QCOMPARE(file.after, file.before);
            return;
        }
        QVERIFY(file.after != file.before);
        if (isUtf8(text)) {
            QByteArray names;
            QCOMPARE(applied(file, names), file.after);
            QCOMPARE(names, file.targetName);
        }
        const FilePreview freed = previewOf(file.targetName, file.after, true);
        QCOMPARE(freed.change, Change::Patch);
        QCOMPARE(previewOf(file.targetName, file.after, false).change, Change::None);
        if (file.change == Change::Patch && !conflist::verdict(name, text).chain.contains("linkerd-cni"))
            QCOMPARE(freed.after, text);
    }
};

QTEST_APPLESS_MAIN(TestCorpusPreview)
#include "tst_corpuspreview.moc"
