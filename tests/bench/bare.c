// SPDX-License-Identifier: Apache-2.0
// The least that an installer of a chained plugin can do: one watch, one pass, then each event patched, with the same
// two fsyncs. Nothing is parsed, checked, kept, undone or survived; it is here to be compared with, never to be used.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

static int directory;
static const char *plugin;

static int ends_in_conflist(const char *name)
{
    const size_t length = strlen(name);
    return length > 9 && name[0] != '.' && strcmp(name + length - 9, ".conflist") == 0;
}

static void patch(const char *name)
{
    static char text[1 << 16];
    static char temporary[512];
    const int in = ends_in_conflist(name) ? openat(directory, name, O_RDONLY | O_CLOEXEC) : -1;
    if (in < 0)
        return;
    const ssize_t size = read(in, text, sizeof text - 1);
    close(in);
    text[size > 0 ? size : 0] = '\0';
    char *end = strrchr(text, ']');
    if (end == NULL || strstr(text, "bench-cni") != NULL || strchr(end, '}') == NULL)
        return;
    snprintf(temporary, sizeof temporary, ".%s.tmp", name);
    const int out = openat(directory, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    dprintf(out, "%.*s,%s%s", (int)(end - text), text, plugin, end);
    fsync(out);
    close(out);
    renameat(directory, temporary, directory, name);
    fsync(directory);
}

static void pass(void)
{
    DIR *stream = fdopendir(dup(directory));
    const struct dirent *entry;
    while ((entry = readdir(stream)) != NULL)
        patch(entry->d_name);
    closedir(stream);
}

int main(void)
{
    static char path[1024];
    static char buffer[65536] __attribute__((aligned(8)));
    const char *prefix = getenv("CONTAINER_MOUNT_PREFIX");
    plugin = getenv("CNI_NETWORK_CONFIG");
    snprintf(path, sizeof path, "%s%s", prefix ? prefix : "/host", getenv("DEST_CNI_NET_DIR"));
    const int notify = inotify_init1(IN_CLOEXEC);
    if (inotify_add_watch(notify, path, IN_MOVED_TO | IN_CLOSE_WRITE) < 0)
        return 1;
    directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    pass();
    for (;;) {
        const ssize_t size = read(notify, buffer, sizeof buffer);
        if (size <= 0)
            return 1;
        for (ssize_t at = 0; at < size;) {
            const struct inotify_event *event = (const struct inotify_event *)(const void *)(buffer + at);
            at += (ssize_t)sizeof *event + event->len;
            if (event->len > 0)
                patch(event->name);
        }
    }
}
