// SPDX-License-Identifier: Apache-2.0
// firstwatch_manpage firstwatch.1|firstwatchd.8: writes that page to the standard output. Part of the build, never
// installed.
#include "app/manpage/pages.h"

#include <cstdio>

int main(int argc, char **argv)
{
    const QByteArray name = argc == 2 ? argv[1] : "";
    const bool isClient = name == "firstwatch.1";
    if (!isClient && name != "firstwatchd.8") {
        std::fputs("usage: firstwatch_manpage firstwatch.1|firstwatchd.8\n", stderr);
        return 2;
    }
    const QByteArray page =
        (isClient ? firstwatch::manpage::clientPage() : firstwatch::manpage::servicePage()).toUtf8();
    return std::fputs(page.constData(), stdout) >= 0 && std::fflush(stdout) == 0 ? 0 : 1;
}
