// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/settings.h"

#include "journal/shownname.h"

#include <algorithm>

namespace firstwatch::cli {
namespace {

bool isNamed(const Setting &setting, const char *name)
{
    return QLatin1String(setting.name) == QLatin1String(name);
}

// As if the option had been typed, but for this: it does not choose what is asked. Only a word on the command line
// does, so that a file that knows a cluster does not turn every question into one about it.
QString set(Options &options, const Setting &setting, const QByteArray &value)
{
    if (isNamed(setting, "socket")) {
        options.localSocket = QString::fromLocal8Bit(value);
        return {};
    }
    const auto option = std::find_if(
        allOptions().cbegin(), allOptions().cend(), [&](const Option &each) { return longName(each) == setting.name; });
    const bool asked = options.asksCluster;
    QString error = option->set(options, value);
    options.asksCluster = asked;
    return error;
}

// Those that others read themselves: kubectl its list of files, and the screen's two, which may contradict each other.
bool isReadElsewhere(const Setting &setting)
{
    return isNamed(setting, "kubeconfig") || isNamed(setting, "color");
}

// The variable that counts, and its value. Empty ones are as good as missing.
std::pair<QString, QByteArray> fromEnvironment(const Setting &setting)
{
    for (const QString &variable : QString::fromLatin1(setting.variable).split(u' ', Qt::SkipEmptyParts)) {
        if (const QByteArray value = qgetenv(variable.toLatin1().constData()); !value.isEmpty())
            return { variable, value };
    }
    return {};
}

QString apply(Options &options, const Setting &setting, const ConfigFile &file)
{
    SettingValue shown{ QString::fromLatin1(setting.name), QString::fromUtf8(setting.usual),
        SettingValue::Origin::Default, {} };
    const auto take = [&](const QByteArray &value, SettingValue::Origin origin, const QString &where) {
        shown = { shown.name, journal::shownName(value), origin, where };
    };
    QString error;
    if (const auto typed = options.typed.find(setting.name); typed != options.typed.end()) {
        take(typed->second, SettingValue::Origin::Flag, QStringLiteral("--") + shown.name);
    } else if (const auto [variable, value] = fromEnvironment(setting); !variable.isEmpty()) {
        take(value, SettingValue::Origin::Environment, variable);
        error = isReadElsewhere(setting) ? QString() : set(options, setting, value);
        if (!error.isEmpty())
            error = variable + QStringLiteral(": ") + error;
    } else if (const auto kept = file.values.find(setting.name); kept != file.values.end()) {
        take(kept->second, SettingValue::Origin::File, journal::shownText(file.path));
        error = set(options, setting, kept->second);
    }
    options.settings.append(shown);
    return error;
}

} // namespace

const QList<Setting> &allSettings()
{
    static const QList<Setting> settings{
        { "socket", nullptr, "/run/firstwatch/stream.sock" },
        { "context", "FIRSTWATCH_CONTEXT", "(kubectl's current one)" },
        { "namespace", "FIRSTWATCH_NAMESPACE", "firstwatch" },
        { "selector", nullptr, "app.kubernetes.io/name=firstwatch" },
        { "via", nullptr, "port-forward" },
        { "kubectl", nullptr, "kubectl" },
        { "kubeconfig", "KUBECONFIG", "(kubectl's own choice)" },
        { "key-file", nullptr, "(none)" },
        { "timeout", nullptr, "10s (30s for nodes of a cluster, 2m with --wait)" },
        { "color", "NO_COLOR CLICOLOR_FORCE", "auto" },
    };
    return settings;
}

const Setting *settingNamed(const QByteArray &name)
{
    const auto found = std::find_if(
        allSettings().cbegin(), allSettings().cend(), [&](const Setting &setting) { return name == setting.name; });
    return found == allSettings().cend() ? nullptr : &*found;
}

QString checkSetting(const Setting &setting, const QByteArray &value)
{
    Options nobodys;
    if (value.isEmpty())
        return QStringLiteral("it is empty; leave it out");
    return set(nobodys, setting, value);
}

QString applySettings(Options &options, const ConfigFile &file)
{
    QString first;
    for (const Setting &setting : allSettings()) {
        const QString error = apply(options, setting, file);
        if (first.isEmpty())
            first = error;
    }
    return first;
}

} // namespace firstwatch::cli
