// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timeline.h"

namespace firstwatch::ui {

[[nodiscard]] bool isAboutFile(journal::Kind kind);

// The lane of one file: what others did to it, and what we did.
class FileLane {
public:
    // `atNs`: when it was told; `foundNs`: when it was found.
    void take(const journal::Event &event, qint64 atNs, qint64 foundNs);
    [[nodiscard]] Lane lane(const QString &name, qint64 endNs) const;
    // Adds the changes inside, and those that were never patched.
    void countIn(BlindBand &band) const;

private:
    void takeChange(const journal::Event &event, qint64 foundNs);
    void takePatch(const journal::Event &event, qint64 atNs);
    void takeState(const journal::Event &event, qint64 atNs);
    void mark(Mark::Kind kind, qint64 atNs, const journal::Event &event, const QString &text = {});
    void endDrift(qint64 atNs);

    Lane m_lane;
    std::optional<qint64> m_changedNs; // not patched since
    std::optional<qint64> m_driftNs;
};

} // namespace firstwatch::ui
