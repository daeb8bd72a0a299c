// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>

namespace firstwatch::journal {

// Whether the value of a member with this name is known to be no secret: the names that the CNI specification and the
// documentation of the usual plugins give. In any case, as encoding/json matches them.
[[nodiscard]] bool isCniKey(QByteArrayView name);

// Whether a text is one that gives nothing away under any name: nothing, a word of at most 16 letters with up to two
// digits behind it ("calico", "eth0"), a path, an address or a network.
[[nodiscard]] bool isPlainValue(QByteArrayView text);

} // namespace firstwatch::journal
