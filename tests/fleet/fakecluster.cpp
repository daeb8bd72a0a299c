// SPDX-License-Identifier: Apache-2.0
#include "fakecluster.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

namespace firstwatch::test {

QJsonObject podJson(const QString &name, const QString &node)
{
    return { { QStringLiteral("metadata"), QJsonObject{ { QStringLiteral("name"), name } } },
        { QStringLiteral("spec"), QJsonObject{ { QStringLiteral("nodeName"), node } } },
        { QStringLiteral("status"), QJsonObject{ { QStringLiteral("phase"), QStringLiteral("Running") } } } };
}

FakeCluster::FakeCluster()
{
    qputenv("FAKE_KUBECTL", m_directory.filePath(QStringLiteral("script")).toUtf8());
    cluster.kubectl = QStringLiteral(FAKE_KUBECTL_PROGRAM);
    cluster.context = QStringLiteral("prod");
    cluster.nameSpace = QStringLiteral("firstwatch");
}

void FakeCluster::play(QJsonObject script, QJsonObject forward) const
{
    forward.insert(QStringLiteral("to"), node.endpoint().path);
    script.insert(QStringLiteral("forward"), forward);
    if (!script.contains(QStringLiteral("pods")))
        script.insert(QStringLiteral("pods"),
            QJsonArray{ podJson(QStringLiteral("firstwatch-x7k2p"), QStringLiteral("node-17")) });
    // In one step: a kubectl may read it at this moment.
    const QString path = m_directory.filePath(QStringLiteral("script"));
    QFile file(path + QStringLiteral(".new"));
    if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(script).toJson()) < 0)
        qFatal("script");
    file.close();
    if (::rename(file.fileName().toUtf8().constData(), path.toUtf8().constData()) != 0)
        qFatal("script");
}

QList<QJsonObject> FakeCluster::calls(const QString &verb) const
{
    QFile file(m_directory.filePath(QStringLiteral("script.calls")));
    QList<QJsonObject> found;
    if (!file.open(QIODevice::ReadOnly))
        return found;
    while (!file.atEnd()) {
        const QJsonObject call = QJsonDocument::fromJson(file.readLine()).object();
        if (call[QLatin1String("argv")].toArray().contains(verb))
            found.append(call);
    }
    return found;
}

} // namespace firstwatch::test
