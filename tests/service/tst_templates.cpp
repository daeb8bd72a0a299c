// SPDX-License-Identifier: Apache-2.0
#include "service/templates.h"

#include "netdir.h"

#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace firstwatch;
using namespace firstwatch::service;

class tst_Templates : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void noneIsAnError();
    void fileOrVariable_data();
    void fileOrVariable();
    void filesKeepTheirOrder();
    void refuses_data();
    void refuses();
    void kubeconfigPathIsTheHosts();
    void readsThroughLinksAsMountsHaveThem();

private:
    [[nodiscard]] QByteArray file(const QByteArray &name, const QByteArray &text) const
    {
        m_directory.writeInPlace(name, text);
        return m_directory.path(name);
    }
    test::NetDir m_directory;
};

void tst_Templates::noneIsAnError()
{
    const Templates templates = loadTemplates({});
    QVERIFY(templates.plugins.isEmpty());
    QVERIFY(templates.error.contains(u"CNI_NETWORK_CONFIG_FILE or CNI_NETWORK_CONFIG"));
}

void tst_Templates::fileOrVariable_data()
{
    QTest::addColumn<bool>("fileNamed");
    QTest::addColumn<bool>("fileThere");
    QTest::addColumn<bool>("variable");
    QTest::addColumn<QByteArray>("type"); // empty: an error
    QTest::addColumn<bool>("finding");
    QTest::newRow("file") << true << true << false << QByteArray("from-file") << false;
    QTest::newRow("file missing") << true << false << false << QByteArray() << false;
    QTest::newRow("variable") << false << false << true << QByteArray("from-variable") << false;
    QTest::newRow("both") << true << true << true << QByteArray("from-file") << true;
    QTest::newRow("both, file missing") << true << false << true << QByteArray("from-variable") << true;
}

void tst_Templates::fileOrVariable()
{
    QFETCH(bool, fileNamed);
    QFETCH(bool, fileThere);
    QFETCH(bool, variable);
    QFETCH(QByteArray, type);
    QFETCH(bool, finding);
    Settings settings;
    if (fileNamed)
        settings.networkConfigFiles = { m_directory.path("missing") };
    if (fileThere)
        settings.networkConfigFiles = { file("t.json", R"({"type":"from-file"})") };
    if (variable)
        settings.networkConfig = R"({"type":"from-variable"})";
    const Templates templates = loadTemplates(settings);
    QCOMPARE(templates.error.isEmpty(), !type.isEmpty());
    QCOMPARE(templates.plugins.isEmpty() ? QByteArray() : templates.plugins.first().type(), type);
    QCOMPARE(templates.findings.isEmpty() ? 0 : templates.findings.first().code, finding ? 1306 : 0);
}

void tst_Templates::filesKeepTheirOrder()
{
    Settings settings;
    settings.networkConfigFiles = { file("z", R"({"type":"one"})"), file("a", R"({"type":"two"})"),
        file("m", R"({"type":"three"})") };
    QByteArrayList types;
    for (const auto &plugin : loadTemplates(settings).plugins)
        types.append(plugin.type());
    QCOMPARE(types, (QByteArrayList{ "one", "two", "three" }));
}

void tst_Templates::refuses_data()
{
    QTest::addColumn<QByteArrayList>("texts");
    QTest::addColumn<QString>("says");
    QTest::newRow("no object") << QByteArrayList{ "[]" } << QStringLiteral("CNI_NETWORK_CONFIG_FILE (");
    QTest::newRow("no type") << QByteArrayList{ "{}" } << QStringLiteral("type");
    QTest::newRow("bad type") << QByteArrayList{ R"({"type":"a/b"})" } << QStringLiteral("type");
    QTest::newRow("twice") << QByteArrayList{ R"({"type":"a"})", R"({"type":"a","x":1})" }
                           << QStringLiteral("'a' is named twice");
    QTest::newRow("second bad") << QByteArrayList{ R"({"type":"a"})", "{" } << QStringLiteral("/1)");
    QTest::newRow("unknown placeholder") << QByteArrayList{ R"({"type":"a","x":"__FOO__"})" }
                                         << QStringLiteral("__FOO__");
    QTest::newRow("too large") << QByteArrayList{ QByteArray(1024 * 1024 + 1, ' ') }
                               << QStringLiteral("larger than 1048576 bytes");
}

void tst_Templates::refuses()
{
    QFETCH(QByteArrayList, texts);
    QFETCH(QString, says);
    Settings settings;
    for (const QByteArray &text : texts)
        settings.networkConfigFiles.append(file(QByteArray::number(settings.networkConfigFiles.size()), text));
    const QString error = loadTemplates(settings).error;
    QVERIFY2(error.contains(says), qPrintable(error));
}

void tst_Templates::kubeconfigPathIsTheHosts()
{
    Settings settings;
    settings.networkConfig = R"({"type":"a","kubeconfig":"__KUBECONFIG_FILEPATH__"})";
    const Templates templates = loadTemplates(settings);
    QCOMPARE(templates.error, QString());
    QVERIFY(templates.plugins.first().text().contains("\"/etc/cni/net.d/ZZZ-linkerd-cni-kubeconfig\""));
}

void tst_Templates::readsThroughLinksAsMountsHaveThem()
{
    QCOMPARE(::symlink(file("real", R"({"type":"a"})").constData(), m_directory.path("link").constData()), 0);
    QCOMPARE(::mkfifo(m_directory.path("fifo").constData(), 0600), 0);
    Settings settings;
    settings.networkConfigFiles = { m_directory.path("link") };
    QCOMPARE(loadTemplates(settings).plugins.size(), 1);
    settings.networkConfigFiles = { m_directory.path("fifo") };
    QVERIFY(loadTemplates(settings).error.contains(u"not a regular file"));
}

QTEST_GUILESS_MAIN(tst_Templates)
#include "tst_templates.moc"
