// SPDX-License-Identifier: Apache-2.0
#include "conflist/decision.h"

#include "conflist/findingcodes.h"
#include "conflist/onlyours.h"

namespace firstwatch::conflist {

Plan left(Action action, bool drift, const Finding &finding)
{
    return { action, {}, {}, drift, { finding } };
}

Plan refuse(bool drift, int code, const QString &text)
{
    return left(Action::Refuse, drift, { code, text, -1 });
}

Plan tooLarge()
{
    return refuse(true, code::fileTooLarge,
        QStringLiteral("The file is larger than %1 bytes, or would be when patched; no CNI config is.")
            .arg(maximumFileSize));
}

Plan checked(const Case &file, const Plan &plan)
{
    if (plan.text.size() > maximumFileSize)
        return tooLarge();
    const Config config = readConfig(plan.text);
    if (!judge(plan.targetName, plan.text, config).verdict.accepted)
        return refuse(true, code::patchWouldNotLoad,
            QStringLiteral("With our plugin in it no container runtime would load the file; report this file."));
    if (!changesOnlyOurs({ file.text, file.config }, { plan.text, config }, file.types))
        return refuse(true, code::patchChangesMore,
            QStringLiteral("The patch would change more than our plugin; report this file."));
    return plan;
}

} // namespace firstwatch::conflist
