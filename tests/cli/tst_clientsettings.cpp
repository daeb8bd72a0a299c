// SPDX-License-Identifier: Apache-2.0
// The user's file of settings: what goes before what, what is said of a wrong one, and that none is needed.
#include "program.h"

#include "app/firstwatch/settings.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace firstwatch;
using namespace firstwatch::test;

namespace {

// A home with a file of settings, or without.
class Home {
public:
    explicit Home(const QByteArray &text = {})
    {
        QDir().mkpath(m_root.filePath(QStringLiteral(".config/firstwatch")));
        QFile file(path());
        if (!text.isEmpty() && (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()))
            qFatal("config.json");
    }
    [[nodiscard]] QString path() const { return m_root.filePath(QStringLiteral(".config/firstwatch/config.json")); }
    [[nodiscard]] Ran run(const QString &line, const QStringList &environment = {}) const
    {
        return test::run(
            line.split(u' '), { QStringList{ QStringLiteral("HOME=") + m_root.path() } + environment, {}, {} });
    }
    // "via: exec file /home/…/config.json", as doctor tells it.
    [[nodiscard]] QString setting(
        const QString &name, const QString &options = {}, const QStringList &environment = {}) const
    {
        const Ran ran = run(QStringLiteral("doctor -o json --from /dev/null") + options, environment);
        const QJsonArray all = QJsonDocument::fromJson(ran.out).object()[QStringLiteral("settings")].toArray();
        for (const QJsonValue each : all) {
            if (each[QLatin1String("name")].toString() == name)
                return QStringLiteral("%1 %2 %3")
                    .arg(each[QLatin1String("value")].toString(), each[QLatin1String("origin")].toString(),
                        each[QLatin1String("where")].toString())
                    .replace(path(), QLatin1String("FILE"))
                    .trimmed();
        }
        return QString::fromUtf8(ran.out + ran.err);
    }

private:
    QTemporaryDir m_root;
};

} // namespace

class TestClientSettings final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void precedence_data()
    {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QStringList>("environment");
        QTest::addColumn<QString>("context");
        QTest::addColumn<QString>("space");
        QTest::addColumn<QString>("via");
        const QStringList variables{ QStringLiteral("FIRSTWATCH_CONTEXT=staging") };
        const QString file = QStringLiteral("prod file FILE");
        QTest::newRow("the file before the default")
            << QString() << QStringList() << file << QStringLiteral("firstwatch default")
            << QStringLiteral("exec file FILE");
        QTest::newRow("a variable before the file")
            << QString() << variables << QStringLiteral("staging environment FIRSTWATCH_CONTEXT")
            << QStringLiteral("firstwatch default") << QStringLiteral("exec file FILE");
        QTest::newRow("an empty variable is none")
            << QString() << QStringList{ QStringLiteral("FIRSTWATCH_CONTEXT=") } << file
            << QStringLiteral("firstwatch default") << QStringLiteral("exec file FILE");
        QTest::newRow("an option before both")
            << QStringLiteral(" --context lab -n mesh --via port-forward --node node-17") << variables
            << QStringLiteral("lab flag --context") << QStringLiteral("mesh flag --namespace")
            << QStringLiteral("port-forward flag --via");
    }
    void precedence()
    {
        QFETCH(QString, options);
        QFETCH(QStringList, environment);
        // No kubectl there: what it would be asked is another test's matter.
        const Home home(R"({"context": "prod", "via": "exec", "kubectl": "/nowhere/kubectl"})");
        QTEST(home.setting(QStringLiteral("context"), options, environment), "context");
        QTEST(home.setting(QStringLiteral("namespace"), options, environment), "space");
        QTEST(home.setting(QStringLiteral("via"), options, environment), "via");
    }

    void whatOthersReadStaysTheirs()
    {
        const Home home(R"({"kubeconfig": "/a", "color": "always"})");
        QCOMPARE(home.setting(QStringLiteral("kubeconfig")), QStringLiteral("/a file FILE"));
        QCOMPARE(home.setting(QStringLiteral("kubeconfig"), {}, { QStringLiteral("KUBECONFIG=/b:/c") }),
            QStringLiteral("/b:/c environment KUBECONFIG"));
        const QString status = QStringLiteral("status --from ") + capture("blind.jsonl");
        QVERIFY(home.run(status).out.contains("\x1b["));
        QVERIFY(!home.run(status, { QStringLiteral("NO_COLOR=1") }).out.contains('\x1b'));
        QVERIFY(!home.run(status + QStringLiteral(" --color never")).out.contains('\x1b'));
    }

    // A file that knows a cluster is no question about it.
    void theFileChoosesNoSource()
    {
        const Home home(R"({"context": "prod", "socket": "/nowhere/x.sock"})");
        const Ran ran = home.run(QStringLiteral("status"));
        QCOMPARE(ran.exitCode, 3);
        QVERIFY2(ran.err.contains("FW9004 /nowhere/x.sock"), ran.err.constData());
    }

    void theXdgDirectoryGoesFirst()
    {
        const Home home(R"({"via": "exec"})");
        const QTemporaryDir other;
        QCOMPARE(home.setting(QStringLiteral("via"), {}, { QStringLiteral("XDG_CONFIG_HOME=") + other.path() }),
            QStringLiteral("port-forward default"));
        QCOMPARE(home.setting(QStringLiteral("via"), {}, { QStringLiteral("XDG_CONFIG_HOME=.config") }), // not absolute
            QStringLiteral("exec file FILE"));
    }

    void noHomeIsNeeded()
    {
        const Ran ran = run({ QStringLiteral("doctor"), QStringLiteral("--from"), capture("usual.fwz") });
        QCOMPARE(ran.exitCode, 0);
        QVERIFY2(ran.out.contains("neither HOME nor XDG_CONFIG_HOME is set"), ran.out.constData());
        QVERIFY(ran.err.isEmpty());
    }

    void aWrongFileIsNamed_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("said"); // behind the path
        QTest::newRow("no JSON") << QByteArray("{\n  \"via\": exec\n}") << QByteArray(":2:10: 'e' is not allowed");
        QTest::newRow("cut off") << QByteArray("{\n  \"via\":") << QByteArray(":2:");
        QTest::newRow("a trailing comma")
            << QByteArray("{\n  \"via\": \"exec\",\n}") << QByteArray(":2:16: a trailing ','");
        QTest::newRow("a list") << QByteArray("\n[]") << QByteArray(":2:1: not an object");
        QTest::newRow("a name that is near") << QByteArray("{\n  \"contxt\": \"prod\"\n}")
                                             << QByteArray(":2:3: 'contxt' is no setting. Did you mean 'context'?");
        QTest::newRow("a name that is far") << QByteArray(R"({"frobnicate": "x"})")
                                            << QByteArray(":1:2: 'frobnicate' is no setting; there are socket, ");
        QTest::newRow("an option that is no setting")
            << QByteArray(R"({"fail-on": "never"})") << QByteArray(":1:2: 'fail-on' is no setting");
        QTest::newRow("a wrong value") << QByteArray("{\n\"via\": \"pigeon\"}")
                                       << QByteArray(
                                              ":2:8: via: 'pigeon' cannot be used: it is one of port-forward, exec");
        QTest::newRow("an empty value") << QByteArray(R"({"context": ""})")
                                        << QByteArray(":1:13: context: it is empty");
        QTest::newRow("a number") << QByteArray(R"({"timeout": 10})")
                                  << QByteArray(":1:13: the value of 'timeout' is no string");
        QTest::newRow("twice") << QByteArray("{\"via\": \"exec\",\n \"via\": \"exec\"}")
                               << QByteArray(":2:2: 'via' is there twice");
        QTest::newRow("far too large") << QByteArray(100'000, ' ') << QByteArray(": larger than 64 KiB");
    }
    void aWrongFileIsNamed()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, said);
        const Home home(text);
        const QByteArray place = home.path().toUtf8() + said;
        const Ran asking = home.run(QStringLiteral("status --from ") + capture("usual.fwz"));
        QCOMPARE(asking.exitCode, 2);
        QVERIFY2(asking.out.isEmpty() && asking.err.contains(place), asking.err.constData());
        const Ran offline = home.run(QStringLiteral("explain FW1002")); // needs nothing out of it
        QCOMPARE(offline.exitCode, 0);
        QVERIFY2(!offline.out.isEmpty() && offline.err.contains(place), offline.err.constData());
        QVERIFY(home.run(QStringLiteral("explain FW1002 -q")).err.isEmpty());
        const Ran doctor = home.run(QStringLiteral("doctor --from ") + capture("usual.fwz"));
        QCOMPARE(doctor.exitCode, 3);
        QVERIFY2(doctor.out.contains("port-forward") && doctor.out.contains("default"), doctor.out.constData());
        QCOMPARE(home.run(QStringLiteral("status --help")).exitCode, 0);
    }

    void whatIsNoFileIsNotOpened()
    {
        const Home home;
        QCOMPARE(::mkfifo(home.path().toUtf8().constData(), 0600), 0);
        const Ran ran = home.run(QStringLiteral("status --from ") + capture("usual.fwz"));
        QCOMPARE(ran.exitCode, 2);
        QVERIFY2(ran.err.contains("config.json: no regular file"), ran.err.constData());
    }

    // The table of settings has no name that is no option, and no default that its option would refuse.
    void everySettingIsAnOption()
    {
        for (const cli::Setting &setting : cli::allSettings()) {
            const auto isIt = [&](const cli::Option &option) { return cli::longName(option) == setting.name; };
            QVERIFY2(std::any_of(cli::allOptions().cbegin(), cli::allOptions().cend(), isIt), setting.name);
            const QByteArray usual = QByteArray(setting.usual).split(' ').first();
            QCOMPARE(cli::checkSetting(setting, usual), QString());
        }
    }
};

QTEST_GUILESS_MAIN(TestClientSettings)
#include "tst_clientsettings.moc"
