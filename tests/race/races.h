// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "preview/linkerdplugin.h"
#include "race/fixtures.h"
#include "race/model.h"

#include <QDir>
#include <QFile>

namespace firstwatch::test {

inline const QString raceFolder = QStringLiteral(FIRSTWATCH_SOURCE_DIR "/app/firstwatch/data/race");

inline QStringList exampleNames()
{
    return QDir(raceFolder).entryList({ QStringLiteral("*.race") }, QDir::Files, QDir::Name);
}

inline QByteArray exampleText(const QString &name)
{
    QFile file(raceFolder + u'/' + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline const conflist::Options &linkerdChain()
{
    conflist::PluginTemplate::Error error;
    static const conflist::Options chain{ { *conflist::PluginTemplate::parse(
                                              preview::linkerdTemplate(), preview::defaultKubeconfigPath(), error) },
        conflist::ChainPosition::Last };
    return chain;
}

// Parsed and with all its texts; a mistake in it ends the test program.
inline race::Schedule raceOf(const QByteArray &text)
{
    race::ScheduleError error;
    std::optional<race::Schedule> schedule = race::parseSchedule(text, error);
    if (!schedule)
        qFatal("line %d, column %d: %s", error.line, error.column, qPrintable(error.text));
    const QString trouble = race::resolve(
        *schedule, linkerdChain(), [](const QByteArray &, QString &) { return std::optional<QByteArray>(); });
    if (!trouble.isEmpty())
        qFatal("%s", qPrintable(trouble));
    return *schedule;
}

inline QByteArrayList missedFiles(const race::Outcome &outcome)
{
    QByteArrayList files;
    for (const race::Change &change : outcome.changes) {
        if (change.isMissed())
            files.append(change.file);
    }
    return files;
}

} // namespace firstwatch::test
