// SPDX-License-Identifier: Apache-2.0
#include "app/firstwatch/verb.h"

#include "ui/text/json.h"
#include "ui/text/yaml.h"

#include <algorithm>

namespace firstwatch::cli {
namespace {

constexpr unsigned ofNodes = General | FromNodes | OfRun;
using Key = ui::Filter::Key;

} // namespace

bool isDocument(const Options &options)
{
    return options.output == QLatin1String("json") || options.output == QLatin1String("yaml");
}

void sayDocument(Call &call, const QJsonObject &document)
{
    const bool hasUnicode = call.out.look().hasUnicode;
    call.out.data(call.options.output == QLatin1String("yaml") ? ui::yamlText(document, hasUnicode)
                                                               : ui::jsonText(document, hasUnicode));
}

ui::DocumentWriter documentWriter(Call &call)
{
    using Form = ui::DocumentWriter::Form;
    return { call.options.output == QLatin1String("yaml") ? Form::Yaml : Form::Json, call.out.look().hasUnicode,
        [&out = call.out](const QByteArray &part) { out.data(part); } };
}

const QList<Verb> &allVerbs()
{
    static const QList<Verb> verbs{
        { "status", "", "one line for each node, worst first", ofNodes | Judging | Selecting,
            { "table", "wide", "short", "json", "yaml", "name" }, 0, 0, any,
            { "status", "status --from node-17.fwz --from node-31.fwz -o wide", "status --wait --timeout 2m" },
            runStatus, { Key::Node, Key::State } },
        { "node", "", "one node on a page: verdict, watch, files, findings", ofNodes | Judging,
            { "table", "json", "yaml" }, 0, 0, 1,
            { "node", "node --from node-17.fwz", "node --from node-17.fwz -o json" }, runNode },
        { "check", "", "what has to hold on a node, and whether it does", ofNodes | Judging,
            { "table", "short", "json", "yaml" }, 0, 0, any,
            { "check", "check --from node-17.fwz -o short", "check --fail-on warning --quiet" }, runCheck },
        { "findings", "", "what is wrong, with its code", ofNodes | Judging | Selecting,
            { "table", "wide", "json", "yaml", "name" }, 0, 0, any,
            { "findings", "findings --from node-17.fwz -o wide", "findings --fail-on never -o json" }, runFindings,
            { Key::File, Key::Node, Key::State, Key::Code, Key::Since } },
        { "events", "", "what happened, in order", ofNodes | Filtering | OfEvents | Selecting,
            { "compact", "json", "yaml", "raw" }, 0, 0, 1,
            { "events --last 20", "events --from node-17.fwz --type patch --file '10-*'",
                "events --filter 'kind:patch,watch -file:20-*' -o json" },
            runEvents, { Key::Kind, Key::File, Key::State, Key::Code, Key::Since } },
        { "timeline", "[A] [B]", "the race of the start, of one run or of two side by side", ofNodes | OfTime,
            { "ascii", "json", "yaml", "svg" }, 0, 2, 2,
            { "timeline --from node-17.fwz -o svg", "timeline --from node-17.fwz --between 12,14",
                "timeline node-17.fwz node-31.fwz" },
            runTimeline },
        { "history", "[NODE] [FILE]", "every patch: when, which file, why, and what changed",
            ofNodes | Filtering | OfPatches | Selecting, { "table", "wide", "json", "yaml", "name" }, 0, 2, 1,
            { "history --diff", "history 10-calico.conflist --from node-17.fwz", "history --last 5 --theirs -o json" },
            runHistory, { Key::Kind, Key::File, Key::Since } },
        { "preview", "PATH…", "offline: what a patch would change in files; a race replayed",
            General | OfFiles | OfPreview,
            { "diff", "summary", "json", "yaml", "patched", "sarif", "ascii", "svg", "schedule" }, 1, any, any,
            { "preview 10-calico.conflist", "preview net.d -o summary --exit-code", "preview --race example:seed" },
            runPreview },
        { "lint", "PATH…", "what is wrong in files, without a node", General | OfFiles | OfLint,
            { "table", "json", "yaml", "sarif" }, 1, any, any,
            { "lint net.d", "lint net.d -o sarif --fail-on never", "lint 10-calico.conflist -o json" }, runLint },
        { "explain", "[CODE…]", "what a finding code means and what to do", General, { "table", "json", "yaml" }, 0,
            any, any, { "explain FW1002", "explain 1101 1102", "explain -o json" }, runExplain },
        { "bundle", "", "record what a node knows, in one file to send", General | FromNodes, { "FILE" }, 0, 0, 1,
            { "bundle -o node-17.fwz", "bundle -o - --from node-17.fwz", "bundle -o slow.fwz --timeout 1m" },
            runBundle },
        { "open", "FILE", "a recording: what it holds, and the node as it was", General | OfRun | Judging,
            { "table", "json", "yaml" }, 1, 1, 1,
            { "open node-17.fwz", "open node-17.fwz -o json", "open node-17.fwz --fail-on never" }, runOpen },
        { "demo", "race", "a recorded race, and the same one under Firstwatch", General, {}, 0, 1, any,
            { "demo race", "demo race --color never", "demo" }, runDemo },
        { "doctor", "", "is there a service, may I ask it, what can this screen do", General | FromNodes,
            { "table", "json", "yaml" }, 0, 0, any, { "doctor", "doctor --from node-17.fwz", "doctor -o json" },
            runDoctor },
        { "completion", "SHELL", "completion for bash, zsh or fish", General, {}, 1, 1, any,
            { "completion bash", "completion zsh", "completion fish" }, runCompletion },
        { "version", "", "the version of this program", General, { "table", "json", "yaml" }, 0, 0, any,
            { "version", "version -o json", "version --quiet" }, runVersion },
        { "help", "[VERB]", "this overview, or what --help says of a verb", General, {}, 0, 1, any,
            { "help", "help events", "help check" }, runHelp },
    };
    return verbs;
}

const Verb *verbNamed(const QString &name)
{
    const auto found = std::find_if(
        allVerbs().cbegin(), allVerbs().cend(), [&](const Verb &verb) { return name == QLatin1String(verb.name); });
    return found == allVerbs().cend() ? nullptr : &*found;
}

} // namespace firstwatch::cli
