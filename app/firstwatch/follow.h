// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/firstwatch/verb.h"

namespace firstwatch::cli {

// `events -f`: first the last events that there are, then each as it comes, one a line. Of a live node until it is
// interrupted, over every break of the link; of the standard input until its end.
[[nodiscard]] int follow(Call &call);

} // namespace firstwatch::cli
