/*
 * The gate: the first program of a sandbox, which it leaves in a state that no program inside can undo.
 *
 * Two sandboxes may have a file system in common, a workspace or a volume. Through a UNIX socket in it one could hand
 * open descriptors to the other, and what it holds would outlive its run. The gate takes from itself, and so from
 * everything it becomes and starts, the right to make sockets anywhere but in the two places that are private.
 *
 *   gate wait COMMAND...  asks the server for the private places first, restricts itself, becomes the command
 *   gate now COMMAND...   the same where they are there from the beginning
 *   gate try PATH...      says for each path whether a socket can be made there: '+' yes, '-' no, '?' nothing can
 *
 * Asking is one byte, 'M' for "mounts can be made", on descriptor 7; the answer is one byte on standard input. The
 * order matters: a rule is about a directory as it is now, and a file system that is mounted there later hides it.
 * What goes wrong is said on standard error, and the gate ends with 125; nothing runs half restricted.
 *
 * What the server ignores or holds back of signals, its own parent may have told it to: a program starts without that.
 *
 * Linked statically, so that it runs in any image. What it gives up is in restrict.h, which the nest does too.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "restrict.h"

enum { TO_SERVER = 7, FAILED = 125 };

static int fail(const char *what)
{
    fprintf(stderr, "gate: %s: %s\n", what, strerror(errno));
    return FAILED;
}

/* One byte each way. */
static int ask_for_mounts(void)
{
    char answer;
    if (write(TO_SERVER, "M", 1) != 1)
        return -1;
    return read(STDIN_FILENO, &answer, 1) == 1 ? 0 : -1;
}

/* A place where no file can be made at all proves nothing about sockets, so one is made first. */
static char try_path(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path || mknod(path, S_IFREG | 0600, 0) < 0 || unlink(path) < 0)
        return '?';
    strcpy(address.sun_path, path);
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0)
        return '-';
    int bound = bind(made, (struct sockaddr *)&address, sizeof address);
    close(made);
    unlink(path);
    return bound < 0 ? '-' : '+';
}

static int try_paths(char **paths)
{
    for (; *paths; paths++)
        putchar(try_path(*paths));
    putchar('\n');
    return fflush(stdout) == 0 ? 0 : fail("standard output");
}

int main(int count, char **words)
{
    const char *mode = count > 1 ? words[1] : "";
    if (strcmp(mode, "try") == 0)
        return try_paths(words + 2);
    int waits = strcmp(mode, "wait") == 0;
    if (count < 3 || (!waits && strcmp(mode, "now") != 0)) {
        fprintf(stderr, "usage: gate wait|now COMMAND... or gate try PATH...\n");
        return FAILED;
    }
    if (waits && ask_for_mounts() < 0)
        return fail("the server did not answer");
    if (restrict_self() < 0)
        return fail("landlock");
    if (default_signals() < 0)
        return fail("signals");
    execvp(words[2], words + 2);
    return fail(words[2]);
}
