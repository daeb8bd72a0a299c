// SPDX-License-Identifier: Apache-2.0
#include "service/templates.h"

#include "service/textfile.h"

#include "journal/event.h"
#include "journal/findingcodes.h"

#include <algorithm>
#include <unistd.h>

namespace firstwatch::service {
namespace {

constexpr qsizetype longestTemplate = 1024LL * 1024;

bool anyExists(const QByteArrayList &paths)
{
    return std::any_of(
        paths.begin(), paths.end(), [](const QByteArray &path) { return ::access(path.constData(), F_OK) == 0; });
}

// Adds one template or says, naming its source, why not.
void add(Templates &templates, const QString &source, const QByteArray &text, const Settings &settings)
{
    conflist::PluginTemplate::Error error;
    const auto plugin = conflist::PluginTemplate::parse(text, settings.kubeconfigPath(), error);
    if (!plugin) {
        templates.error = source + QStringLiteral(": ") + error.text;
        return;
    }
    const auto sameType = [&](const conflist::PluginTemplate &other) { return other.type() == plugin->type(); };
    if (std::any_of(templates.plugins.begin(), templates.plugins.end(), sameType)) {
        templates.error = QStringLiteral("%1: a plugin of type '%2' is named twice: give each type once")
                              .arg(source, QLatin1String(plugin->type()));
        return;
    }
    templates.plugins.append(*plugin);
}

void addFile(Templates &templates, const QByteArray &path, const Settings &settings)
{
    const QString source = QStringLiteral("CNI_NETWORK_CONFIG_FILE (%1)").arg(journal::shownName(path));
    const TextFile file = readTextFile(path, longestTemplate);
    if (file.error.isEmpty())
        add(templates, source, file.text, settings);
    else
        templates.error = QStringLiteral("%1: cannot be read (%2): mount it, or name another").arg(source, file.error);
}

} // namespace

Templates loadTemplates(const Settings &settings)
{
    const bool hasFiles = !settings.networkConfigFiles.isEmpty();
    const bool hasText = !settings.networkConfig.isEmpty();
    Templates templates;
    if (!hasFiles && !hasText) {
        templates.error = QStringLiteral("no plugin is named: set CNI_NETWORK_CONFIG_FILE or CNI_NETWORK_CONFIG "
                                         "(--network-config-file, --network-config)");
        return templates;
    }
    const bool useFiles = hasFiles && (!hasText || anyExists(settings.networkConfigFiles));
    if (hasFiles && hasText) {
        templates.findings.append({ journal::code::twoTemplates,
            QStringLiteral("CNI_NETWORK_CONFIG_FILE and CNI_NETWORK_CONFIG are both set: the %1 is used")
                .arg(useFiles ? QStringLiteral("file") : QStringLiteral("variable, since there is no file")) });
    }
    if (!useFiles)
        add(templates, QStringLiteral("CNI_NETWORK_CONFIG"), settings.networkConfig, settings);
    for (const QByteArray &path : useFiles ? settings.networkConfigFiles : QByteArrayList()) {
        if (templates.error.isEmpty())
            addFile(templates, path, settings);
    }
    return templates;
}

} // namespace firstwatch::service
