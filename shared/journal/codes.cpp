// SPDX-License-Identifier: Apache-2.0
#include "journal/codes.h"

#include "journal/codetables.h"

#include <algorithm>

namespace firstwatch::journal {

const QList<CodeEntry> &allCodes()
{
    static const QList<CodeEntry> codes =
        watchCodes() + fileCodes() + writeCodes() + serviceCodes() + configCodes() + binaryCodes() + clientCodes();
    return codes;
}

const CodeEntry *codeEntry(int code)
{
    const auto found = std::find_if(
        allCodes().cbegin(), allCodes().cend(), [code](const CodeEntry &entry) { return entry.code == code; });
    return found == allCodes().cend() ? nullptr : &*found;
}

} // namespace firstwatch::journal
