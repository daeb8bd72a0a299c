// SPDX-License-Identifier: Apache-2.0
// The least that an installer of a chained plugin can do: one watch, one pass, then each event patched, with the same
// two fsyncs. Nothing is parsed, kept, undone or survived; it is here to be compared with, never to be used.
// With --careful it makes the system calls of Firstwatch's write recipe as well, and still no more than those: what a
// program costs that loses no update, keeps owner, mode and attributes, and follows no link.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { most_text = 1 << 16, most_displaced = 4096, grace_ms = 20 };

static int directory;
static const char *plugin;
static int careful;
static char displaced[most_displaced][320]; // what came out of an exchange, until nobody can be writing to it
static int displaced_count;
static int unsynced;
static char busy[320]; // somebody had it open for writing: its last close(2) sends the event a moment before it is done

static int ends_in_conflist(const char *name)
{
    const size_t length = strlen(name);
    return length > 9 && name[0] != '.' && strcmp(name + length - 9, ".conflist") == 0;
}

static ssize_t read_text(int in, char *text)
{
    const ssize_t size = pread(in, text, most_text - 1, 0);
    text[size > 0 ? size : 0] = '\0';
    if (careful && size > 0)
        (void)!pread(in, text + size, 1, size); // that this was all of it
    return size;
}

static int open_config(const char *name, struct stat *info)
{
    struct open_how how = { .flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS };
    if (!careful)
        return openat(directory, name, O_RDONLY | O_CLOEXEC);
    if (fstatat(directory, name, info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info->st_mode))
        return -1;
    const int in = (int)syscall(SYS_openat2, directory, name, &how, sizeof how);
    if (in >= 0)
        fstat(in, info);
    return in;
}

static int somebody_writes(int in)
{
    const int writes = fcntl(in, F_SETLEASE, F_RDLCK) != 0;
    if (!writes)
        fcntl(in, F_SETLEASE, F_UNLCK);
    return writes;
}

static int is_being_written(int in, const char *text)
{
    static char again[most_text];
    return somebody_writes(in) || read_text(in, again) < 0 || strcmp(again, text) != 0;
}

static void keep_metadata(int in, int out, const struct stat *info)
{
    static char names[most_text];
    (void)!fchown(out, info->st_uid, info->st_gid);
    flistxattr(in, names, sizeof names);
    flistxattr(out, names, sizeof names);
    fchmod(out, info->st_mode & 07777);
}

// True when what came out is what was read.
static int exchange(const char *temporary, const char *name, const char *text)
{
    struct stat info;
    if (renameat2(directory, temporary, directory, name, RENAME_EXCHANGE) != 0)
        return 0;
    const int out = open_config(temporary, &info);
    const int same = out >= 0 && !is_being_written(out, text);
    close(out);
    if (displaced_count < most_displaced)
        strcpy(displaced[displaced_count++], temporary);
    unsynced = 1;
    return same;
}

static void write_patched(int in, const char *name, const char *text, const char *end, const struct stat *info)
{
    static char temporary[320];
    static unsigned number;
    snprintf(temporary, sizeof temporary, careful ? ".%s.%08x.tmp" : ".%s.tmp", name, number++);
    const int out =
        openat(directory, temporary, O_WRONLY | O_CREAT | O_CLOEXEC | (careful ? O_EXCL | O_NOFOLLOW : O_TRUNC), 0600);
    dprintf(out, "%.*s,%s%s", (int)(end - text), text, plugin, end);
    if (careful)
        keep_metadata(in, out, info);
    fsync(out);
    close(out);
    if (careful) {
        if (!exchange(temporary, name, text))
            _exit(1); // the harness never races with it
        return;
    }
    renameat(directory, temporary, directory, name);
    fsync(directory);
}

static void patch(const char *name)
{
    static char text[most_text];
    struct stat info;
    const int in = ends_in_conflist(name) ? open_config(name, &info) : -1;
    if (in < 0)
        return;
    read_text(in, text);
    char *end = strrchr(text, ']');
    const int wanted = end != NULL && strstr(text, "bench-cni") == NULL && strchr(end, '}') != NULL;
    if (wanted && careful && is_being_written(in, text))
        strcpy(busy, name);
    else if (wanted)
        write_patched(in, name, text, end, &info);
    close(in);
}

// Once for all of a batch.
static void sync_names(void)
{
    if (unsynced)
        fsync(directory);
    unsynced = 0;
}

// After the grace time nobody can be writing to what came out.
static void settle(void)
{
    char again[sizeof busy];
    while (displaced_count > 0)
        unlinkat(directory, displaced[--displaced_count], 0);
    strcpy(again, busy);
    busy[0] = '\0';
    patch(again);
    sync_names();
}

static void pass(void)
{
    DIR *stream = fdopendir(dup(directory));
    const struct dirent *entry;
    while ((entry = readdir(stream)) != NULL)
        patch(entry->d_name);
    closedir(stream);
}

int main(int argc, char **argv)
{
    static char path[1024];
    static char buffer[65536] __attribute__((aligned(8)));
    const char *prefix = getenv("CONTAINER_MOUNT_PREFIX");
    careful = argc > 1 && strcmp(argv[1], "--careful") == 0;
    plugin = getenv("CNI_NETWORK_CONFIG");
    snprintf(path, sizeof path, "%s%s", prefix ? prefix : "/host", getenv("DEST_CNI_NET_DIR"));
    const int notify = inotify_init1(IN_CLOEXEC);
    if (inotify_add_watch(notify, path, IN_MOVED_TO | IN_CLOSE_WRITE) < 0)
        return 1;
    directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    pass();
    for (;;) {
        struct pollfd queue = { .fd = notify, .events = POLLIN };
        if (careful) {
            sync_names();
            while (poll(&queue, 1, displaced_count > 0 || busy[0] != '\0' ? grace_ms : -1) == 0)
                settle();
        }
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
