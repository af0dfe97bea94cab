/*
 * Hatching, and the orders by which the server asks for it: what the nest and its zygotes have in common.
 *
 * An order is one message on a socket that keeps messages apart, and a reply another. Orders are the server's alone; no
 * byte of a caller is in them.
 *
 * | order | to     | asks for                                    | descriptors                                     |
 * | S     | nest   | a shell: namespaces with a first process    | status pipe, files to join groups by            |
 * | X     | nest   | a program in a shell, by exec of the words  | pidfd of the shell, job, output, errors, control, |
 * |       |        |                                             | files to join groups by                         |
 * | F     | zygote | a program in a shell, by fork               | the same                                        |
 * | Z     | nest   | a zygote, by exec of the words              | its socket                                      |
 *
 * A reply says which step failed, with the kernel's error, or nothing and carries a pidfd: of the shell's first process,
 * of the program (and a second one by which its process group is signalled), of the zygote. Every order is answered, also
 * by whoever is left when the one who was asked has died.
 *
 * To hatch is to fork in the nest or in a zygote (a booted interpreter), to go over into a shell, and to give up
 * everything but what a program may have. The program's parent is to be the first process of its shell, which reaps it
 * and tells the server how it ended. So there is a process between, which has the memory of its maker (vfork) and
 * therefore costs next to nothing: it is born into the shell's process namespace, forks the program, which is the one
 * copy that is made, and ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "../gate/restrict.h"

enum { ORDER_BYTES_MAX = 32768, DESCRIPTORS_MAX = 16, LIMITS_MAX = 12, STRINGS_MAX = 256, INSTRUCTIONS_MAX = 4096 };
enum { PIDFD_OPEN = 434, CLOSE_RANGE = 436, FAILED = 125 };

/* The server's socket. What is below it, programs are given: nothing of ours is ever in the way there. */
enum { SERVER = 10 };

enum { SHELL_ORDER = 'S', EXEC_ORDER = 'X', FORK_ORDER = 'F', ZYGOTE_ORDER = 'Z' };

/* Inside a shell every program is this user, and its first process is user 0. */
enum { PROGRAM_USER = 1000 };

/* The descriptors of an X or F. */
enum { SHELL, JOB, OUTPUT, ERRORS, CONTROL, GROUPS };

struct order {
    uint32_t kind;
    uint32_t first_user;   /* of a shell, as the nest numbers them: the first process, */
    uint32_t program_user; /* and the program */
    uint32_t landlock;     /* whether the program gives up sockets outside private places */
    uint32_t limits_count;
    uint32_t unused;
    struct { int32_t resource, unused; uint64_t soft, hard; } limits[LIMITS_MAX];
    /* Strings follow, each ended by a NUL: words, an empty one, the environment, an empty one. */
};

struct reply {
    uint32_t error;
    char failed[60]; /* empty when nothing has */
};

/* An order as it was received, with its words and its environment each up to a NULL. */
struct received {
    union {
        struct order order;
        char bytes[ORDER_BYTES_MAX];
    };
    char *words[STRINGS_MAX];
    char **environment;
    int descriptors[DESCRIPTORS_MAX];
    int count;
};

/* In a function of steps, which returns NULL when all are done, or else the text of the one that was not. */
#define MUST(done) do if (!(done)) return #done; while (0)

static struct sock_filter instructions[INSTRUCTIONS_MAX];
static struct sock_fprog filter = {0, instructions};
static int own_processes = -1;

/* The one between, which leads the program's session and group, also when it is gone. */
static int leader = -1;

static const char *read_filter(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t bytes = read(file, instructions, sizeof instructions);
    close(file);
    MUST(bytes > 0 && (size_t)bytes < sizeof instructions && (size_t)bytes % sizeof *instructions == 0);
    filter.len = (unsigned short)((size_t)bytes / sizeof *instructions);
    return NULL;
}

static const char *load_filter(void)
{
    MUST(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0);
    return NULL;
}

static struct reply outcome(const char *failed)
{
    struct reply reply = {failed ? (uint32_t)errno : 0, ""};
    snprintf(reply.failed, sizeof reply.failed, "%s", failed ? failed : "");
    return reply;
}

static int send_reply(struct reply reply, int process, int group)
{
    int processes[2] = {process, group};
    size_t size = sizeof process * (group < 0 ? 1 : 2);
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof processes)];
    } rights = {.space = ""};
    struct iovec bytes = {&reply, sizeof reply};
    struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1};
    if (process >= 0) {
        message.msg_control = &rights;
        message.msg_controllen = CMSG_SPACE(size);
        rights.header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(size)};
        memcpy(CMSG_DATA(&rights.header), processes, size);
    }
    return sendmsg(SERVER, &message, MSG_NOSIGNAL) == sizeof reply ? 0 : -1;
}

static void refuse(const char *failed)
{
    send_reply(outcome(failed), -1, -1);
}

/* Waits for what a copy of this process says of itself, unless it failed before that. One that is done has answered the
 * order already; for one that failed or died it is answered here. */
static void hear(int word, const char *failed)
{
    struct reply done = outcome(failed);
    if (!failed && read(word, &done, sizeof done) != sizeof done)
        done = (struct reply){0, "death"};
    if (*done.failed)
        send_reply(done, -1, -1);
    close(word);
}

/* Every word and the whole are ended, or it is no order. */
static int is_whole(struct received *order, size_t bytes)
{
    char *at = order->bytes + sizeof order->order, *end = order->bytes + bytes;
    int ends = 0;
    if (at >= end || end[-1] || order->order.limits_count > LIMITS_MAX)
        return 0;
    for (int place = 0; at < end && place < STRINGS_MAX && ends < 2; at += strlen(at) + 1) {
        order->words[place++] = *at ? at : NULL;
        if (!*at && ends++ == 0)
            order->environment = order->words + place;
    }
    return at == end && ends == 2;
}

static void release(struct received *order)
{
    while (order->count > 0)
        close(order->descriptors[--order->count]);
}

/* Waits for an order; 0 when nobody is left who could send one. */
static int receive(struct received *into)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof into->descriptors)];
    } rights;
    struct iovec bytes = {into->bytes, sizeof into->bytes};
    for (;;) {
        struct msghdr message = {NULL, 0, &bytes, 1, &rights, sizeof rights, 0};
        ssize_t count = recvmsg(SERVER, &message, MSG_CMSG_CLOEXEC);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return 0;
        struct cmsghdr *given = CMSG_FIRSTHDR(&message);
        into->count = given ? (int)((given->cmsg_len - CMSG_LEN(0)) / sizeof *into->descriptors) : 0;
        memcpy(into->descriptors, CMSG_DATA(&rights.header), (size_t)into->count * sizeof *into->descriptors);
        if (!(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) && is_whole(into, (size_t)count))
            return 1;
        release(into);
        refuse("a whole order");
    }
}

/* A guest that boots finds its output at 5 and 6, and what goes wrong before that among the errors. */
static const char *wire(const struct received *order)
{
    const int *given = order->descriptors;
    int boots = order->order.kind == EXEC_ORDER;
    MUST(dup2(given[JOB], 0) == 0 && dup2(given[boots ? ERRORS : OUTPUT], 1) == 1 && dup2(given[ERRORS], 2) == 2);
    MUST(dup3(given[CONTROL], 7, boots ? 0 : O_CLOEXEC) == 7);
    MUST(!boots || (dup2(given[OUTPUT], 5) == 5 && dup2(given[ERRORS], 6) == 6));
    return NULL;
}

/* The steps of the copy, in the order in which each is still possible. The kernel is called itself where a C library
 * would ask other threads to follow: there are none. */
static const char *confine(const struct received *order)
{
    static const int all = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
    struct __user_cap_header_struct version = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    /* Who joins by writing moves one thread, itself, and waits for nobody. */
    for (int each = GROUPS; each < order->count; each++)
        MUST(write(order->descriptors[each], "0", 1) == 1);
    MUST(setns(order->descriptors[SHELL], all) == 0);
    MUST(!order->order.landlock || restrict_self() == 0);
    for (uint32_t each = 0; each < order->order.limits_count; each++)
        MUST(syscall(SYS_prlimit64, 0, order->order.limits[each].resource, &order->order.limits[each].soft, NULL) == 0);
    MUST(order->order.kind == FORK_ORDER || default_signals() == 0);
    for (int each = 0; prctl(PR_CAPBSET_DROP, each, 0, 0, 0) == 0; each++)
        ;
    MUST(syscall(SYS_setresgid, PROGRAM_USER, PROGRAM_USER, PROGRAM_USER) == 0);
    MUST(syscall(SYS_setresuid, PROGRAM_USER, PROGRAM_USER, PROGRAM_USER) == 0);
    MUST(syscall(SYS_capset, &version, none) == 0);
    /* What changed its user is not its own in /proc until it says that it may be. */
    MUST(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0);
    return load_filter();
}

/* In the copy. What fails ends it, and its maker says so. */
static void become_program(const struct received *order, int word)
{
    int self = (int)syscall(PIDFD_OPEN, getpid(), 0);
    const char *failed = self < 0 || leader < 0 ? "processes" : wire(order);
    struct reply done = outcome(failed ? failed : confine(order));
    /* The one between is gone in a moment. */
    while (!*done.failed && getppid() != 1)
        sched_yield();
    if (write(word, &done, sizeof done) != sizeof done || *done.failed || send_reply(done, self, leader) < 0)
        _exit(FAILED);
    syscall(CLOSE_RANGE, 3U, order->order.kind == FORK_ORDER ? 6U : 4U, 0);
    syscall(CLOSE_RANGE, 8U, ~0U, 0);
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

/* Carries out X or F: 0 in the nest or zygote, with the order answered; 1 in the program. */
static int hatch(const struct received *order)
{
    int word[2];
    if (order->count < GROUPS || pipe2(word, O_CLOEXEC) < 0)
        return refuse("descriptors"), 0;
    const char *failed = setns(order->descriptors[SHELL], CLONE_NEWPID) < 0 ? "setns by a pidfd" : NULL;
    pid_t between = failed ? -1 : vfork();
    if (between == 0 && fork_once()) {
        become_program(order, word[1]);
        return 1;
    }
    int error = errno;
    /* What cannot come back would fork into a shell that is not its own. */
    if (setns(own_processes, CLONE_NEWPID) < 0)
        _exit(FAILED);
    close(word[1]);
    errno = error;
    hear(word[0], failed ? failed : between < 0 ? "vfork" : NULL);
    if (between > 0)
        waitpid(between, NULL, 0);
    return 0;
}

/* Once, before the first order: what hatching needs later. */
static const char *prepare(const char *program_filter)
{
    own_processes = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
    MUST(own_processes >= 0);
    return read_filter(program_filter);
}
