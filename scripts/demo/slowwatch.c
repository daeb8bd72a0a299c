// SPDX-License-Identifier: Apache-2.0
// Preloaded by ./demo: the first inotify_add_watch(2) of the process comes FIRSTWATCH_DEMO_DELAY_MS late, as on a node
// under load. Everything else is the program as it is shipped.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int inotify_add_watch(int fd, const char *path, uint32_t mask)
{
    static int late = 0;
    const char *delay = getenv("FIRSTWATCH_DEMO_DELAY_MS");
    if (delay && !late) {
        const long ms = atol(delay);
        const struct timespec pause = { ms / 1000, ms % 1000 * 1000000 };
        late = 1;
        nanosleep(&pause, NULL);
    }
    return (int)syscall(SYS_inotify_add_watch, fd, path, mask);
}
