/*
 * Hatching: a process of the nest forks, and the copy goes over into a shell and gives up everything but what a program
 * may have. Compiled into the nest, which then executes an interpreter, and into a library, by which a zygote (a booted
 * interpreter) forks itself. The library is linked with nothing: it finds the C library of its interpreter.
 *
 * The program's parent is to be the first process of its shell, which reaps it and tells the server how it ended. So
 * there is a process between, which has the memory of its maker (vfork) and therefore costs next to nothing: it is born
 * into the shell's process namespace, forks the program, which is the one copy that is made, and ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "../gate/restrict.h"
#include "hatch.h"

enum { PIDFD_OPEN = 434, CLOSE_RANGE = 436, INSTRUCTIONS_MAX = 4096, FAILED = 125 };

/* The descriptors of an X or F. */
enum { SHELL, JOB, OUTPUT, ERRORS, CONTROL, GROUPS };

/* Where nothing of ours is in the way of the places descriptors go to. */
enum { OUT_OF_THE_WAY = 64 };

static struct sock_filter instructions[INSTRUCTIONS_MAX];
static struct sock_fprog filter = {0, instructions};
static int own_processes = -1;

/* The one between, which leads the program's session and group, also when it is gone. */
static int leader = -1;

static int read_filter(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t bytes = file < 0 ? -1 : read(file, instructions, sizeof instructions);
    close(file);
    if (bytes <= 0 || (size_t)bytes == sizeof instructions || (size_t)bytes % sizeof *instructions != 0)
        return -1;
    filter.len = (unsigned short)((size_t)bytes / sizeof *instructions);
    return 0;
}

static int filtered(void)
{
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

int hatch_signals(void)
{
    return default_signals();
}

int load_filter(const char *path)
{
    return read_filter(path) < 0 ? -1 : filtered();
}

int hatch_prepare(const char *path)
{
    own_processes = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
    return own_processes < 0 ? -1 : read_filter(path);
}

/* The strings behind an order, with a NULL after the words and one after the rest. */
static int split(struct received *order, size_t bytes)
{
    size_t at = sizeof order->order;
    uint32_t place = 0;
    if (order->order.strings >= STRINGS_MAX || order->order.words > order->order.strings)
        return -1;
    for (uint32_t number = 0; number < order->order.strings; number++) {
        char *end = at < bytes ? memchr(order->bytes + at, 0, bytes - at) : NULL;
        if (!end)
            return -1;
        if (number == order->order.words)
            order->strings[place++] = NULL;
        order->strings[place++] = order->bytes + at;
        at = (size_t)(end + 1 - order->bytes);
    }
    if (order->order.words == order->order.strings)
        order->strings[place++] = NULL;
    order->strings[place] = NULL;
    return at == bytes && order->order.limits_count <= LIMITS_MAX ? 0 : -1;
}

int hatch_receive(int server, struct received *into)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof into->descriptors)];
    } rights;
    struct iovec bytes = {into->bytes, sizeof into->bytes};
    struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = &rights, .msg_controllen = sizeof rights};
    ssize_t count;
    do
        count = recvmsg(server, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count <= 0)
        return 0;
    into->count = 0;
    for (struct cmsghdr *each = CMSG_FIRSTHDR(&message); each; each = CMSG_NXTHDR(&message, each)) {
        if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS)
            continue;
        into->count = (int)((each->cmsg_len - CMSG_LEN(0)) / sizeof *into->descriptors);
        memcpy(into->descriptors, CMSG_DATA(each), (size_t)into->count * sizeof *into->descriptors);
    }
    return !(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) && (size_t)count >= sizeof into->order &&
                   split(into, (size_t)count) == 0
               ? 1
               : -1;
}

void hatch_release(struct received *order)
{
    while (order->count > 0)
        close(order->descriptors[--order->count]);
}

int hatch_reply(int server, enum step step, int error, int pidfd, int group)
{
    int pidfds[2] = {pidfd, group};
    size_t size = sizeof pidfd * (group < 0 ? 1 : 2);
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof pidfds)];
    } rights;
    struct reply reply = {step, (uint32_t)error};
    struct iovec bytes = {&reply, sizeof reply};
    struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1};
    if (pidfd >= 0) {
        memset(&rights, 0, sizeof rights);
        message.msg_control = &rights;
        message.msg_controllen = CMSG_SPACE(size);
        rights.header.cmsg_level = SOL_SOCKET;
        rights.header.cmsg_type = SCM_RIGHTS;
        rights.header.cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(&rights.header), pidfds, size);
    }
    return sendmsg(server, &message, MSG_NOSIGNAL) == sizeof reply ? 0 : -1;
}

/* Who joins by writing moves one thread, itself, and waits for nobody. */
static int join_groups(const struct received *order)
{
    for (int each = GROUPS; each < order->count; each++)
        if (write(order->descriptors[each], "0", 1) != 1)
            return -1;
    return 0;
}

/* Everything in the order's own system calls: a C library would ask other threads to follow, and there are none. */
static int drop_privileges(void)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int each = 0; prctl(PR_CAPBSET_DROP, each, 0, 0, 0) == 0; each++)
        ;
    if (syscall(SYS_setresgid, PROGRAM_USER, PROGRAM_USER, PROGRAM_USER) < 0 ||
        syscall(SYS_setresuid, PROGRAM_USER, PROGRAM_USER, PROGRAM_USER) < 0)
        return -1;
    /* What changed its user is not its own in /proc until it says that it may be. */
    return syscall(SYS_capset, &header, none) < 0 ? -1 : prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

static int limit_process(const struct order *order)
{
    for (uint32_t each = 0; each < order->limits_count; each++)
        if (syscall(SYS_prlimit64, 0, order->limits[each].resource, &order->limits[each].soft, NULL) < 0)
            return -1;
    return 0;
}

/* A guest that boots finds its output at 5 and 6, and what goes wrong before that among the errors. */
static int wire(struct received *order)
{
    int boots = order->order.kind == EXEC_ORDER;
    for (int each = JOB; each <= CONTROL; each++) {
        order->descriptors[each] = fcntl(order->descriptors[each], F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
        if (order->descriptors[each] < 0)
            return -1;
    }
    if (dup2(order->descriptors[JOB], 0) < 0 || dup2(order->descriptors[boots ? ERRORS : OUTPUT], 1) < 0 ||
        dup2(order->descriptors[ERRORS], 2) < 0 || dup3(order->descriptors[CONTROL], 7, boots ? 0 : O_CLOEXEC) < 0)
        return -1;
    return boots && (dup2(order->descriptors[OUTPUT], 5) < 0 || dup2(order->descriptors[ERRORS], 6) < 0) ? -1 : 0;
}

/* The steps of the copy, in the order in which each is still possible. */
static enum step confine(struct received *order)
{
    static const int spaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
    if (join_groups(order) < 0)
        return GROUPED;
    if (setns(order->descriptors[SHELL], spaces) < 0)
        return ENTERED;
    if (order->order.landlock && restrict_self() < 0)
        return SOCKETS;
    if (limit_process(&order->order) < 0)
        return LIMITED;
    if (order->order.kind == EXEC_ORDER && default_signals() < 0)
        return LIMITED;
    if (drop_privileges() < 0)
        return UNPRIVILEGED;
    return filtered() < 0 ? FILTERED : NO_STEP;
}

/* In the copy. What fails ends it, and its maker says so. */
static void become_program(int server, struct received *order, int word)
{
    int moved_server = fcntl(server, F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
    int moved_word = fcntl(word, F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
    int self = (int)syscall(PIDFD_OPEN, getpid(), 0);
    self = self < 0 ? -1 : fcntl(self, F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
    int group = leader < 0 ? -1 : fcntl(leader, F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
    struct reply done = {moved_server < 0 || moved_word < 0 || self < 0 || group < 0 || wire(order) < 0 ? WIRED : NO_STEP, 0};
    done.step = done.step ? done.step : confine(order);
    done.error = (uint32_t)(done.step ? errno : 0);
    /* The one between is gone in a moment. */
    while (!done.step && getppid() != 1)
        sched_yield();
    if (write(moved_word, &done, sizeof done) != sizeof done || done.step || hatch_reply(moved_server, NO_STEP, 0, self, group) < 0)
        _exit(FAILED);
    if (order->order.kind == FORK_ORDER)
        syscall(CLOSE_RANGE, 3U, 6U, 0);
    syscall(CLOSE_RANGE, order->order.kind == FORK_ORDER ? 8U : 3U, ~0U, order->order.kind == FORK_ORDER ? 0 : 4 /* on exec */);
    /* Those that a guest expects stay open. */
    for (int each = 5; order->order.kind == EXEC_ORDER && each <= 7; each++)
        fcntl(each, F_SETFD, 0);
}

/* Apart, because memory is shared until the one between ends: its maker's own frame stays as it is. */
static __attribute__((noinline)) int fork_once(void)
{
    leader = setsid() < 0 ? -1 : (int)syscall(PIDFD_OPEN, getpid(), 0);
    pid_t program = fork();
    if (program != 0)
        _exit(program < 0);
    return 1;
}

int hatch_program(int server, struct received *order)
{
    int word[2];
    struct reply done = {DIED, 0};
    if (order->count < GROUPS || pipe2(word, O_CLOEXEC) < 0)
        return hatch_reply(server, RECEIVED, errno, -1, -1), 0;
    if (setns(order->descriptors[SHELL], CLONE_NEWPID) < 0) {
        done = (struct reply){ENTERED, (uint32_t)errno};
    } else {
        pid_t between = vfork();
        if (between == 0 && fork_once()) {
            become_program(server, order, word[1]);
            return 1;
        }
        int failed = errno;
        /* What cannot come back would fork into a shell that is not its own. */
        if (setns(own_processes, CLONE_NEWPID) < 0)
            _exit(FAILED);
        close(word[1]);
        errno = failed;
        if (between < 0)
            done = (struct reply){CLONED, (uint32_t)errno};
        else if (read(word[0], &done, sizeof done) != sizeof done)
            done = (struct reply){DIED, 0};
        waitpid(between, NULL, 0);
    }
    close(word[0]);
    if (done.step)
        hatch_reply(server, done.step, (int)done.error, -1, -1);
    return 0;
}

/* ---- what a zygote calls, see python/zygote.py ---- */

enum { ZYGOTE_SERVER = 3 };

static struct received zygote_order;

int zygote_ready(const char *path)
{
    return hatch_prepare(path) < 0 ? -1 : hatch_reply(ZYGOTE_SERVER, NO_STEP, 0, (int)syscall(PIDFD_OPEN, getpid(), 0), -1);
}

/* 1: there is an order that this one can carry out; 0: there never will be one. */
int zygote_wait(void)
{
    int received;
    while ((received = hatch_receive(ZYGOTE_SERVER, &zygote_order)) != 0) {
        if (received > 0 && zygote_order.order.kind == FORK_ORDER)
            return 1;
        hatch_release(&zygote_order);
        hatch_reply(ZYGOTE_SERVER, RECEIVED, EINVAL, -1, -1);
    }
    return 0;
}

/* 1 in the program, 0 in the zygote. */
int zygote_hatch(void)
{
    int inside = hatch_program(ZYGOTE_SERVER, &zygote_order);
    if (!inside)
        hatch_release(&zygote_order);
    return inside;
}
