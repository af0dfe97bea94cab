/*
 * Hatching, and the orders by which the server asks for it: what the nest and its zygotes have in common.
 *
 * An order is one message on a socket that keeps messages apart, and a reply another. Orders are the server's alone; no
 * byte of a caller is in them.
 *
 * | order | to     | asks for                            | descriptors                                             |
 * | S     | nest   | a shell                             | status pipe, a network or none, files to join groups by |
 * | X     | nest   | a program in it, by exec of words   | pidfd of the shell, ends of pipes, files as above       |
 * | F     | zygote | a program in it, by fork            | the same                                                |
 * | Z     | nest   | a zygote, by exec of words          | a pipe, its socket                                      |
 *
 * A reply says which step failed, with the kernel's error, or nothing and carries a pidfd: of the shell's first process,
 * of the program (and a second one by which its process group is signalled), of the zygote. Every order is answered, also
 * by whoever is left when the one who was asked has died.
 *
 * To hatch is to fork in the nest or in a zygote (a booted interpreter), to go over into a shell, and to give up
 * everything but what a program may have. The program's parent is to be the first process of its shell, which reaps it
 * and tells the server how it ended. So there is a process between, which has the memory of its maker (vfork) and
 * therefore costs next to nothing: it is born into the shell's process namespace, forks the program, which is the one
 * copy that is made, and ends. Where groups are of version 2 it is a copy too, which is born into the group.
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

enum { ORDER_BYTES_MAX = 32768, DESCRIPTORS_MAX = 16, STRINGS_MAX = 256, INSTRUCTIONS_MAX = 4096 };
enum { LIMITS_MAX = 12, WIRES_MAX = 12 };
enum { PIDFD_OPEN = 434, CLONE3 = 435, CLOSE_RANGE = 436, FAILED = 125 };
static const uint64_t CLONE_INTO_GROUP = 1ULL << 33;

/* The server's socket. What is below it, programs are given: nothing of ours is ever in the way there. */
enum { SERVER = 10 };
enum { SHELL_ORDER = 'S', EXEC_ORDER = 'X', FORK_ORDER = 'F', ZYGOTE_ORDER = 'Z' };

/* Inside a shell every program is this user, and its first process is user 0. */
enum { PROGRAM_USER = 1000 };

/* An order as it was received, with its words and its environment each up to a NULL. */
static struct received {
    union {
        struct order {
            uint32_t kind;
            uint32_t first_user;   /* of a shell, as the nest numbers them: the first process, */
            uint32_t program_user; /* and the program */
            uint32_t landlock;     /* whether the program gives up sockets outside private places */
            uint32_t limits_count, wires_count;
            uint32_t first_group; /* of the descriptors, by which groups are joined */
            uint32_t home;        /* which of them is the group to be born in; 0: none, as in version 1 */
            uint32_t network;     /* which is the network of a shell that is dead, to be used again; 0: a new one */
            uint32_t unused;
            struct { int32_t resource, unused; uint64_t soft, hard; } limits[LIMITS_MAX];
            struct { uint32_t descriptor; int32_t place; } wires[WIRES_MAX]; /* which is to be found where */
            /* Strings follow, each ended by a NUL: words, an empty one, the environment, an empty one. */
        } order;
        char bytes[ORDER_BYTES_MAX];
    };
    char *words[STRINGS_MAX];
    char **environment;
    int descriptors[DESCRIPTORS_MAX];
    int count;
} received;

struct reply {
    uint32_t error;
    char failed[60]; /* empty when nothing has */
};

/* In a function of steps, which returns NULL when all are done, or else the text of the one that was not. */
#define MUST(done) do if (!(done)) return #done; while (0)

static struct sock_filter instructions[INSTRUCTIONS_MAX];
static struct sock_fprog filter = {0, instructions};
static int own_processes = -1;

/* The one between, which leads the program's session and group, also when it is gone. */
static int leader = -1;

static int pidfd(pid_t process)
{
    return (int)syscall(PIDFD_OPEN, process, 0);
}

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

static const char *drop_capabilities(void)
{
    struct __user_cap_header_struct version = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    MUST(syscall(SYS_capset, &version, none) == 0);
    return NULL;
}

/* Answers an order: with what failed, or with the process that it was for and the leader of its group. */
static int answer(const char *failed, int process, int group)
{
    struct reply reply = {failed ? (uint32_t)errno : 0, ""};
    int processes[2] = {process, group};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof processes)];
    } rights = {.header = {CMSG_LEN(sizeof processes), SOL_SOCKET, SCM_RIGHTS}};
    struct iovec bytes = {&reply, sizeof reply};
    struct msghdr message = {NULL, 0, &bytes, 1, failed ? NULL : &rights, failed ? 0 : sizeof rights, 0};
    snprintf(reply.failed, sizeof reply.failed, "%s", failed ? failed : "");
    memcpy(CMSG_DATA(&rights.header), processes, sizeof processes);
    return sendmsg(SERVER, &message, MSG_NOSIGNAL) == sizeof reply ? 0 : -1;
}

static void refuse(const char *failed)
{
    answer(failed, -1, -1);
}

/* Waits until a copy of this process is about to answer its order, and answers for one that was not made or has died. */
static void hear(int word, const char *failed)
{
    char coming;
    if (failed || read(word, &coming, 1) != 1)
        refuse(failed ? failed : "death");
    close(word);
}

/* Every word and the whole are ended, or it is no order. */
static int is_whole(size_t bytes)
{
    char *at = received.bytes + sizeof received.order, *end = received.bytes + bytes;
    int ends = 0;
    if (at >= end || end[-1] || received.order.limits_count > LIMITS_MAX || received.order.wires_count > WIRES_MAX)
        return 0;
    for (int place = 0; at < end && place < STRINGS_MAX && ends < 2; at += strlen(at) + 1) {
        received.words[place++] = *at ? at : NULL;
        if (!*at && ends++ == 0)
            received.environment = received.words + place;
    }
    return at == end && ends == 2;
}

static void release(void)
{
    while (received.count > 0)
        close(received.descriptors[--received.count]);
}

/* Waits for an order; 0 when nobody is left who could send one. */
static int receive(void)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof received.descriptors)];
    } rights;
    struct iovec bytes = {received.bytes, sizeof received.bytes};
    for (;;) {
        struct msghdr message = {NULL, 0, &bytes, 1, &rights, sizeof rights, 0};
        ssize_t count = recvmsg(SERVER, &message, MSG_CMSG_CLOEXEC);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return 0;
        struct cmsghdr *given = CMSG_FIRSTHDR(&message);
        received.count = given ? (int)((given->cmsg_len - CMSG_LEN(0)) / sizeof *received.descriptors) : 0;
        memcpy(received.descriptors, CMSG_DATA(&rights.header), (size_t)received.count * sizeof(int));
        if (!(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) && is_whole((size_t)count))
            return 1;
        release();
        refuse("a whole order");
    }
}

/* Copies this process into new namespaces, and into the group of version 2 that is its home, where there is one: who moves
 * there later waits for every processor. 0 in the copy. */
static pid_t clone_into(uint64_t spaces)
{
    uint64_t how[11] = {spaces | CLONE_INTO_GROUP, [4] = SIGCHLD, [10] = (uint64_t)received.descriptors[received.order.home]};
    if (!received.order.home)
        return (pid_t)syscall(SYS_clone, spaces | SIGCHLD, 0, 0, 0, 0);
    return (pid_t)syscall(CLONE3, how, sizeof how);
}

/* Who joins by writing moves one thread, itself, and waits for nobody. */
static const char *join_groups(void)
{
    for (int each = (int)received.order.first_group; each < received.count; each++)
        MUST(write(received.descriptors[each], "0", 1) == 1);
    return NULL;
}

static const char *become(uid_t user)
{
    /* The kernel is called itself where a C library would ask other threads to follow: there are none. */
    MUST(syscall(SYS_setresgid, user, user, user) == 0 && syscall(SYS_setresuid, user, user, user) == 0);
    return NULL;
}

/* Programs do not hand on to others what is only for their interpreter, unless that is yet to be executed. */
static const char *wire(void)
{
    for (uint32_t each = 0; each < received.order.wires_count; each++) {
        uint32_t from = received.order.wires[each].descriptor;
        int to = received.order.wires[each].place;
        MUST(from < DESCRIPTORS_MAX);
        MUST(dup3(received.descriptors[from], to, received.order.kind == FORK_ORDER && to > 2 ? O_CLOEXEC : 0) == to);
    }
    return NULL;
}

/* The steps of the copy, in the order in which each is still possible. */
static const char *confine(void)
{
    static const int all = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
    const struct order *order = &received.order;
    MUST(!join_groups());
    MUST(setns(*received.descriptors, all) == 0);
    MUST(!order->landlock || restrict_self() == 0);
    for (uint32_t each = 0; each < order->limits_count; each++)
        MUST(syscall(SYS_prlimit64, 0, order->limits[each].resource, &order->limits[each].soft, NULL) == 0);
    MUST(order->kind == FORK_ORDER || default_signals() == 0);
    for (int each = 0; prctl(PR_CAPBSET_DROP, each, 0, 0, 0) == 0; each++)
        ;
    MUST(!become(PROGRAM_USER) && !drop_capabilities());
    /* What changed its user is not its own in /proc until it says that it may be. */
    MUST(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0);
    return load_filter();
}

/* In the copy. What fails ends it. */
static void become_program(int word)
{
    int self = pidfd(getpid());
    const char *failed = self < 0 || leader < 0 ? "processes" : wire();
    if (!failed)
        failed = confine();
    /* The one between is gone in a moment. */
    while (!failed && getppid() != 1)
        sched_yield();
    if (write(word, "", 1) != 1 || answer(failed, self, leader) < 0 || failed)
        _exit(FAILED);
    syscall(CLOSE_RANGE, 3U, received.order.kind == FORK_ORDER ? 6U : 4U, 0);
    syscall(CLOSE_RANGE, 8U, ~0U, 0);
}

/* Apart, because memory is shared until the one between ends: its maker's own frame stays as it is. */
static __attribute__((noinline)) int fork_once(void)
{
    leader = setsid() < 0 ? -1 : pidfd(getpid());
    pid_t program = fork();
    if (program != 0)
        _exit(program < 0);
    return 1;
}

/* Carries out X or F: 0 in the nest or zygote, with the order answered; 1 in the program. */
static int hatch(void)
{
    int word[2];
    if (received.count < (int)received.order.first_group || pipe2(word, O_CLOEXEC) < 0)
        return refuse("descriptors"), 0;
    const char *failed = setns(*received.descriptors, CLONE_NEWPID) < 0 ? "setns by a pidfd" : NULL;
    pid_t between = failed ? -1 : received.order.home ? clone_into(0) : vfork();
    if (between == 0 && fork_once()) {
        become_program(word[1]);
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
