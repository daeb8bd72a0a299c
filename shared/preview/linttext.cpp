// SPDX-License-Identifier: Apache-2.0
#include "conflist/canonical.h"
#include "conflist/cniversion.h"
#include "conflist/config.h"
#include "conflist/findingcodes.h"
#include "conflist/gofields.h"
#include "conflist/warnings.h"
#include "journal/redactconfig.h"
#include "journal/shownname.h"
#include "preview/lint.h"

#include <algorithm>
#include <set>

namespace firstwatch::preview {
namespace {

namespace code = conflist::code;
using conflist::Item;
using conflist::Plugin;

constexpr qsizetype mostSecrets = 20; // in one file: each place costs a look through the text

struct Linted {
    const QByteArray &name;
    const QByteArray &text;
    const LintOptions &options;
    conflist::Config config;
    conflist::Verdict verdict;
    QList<Finding> findings;

    [[nodiscard]] bool isList() const { return conflist::isListName(name); }
    [[nodiscard]] bool isOurs(const Plugin &plugin) const { return plugin.type == options.plugin.type(); }
};

QString typeName(const QByteArray &type)
{
    return journal::shownName(type);
}

void checkPlace(Linted &file)
{
    const QList<Plugin> &plugins = file.config.plugins;
    const auto last =
        std::find_if(plugins.rbegin(), plugins.rend(), [&](const Plugin &plugin) { return file.isOurs(plugin); });
    if (file.isList() && last != plugins.rbegin() && last != plugins.rend())
        file.findings.append({ code::ownNotLast,
            QStringLiteral("the plugin '%1' is not the last of the chain; move it to the end")
                .arg(typeName(last->type)),
            last->span.begin });
}

void checkDrift(Linted &file)
{
    if (!file.options.isOwnTemplate || !file.isList())
        return;
    const QByteArray wanted = conflist::canonical(file.options.plugin.text());
    for (const Plugin &plugin : std::as_const(file.config.plugins)) {
        if (file.isOurs(plugin) && conflist::canonical(plugin.span.of(file.text)) != wanted)
            file.findings.append({ code::ownDrifted,
                QStringLiteral("the plugin '%1' is not what the template says; write it as there")
                    .arg(typeName(plugin.type)),
                plugin.span.begin });
    }
}

void checkVersion(Linted &file)
{
    const QList<Item> &members = file.config.root.items;
    // From libcni 1.3 on a list of versions is what counts.
    if (file.verdict.cniVersion.isEmpty() || conflist::lastMember(members, "cniVersions") != nullptr
        || conflist::isReleasedCniVersion(file.verdict.cniVersion))
        return;
    const Item *version =
        file.isList() ? conflist::lastMember(members, "cniVersion") : conflist::structField(members, "cniVersion");
    file.findings.append({ code::unknownCniVersion,
        QStringLiteral("the 'cniVersion' is none of %1, so plugins refuse it; write the one that they speak")
            .arg(QLatin1String(conflist::releasedCniVersions)),
        version->value.begin });
}

// Of the plugin and of the one that it asks for addresses.
QByteArrayList typesOf(const QByteArray &text, const QByteArray &type, const QList<Item> &members)
{
    QByteArrayList types{ type };
    const Item *ipam = conflist::structField(members, "ipam");
    if (ipam == nullptr || ipam->kind != conflist::Kind::Object)
        return types;
    const conflist::Scan scan = conflist::scan(text, ipam->value);
    const Item *ipamType = conflist::structField(scan.items, "type");
    if (ipamType != nullptr && !ipamType->string.isEmpty())
        types.append(ipamType->string);
    return types;
}

void checkBinaries(Linted &file)
{
    if (!file.options.hasBinary)
        return;
    std::set<QByteArray> seen;
    const auto check = [&](const QByteArray &type, const QList<Item> &members, qsizetype offset) {
        for (const QByteArray &each : typesOf(file.text, type, members)) {
            if (seen.insert(each).second && !file.options.hasBinary(each))
                file.findings.append({ code::binaryMissing,
                    QStringLiteral("the bin dir has no binary '%1'; install it, or take the plugin out")
                        .arg(typeName(each)),
                    offset });
        }
    };
    if (!file.isList())
        return check(file.verdict.chain.value(0), file.config.root.items, -1);
    for (const Plugin &plugin : std::as_const(file.config.plugins))
        check(plugin.type, plugin.members, plugin.span.begin);
}

void checkSecrets(Linted &file)
{
    const QList<journal::SecretPlace> all = journal::secretPlaces(file.text);
    for (const journal::SecretPlace &place : all.first(std::min(all.size(), mostSecrets))) {
        const QString what = place.name.isEmpty()
            ? QStringLiteral("something that looks like a secret")
            : QStringLiteral("what stands under '%1' looks like a secret").arg(journal::shownName(place.name));
        file.findings.append({ code::clearSecret,
            what + QStringLiteral(", in clear text; keep it in a file of its own with mode 0600"), place.offset });
    }
}

} // namespace

QList<Finding> lintText(const QByteArray &name, const QByteArray &text, const LintOptions &options)
{
    Linted file{ name, text, options, conflist::readConfig(text), {}, {} };
    if (file.config.fault())
        return {};
    checkSecrets(file);
    file.verdict = conflist::judge(name, text, file.config).verdict;
    if (!file.verdict.accepted)
        return file.findings;
    file.findings += conflist::warnings(text, file.config, file.verdict);
    checkPlace(file);
    checkDrift(file);
    checkVersion(file);
    checkBinaries(file);
    std::stable_sort(file.findings.begin(), file.findings.end(),
        [](const Finding &left, const Finding &right) { return left.offset < right.offset; });
    return file.findings;
}

} // namespace firstwatch::preview
