// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "node.h"

namespace firstwatch::test {

// The names of all fail points, collected from the sources, so that none is forgotten.
[[nodiscard]] QByteArrayList failPoints();

// A node with a list and a single-plugin file of an owner who is not root, and what must hold for them at any moment.
class Scene final {
public:
    Scene();
    Node node;
    // A call that fails may be the one that sets an owner or a mode: a patched file may then be narrower, never wider.
    bool mayBeNarrower = false;

    void ownerRewrites(); // the list, by rename
    [[nodiscard]] bool isSettled() const; // everything is patched and ready
    bool waitSettledOrDead();
    // What does not hold, or nothing: each config is there, valid, with the owner's text, mode and owner.
    [[nodiscard]] QString damage() const;
    // The plain program is started and stopped: it must put everything right, and then give everything back.
    QString recover();

private:
    [[nodiscard]] QString remains() const;
    [[nodiscard]] bool hasMetadata(const QByteArray &name) const;

    QByteArray m_list; // the owner's present text
};

} // namespace firstwatch::test
