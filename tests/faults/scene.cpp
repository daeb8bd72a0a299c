// SPDX-License-Identifier: Apache-2.0
#include "scene.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

#include <algorithm>

namespace firstwatch::test {
namespace {

constexpr char listName[] = "10-a.conflist";
constexpr char singleName[] = "20-b.conf";
constexpr char keptStart[] = ".20-b.conf."; // the original, kept aside while it is converted
constexpr char convertedName[] = "20-b.conflist";
constexpr char single[] = R"({"cniVersion":"0.4.0","name":"b","type":"bridge"})";
constexpr uid_t someUser = 1234;
constexpr int longestMs = 2 * patienceMs; // the periodic pass makes up for some errors, each half minute

void giveAway(const QByteArray &path)
{
    if (::chmod(path.constData(), 0640) != 0 || (::geteuid() == 0 && ::chown(path.constData(), 0, someUser) != 0))
        qFatal("%s: errno %d", path.constData(), errno);
}

// With our element or, at a clean-up that could not be finished, without it.
bool isConversion(const QByteArray &text)
{
    const QByteArray bare = ownersText(convertedName, text).value_or(text);
    return QJsonDocument::fromJson(bare)[QStringLiteral("plugins")][0] == QJsonDocument::fromJson(single).object();
}

} // namespace

QByteArrayList failPoints()
{
    static const QRegularExpression call(QStringLiteral(R"re((?:fails|faultAt)\("([a-z.]+)"\))re"));
    QByteArrayList points;
    QDirIterator sources(QStringLiteral(FIRSTWATCH_SOURCE_DIR "/shared"), { QStringLiteral("*.cpp") }, QDir::Files,
        QDirIterator::Subdirectories);
    while (sources.hasNext()) {
        QFile file(sources.next());
        if (!file.open(QIODevice::ReadOnly))
            qFatal("%s cannot be read", qPrintable(file.fileName()));
        const QString text = QString::fromUtf8(file.readAll());
        for (const QRegularExpressionMatch &match : call.globalMatch(text))
            points.append(match.captured(1).toLatin1());
    }
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return points;
}

Scene::Scene()
    : m_list(smallConflist("first"))
{
    node.net.writeInPlace(listName, m_list);
    node.net.writeInPlace(singleName, single);
    giveAway(node.net.path(listName));
    giveAway(node.net.path(singleName));
}

void Scene::ownerRewrites()
{
    m_list = smallConflist("second");
    node.net.writeInPlace(".owner", m_list);
    giveAway(node.net.path(".owner"));
    ::rename(node.net.path(".owner").constData(), node.net.path(listName).constData());
}

bool Scene::isSettled() const
{
    return node.isPatched(listName, m_list) && ownersText(convertedName, node.net.read(convertedName))
        && !node.net.exists(singleName) && node.isReady();
}

bool Scene::waitSettledOrDead()
{
    return eventually([this] { return isSettled() || !node.process.isRunning(); }, longestMs);
}

bool Scene::hasMetadata(const QByteArray &name) const
{
    struct stat info { };
    if (::lstat(node.net.path(name).constData(), &info) != 0)
        return false;
    const mode_t mode = info.st_mode & 07777;
    const bool isTheirs = ::geteuid() != 0 || info.st_gid == someUser;
    const mode_t widest = isTheirs ? 0640 : 0600;
    return mayBeNarrower ? (mode & ~widest) == 0 : isTheirs && mode == widest;
}

QString Scene::damage() const
{
    const QByteArray list = node.net.read(listName);
    if (list != m_list && ownersText(listName, list) != m_list)
        return QStringLiteral("the list is %1").arg(QString::fromUtf8(list));
    if (!hasMetadata(listName))
        return QStringLiteral("the list has another mode or owner");
    const bool original = node.net.read(singleName) == single;
    const QByteArray converted = node.net.read(convertedName);
    if (node.net.exists(singleName) && !original)
        return QStringLiteral("the single-plugin file is damaged");
    if (node.net.exists(convertedName) && !isConversion(converted))
        return QStringLiteral("the converted file is %1").arg(QString::fromUtf8(converted));
    if (!original && !node.net.exists(convertedName))
        return QStringLiteral("neither the single-plugin file nor its conversion is there");
    return hasMetadata(original ? singleName : convertedName) ? QString()
                                                              : QStringLiteral("a mode or an owner was not kept");
}

QString Scene::recover()
{
    node.setFaults({});
    node.start();
    if (!eventually([this] { return isSettled(); }, longestMs))
        return QStringLiteral("does not converge\n%1").arg(QString::fromUtf8(node.log()));
    if (QString wrong = damage(); !wrong.isEmpty())
        return wrong;
    const bool onlyKept = eventually([this] {
        QList<QByteArray> left = node.leftovers();
        left.removeIf([](const QByteArray &name) { return name.startsWith(keptStart); });
        return left.isEmpty();
    });
    if (!onlyKept)
        return QStringLiteral("leftovers stay: %1").arg(QString::fromUtf8(node.leftovers().join(' ')));
    const std::optional<int> exit = node.stop();
    if (exit != 0)
        return QStringLiteral("exit code %1 after recovery\n%2")
            .arg(exit.value_or(-99))
            .arg(QString::fromUtf8(node.log()));
    return remains();
}

QString Scene::remains() const
{
    if (node.net.names() != QList<QByteArray>{ listName, singleName } || !node.bin.names().isEmpty())
        return QStringLiteral("at the end there are %1 %2")
            .arg(QString::fromUtf8(node.net.names().join(' ')), QString::fromUtf8(node.bin.names().join(' ')));
    if (node.net.read(listName) != m_list || node.net.read(singleName) != single)
        return QStringLiteral("not the original bytes at the end");
    return hasMetadata(listName) && hasMetadata(singleName)
        ? QString()
        : QStringLiteral("not the original mode and owner at the end");
}

} // namespace firstwatch::test
