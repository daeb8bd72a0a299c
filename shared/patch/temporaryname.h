// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

#include <optional>

// Names of our own in the net dir. The leading dot and the ending keep container runtimes from loading them; being in
// the same directory makes runtimes notice the rename (containerd drops events of files that come from elsewhere).
namespace firstwatch::patch {

// First 16 hex digits of the SHA-256 of a file's content.
[[nodiscard]] QByteArray contentHash(const QByteArray &text);

// ".<name>.firstwatch-<16 hex><6 random>": a file about to be exchanged with `name`, or what came out of the exchange.
// The hex is contentHash() of what we put in, so that after a crash a later start can tell which of the two it sees.
// A long name is cut, to stay below NAME_MAX.
[[nodiscard]] QByteArray temporaryName(const QByteArray &name, const QByteArray &hash);
// The hash in a temporary name, or nothing when it is not one of ours.
[[nodiscard]] std::optional<QByteArray> temporaryHash(const QByteArray &fileName);
// The file that a temporary name, which temporaryHash() knows, was made for; not the whole of it when it was cut.
[[nodiscard]] QByteArray nameOfTemporary(const QByteArray &fileName);

// ".<name>.firstwatch-kept": the original of a converted single-plugin file; its inverse, empty when not one.
[[nodiscard]] QByteArray keptName(const QByteArray &name);
[[nodiscard]] QByteArray nameOfKept(const QByteArray &fileName);

} // namespace firstwatch::patch
