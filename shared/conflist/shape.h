// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conflist/scan.h"

namespace firstwatch::conflist {

// Which of two decoders of libcni meets the text: a single-plugin file is decoded into a struct at once; an element of
// a list has been through a map before, which has dropped repeated keys.
enum class Decoding { Struct, MapThenStruct };

// The path of the first member that Go could not decode into libcni's PluginConf, e.g. "dns.nameservers", or empty.
// Members that PluginConf does not name may be anything.
[[nodiscard]] QByteArray undecodableField(QByteArrayView text, const QList<Item> &plugin, Decoding decoding);

} // namespace firstwatch::conflist
