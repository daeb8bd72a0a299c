// SPDX-License-Identifier: Apache-2.0
#include "service/serverurl.h"

#include <QTest>

using namespace firstwatch::service;

class tst_ServerUrl : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void joins_data();
    void joins();
};

void tst_ServerUrl::joins_data()
{
    QTest::addColumn<QByteArray>("protocol");
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<QByteArray>("port");
    QTest::addColumn<QByteArray>("url"); // empty: refused
    const auto row = [](const char *host, const char *port, const char *url) {
        QTest::addRow("%s %s", host, port)
            << QByteArray("https") << QByteArray(host) << QByteArray(port) << QByteArray(url);
    };
    row("10.0.0.1", "443", "https://10.0.0.1:443");
    row("kubernetes.default.svc", "443", "https://kubernetes.default.svc:443");
    row("fd00::1", "6443", "https://[fd00::1]:6443");
    row("[fd00::1]", "443", "https://[fd00::1]:443");
    row("::", "443", "https://[::]:443");
    row("[::]", "443", "https://[::]:443");
    row("::1", "443", "https://[::1]:443");
    row("::ffff:10.0.0.1", "443", "https://[::ffff:10.0.0.1]:443");
    row("fe80::1%eth0", "443", "https://[fe80::1%25eth0]:443");
    row("[fe80::1%25eth0]", "443", "https://[fe80::1%25eth0]:443");
    row("[fe80::1%eth0]", "443", "https://[fe80::1%25eth0]:443");
    row("fe80::1%eth/0", "443", "https://[fe80::1%25eth%2F0]:443");
    row("10.0.0.1", "0443", "https://10.0.0.1:443");
    row("", "443", "");
    row("10.0.0.1", "", "");
    row("10.0.0.1", "0", "");
    row("10.0.0.1", "65536", "");
    row("10.0.0.1", "tcp://10.0.0.1:443", "");
    row("10.0.0.1", "+443", "");
    row("10.0.0.1", " 443", "");
    row("fe80::1%", "443", "");
    row("[[fd00::1]]", "443", "");
    row("[10.0.0.1]", "443", "");
    row("[fd00::1", "443", "");
    row("10.0.0.1:443", "443", "");
    row("https://10.0.0.1", "443", "");
    row("a b", "443", "");
    row("a/b", "443", "");
    row("a@b", "443", "");
    row("a\"b", "443", "");
    row("a\nb", "443", "");
    QTest::newRow("http") << QByteArray("http") << QByteArray("a") << QByteArray("80") << QByteArray("http://a:80");
    QTest::newRow("ftp") << QByteArray("ftp") << QByteArray("a") << QByteArray("80") << QByteArray();
    QTest::newRow("no protocol") << QByteArray() << QByteArray("a") << QByteArray("80") << QByteArray();
}

void tst_ServerUrl::joins()
{
    QFETCH(QByteArray, protocol);
    QFETCH(QByteArray, host);
    QFETCH(QByteArray, port);
    QFETCH(QByteArray, url);
    const ServerUrl joined = serverUrl(protocol, host, port);
    QCOMPARE(joined.url, url);
    QCOMPARE(joined.error.isEmpty(), !url.isEmpty());
}

QTEST_GUILESS_MAIN(tst_ServerUrl)
#include "tst_serverurl.moc"
