// SPDX-License-Identifier: Apache-2.0
#include "invariants.h"

#include "conflist/activefile.h"

namespace firstwatch::test {
namespace {

using namespace conflist;

struct Subject {
    const QByteArray &name;
    const QByteArray &text;
    const Options &options;
    QByteArrayList types;
};

bool writes(const Plan &plan)
{
    return plan.action == Action::Patch || plan.action == Action::Convert;
}

const char *brokenByLeaving(const Plan &planned, const Verdict &before)
{
    if (!planned.text.isEmpty())
        return "a file that is left alone has no new text";
    if (planned.drift && planned.action != Action::Refuse)
        return "only a refused file drifts by itself";
    if (planned.action == Action::Incomplete && before.accepted)
        return "what a runtime accepts is complete";
    return planned.action != Action::None && planned.findings.isEmpty() ? "a finding says why" : nullptr;
}

const char *brokenByChain(const Subject &subject, const QByteArrayList &chain)
{
    for (const QByteArray &type : subject.types) {
        if (chain.count(type) != 1)
            return "each of ours is there once";
    }
    const bool last = subject.options.position == ChainPosition::Last;
    return last && chain.last(subject.types.size()) != subject.types ? "ours are last" : nullptr;
}

const char *brokenByUndo(const Subject &subject, const Plan &planned)
{
    const Plan undone = unplan(planned.targetName, planned.text, subject.types);
    if (undone.action != Action::Patch)
        return "a patch can be undone";
    if (!changesOnlyOurs(planned.text, undone.text, subject.types))
        return "the undo changes only ours";
    const bool hadOurs = unplan(subject.name, subject.text, subject.types).action != Action::None;
    if (planned.action == Action::Patch && !hadOurs && undone.text != subject.text)
        return "the undo gives back the original bytes";
    return nullptr;
}

const char *brokenByWriting(const Subject &subject, const Plan &planned, const Verdict &before)
{
    const Verdict after = verdict(planned.targetName, planned.text);
    if (!before.accepted)
        return "what a runtime rejects is never written";
    if (!after.accepted)
        return "what is written is accepted";
    if (after.network != before.network)
        return "the network keeps its name";
    if (!changesOnlyOurs(subject.text, planned.text, subject.types))
        return "only ours changes";
    if (plan(planned.targetName, planned.text, subject.options).action != Action::None)
        return "the second plan has nothing to do";
    if (const char *rule = brokenByChain(subject, after.chain))
        return rule;
    return brokenByUndo(subject, planned);
}

} // namespace

const char *brokenRule(const QByteArray &name, const QByteArray &text, const Options &options)
{
    Subject subject{ name, text, options, {} };
    for (const PluginTemplate &plugin : options.plugins)
        subject.types.append(plugin.type());
    const Verdict before = verdict(name, text);
    const Plan planned = plan(name, text, options);
    if (writes(planned))
        return brokenByWriting(subject, planned, before);
    if (const char *rule = brokenByLeaving(planned, before))
        return rule;
    const Plan undone = unplan(name, text, subject.types);
    if (writes(undone) && !changesOnlyOurs(text, undone.text, subject.types))
        return "the undo changes only ours";
    return nullptr;
}

} // namespace firstwatch::test
