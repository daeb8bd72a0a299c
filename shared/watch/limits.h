// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace firstwatch::watch {

// Why inotify refused, in words with the numbers and the sysctl that helps. ENOSPC of inotify_add_watch(2) means
// "watch limit", not a full disk; EMFILE of inotify_init1(2) means "instance limit".
struct Refusal {
    int code = 0; // a finding: 1002 instances, 1003 watches, 1005 anything else
    QString text;
};
[[nodiscard]] Refusal refusalOfInit(int error);
[[nodiscard]] Refusal refusalOfAdd(int error, const QByteArray &path);

} // namespace firstwatch::watch
