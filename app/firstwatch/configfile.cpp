// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/configfile.h"

#include "app/firstwatch/help.h"
#include "app/firstwatch/settings.h"

#include "conflist/position.h"
#include "conflist/scan.h"
#include "journal/shownname.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace firstwatch::cli {
namespace {

constexpr qint64 longestFile = 64LL * 1024;
constexpr char name[] = "/firstwatch/config.json";

QString directoryIn(const char *variable)
{
    const QString value = qEnvironmentVariable(variable);
    return value.startsWith(u'/') ? value : QString();
}

QString placed(const ConfigFile &file, const QByteArray &text, qsizetype offset, const QString &what)
{
    const conflist::Position position = conflist::positionAt(text, std::max<qsizetype>(offset, 0));
    return QStringLiteral("%1:%2:%3: %4")
        .arg(journal::shownText(file.path), QString::number(position.line), QString::number(position.column), what);
}

// The place is said in front of it.
QString withoutPlace(const QString &text)
{
    return text.startsWith(QLatin1String("Line ")) ? text.section(QStringLiteral(": "), 1) : text;
}

QString unknownText(const QByteArray &key)
{
    QStringList names;
    for (const Setting &setting : allSettings())
        names += QString::fromLatin1(setting.name);
    const QString nearest = nearestOf(QString::fromUtf8(key), names);
    const QString shown = journal::shownName(key);
    return nearest.isEmpty()
        ? QStringLiteral("'%1' is no setting; there are %2").arg(shown, names.join(QStringLiteral(", ")))
        : QStringLiteral("'%1' is no setting. Did you mean '%2'?").arg(shown, nearest);
}

// What is wrong with one member, and where; empty when it is right.
QString faultOf(const ConfigFile &file, const QByteArray &text, const conflist::Item &item)
{
    const Setting *setting = settingNamed(item.name);
    if (setting == nullptr)
        return placed(file, text, item.key.begin, unknownText(item.name));
    const QString shown = QString::fromLatin1(setting->name);
    if (file.values.count(item.name) > 0)
        return placed(file, text, item.key.begin, QStringLiteral("'%1' is there twice; take one out").arg(shown));
    if (item.kind != conflist::Kind::String)
        return placed(file, text, item.value.begin,
            QStringLiteral("the value of '%1' is no string; put it in quotes").arg(shown));
    const QString error = checkSetting(*setting, item.string);
    return error.isEmpty() ? QString() : placed(file, text, item.value.begin, shown + QStringLiteral(": ") + error);
}

} // namespace

QString configPath()
{
    QString directory = directoryIn("XDG_CONFIG_HOME");
    if (directory.isEmpty() && !directoryIn("HOME").isEmpty())
        directory = directoryIn("HOME") + QStringLiteral("/.config");
    return directory.isEmpty() ? QString() : directory + QLatin1String(name);
}

void parseConfig(const QByteArray &text, ConfigFile &file)
{
    const conflist::Scan found = conflist::scan(text);
    if (found.fault)
        file.fault = placed(file, text, found.fault->offset, withoutPlace(found.fault->text));
    else if (found.kind != conflist::Kind::Object)
        file.fault = placed(file, text, found.value.begin, QStringLiteral("not an object; write {\"context\": \"…\"}"));
    for (const conflist::Item &item : found.items) {
        if (!file.fault.isEmpty())
            break;
        file.fault = faultOf(file, text, item);
        file.values[item.name] = item.string;
    }
    if (!file.fault.isEmpty())
        file.values.clear();
}

ConfigFile readConfigFile(const QString &path)
{
    ConfigFile file{ path, false, {}, {} };
    const QFileInfo info(path);
    if (path.isEmpty() || !(info.exists() || info.isSymLink()))
        return file;
    file.isThere = true;
    QFile opened(path);
    if (info.exists() && !info.isFile()) // never opened: a pipe would hang
        file.fault = QStringLiteral("%1: no regular file").arg(journal::shownText(path));
    else if (!opened.open(QIODevice::ReadOnly))
        file.fault = QStringLiteral("%1: %2").arg(journal::shownText(path), opened.errorString());
    else if (opened.size() > longestFile)
        file.fault = QStringLiteral("%1: larger than 64 KiB").arg(journal::shownText(path));
    else
        parseConfig(opened.read(longestFile), file);
    return file;
}

} // namespace firstwatch::cli
