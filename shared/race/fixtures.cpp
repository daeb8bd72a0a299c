// SPDX-License-Identifier: Apache-2.0
#include "race/fixtures.h"

#include "conflist/shownname.h"

#include <algorithm>
#include <array>

namespace firstwatch::race {
namespace {

struct Fixture {
    const char *name;
    const char *text;
};

// Small, and each of another network, so that no two are the same file.
constexpr std::array fixtures{
    Fixture{ "calico",
        R"({"cniVersion":"0.3.1","name":"k8s-pod-network","plugins":[{"type":"calico","ipam":{"type":"calico-ipam"}},{"type":"portmap","capabilities":{"portMappings":true}}]})"
        "\n" },
    Fixture{ "calico2", // the same network, as its owner writes it later
        R"({"cniVersion":"0.3.1","name":"k8s-pod-network","plugins":[{"type":"calico","mtu":1440,"ipam":{"type":"calico-ipam"}},{"type":"portmap","capabilities":{"portMappings":true}}]})"
        "\n" },
    Fixture{ "aws",
        R"({"cniVersion":"0.4.0","name":"aws-cni","disableCheck":true,"plugins":[{"type":"aws-cni"},{"type":"portmap","capabilities":{"portMappings":true}}]})"
        "\n" },
    Fixture{ "cilium",
        R"({"cniVersion":"0.3.1","name":"cilium","plugins":[{"type":"cilium-cni"}]})"
        "\n" },
    Fixture{ "flannel",
        R"({"cniVersion":"0.3.1","name":"cbr0","plugins":[{"type":"flannel"},{"type":"portmap","capabilities":{"portMappings":true}}]})"
        "\n" },
    Fixture{ "podman",
        R"({"cniVersion":"0.4.0","name":"podman","plugins":[{"type":"bridge","bridge":"cni-podman0"}]})"
        "\n" },
    Fixture{ "single",
        R"({"cniVersion":"0.4.0","name":"lab","type":"bridge","bridge":"lab0"})"
        "\n" },
    Fixture{ "half", R"({"cniVersion":"0.3.1","name":"k8s-pod-network","plugins":[{"type":)" },
    Fixture{ "empty", "" },
};

QString wrong(const QByteArray &name, const QString &reason)
{
    return conflist::shownName(name) + QStringLiteral(": ") + reason;
}

// The bytes of what the text names, or the reason why there are none.
std::optional<QByteArray> bytesOf(const Text &text, const ReadFile &readFile, QString &reason)
{
    if (text.from == Text::From::Literal)
        return text.value;
    if (text.from == Text::From::File)
        return readFile(text.value, reason);
    reason = QStringLiteral("there is no such text; known are ") + QString::fromLatin1(fixtureNames().join(", "));
    return fixture(text.value);
}

} // namespace

QByteArrayList fixtureNames()
{
    QByteArrayList names;
    for (const Fixture &each : fixtures)
        names.append(each.name);
    return names;
}

std::optional<QByteArray> fixture(const QByteArray &name)
{
    const auto *const found =
        std::find_if(fixtures.cbegin(), fixtures.cend(), [&](const Fixture &each) { return name == each.name; });
    if (found == fixtures.cend())
        return std::nullopt;
    return QByteArray(found->text);
}

QString resolve(Schedule &schedule, const conflist::Options &chain, const ReadFile &readFile)
{
    for (Step &step : schedule.steps) {
        QString reason;
        const std::optional<QByteArray> bytes = bytesOf(step.text, readFile, reason);
        if (!bytes)
            return wrong(step.text.value, reason);
        if (bytes->size() > conflist::maximumFileSize)
            return wrong(step.text.value, QStringLiteral("is larger than 1 MiB, which no config is"));
        const bool isPatched = step.text.isPatched;
        step.text = { Text::From::Literal, *bytes, false };
        if (!isPatched)
            continue;
        const conflist::Plan plan = conflist::plan(step.file, *bytes, chain);
        if (plan.action != conflist::Action::Patch)
            return wrong(step.file,
                QStringLiteral("this text gets no plugin, so that it cannot be 'patched': leave out the word"));
        step.text.value = plan.text;
    }
    return {};
}

} // namespace firstwatch::race
