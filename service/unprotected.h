// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "journal/event.h"

#include <QHash>

#include <array>

namespace firstwatch::service {

// For how long configs were without our plugin: from when a change was found to the patch that answered it. Folded over
// the events; a change that needed no patch is no such time.
class UnprotectedTime {
public:
    static constexpr std::array bounds{ 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
        30.0, 60.0 }; // seconds

    void apply(const journal::Event &event);

    // How many were not longer than bounds[i], and longer than the bound before; the last one: longer than all bounds.
    [[nodiscard]] const std::array<quint64, bounds.size() + 1> &counts() const { return m_counts; }
    [[nodiscard]] double sum() const { return m_sum; } // seconds

private:
    struct Change {
        qint64 foundNs = 0;
        bool isAwaited = false; // a patch of it failed, or it was not whole: its time goes on over later changes
    };
    void begin(const QString &file, const journal::Event &event);
    void end(const QString &file, qint64 atNs);
    void await(const QString &file);

    QHash<QString, Change> m_changes; // that no patch has answered, by shown name
    std::array<quint64, bounds.size() + 1> m_counts{};
    double m_sum = 0;
};

} // namespace firstwatch::service
