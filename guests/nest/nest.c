/*
 * The nest: keeps what sandboxes of one caller have in common, and makes them in about a millisecond each. It stands
 * where bubblewrap does, which starts from nothing every time.
 *
 *   server (root) -- outer (waits) -- nest, process 1 of its namespaces: a host user of its own, no privilege outside
 *                                       |- zygote: a booted interpreter that waits for orders and forks
 *                                       '- shell's first process, of another host user, in namespaces below the nest's
 *                                             '- program, of a third host user
 *
 *   nest outer MAP OOM-SCORE GROUP-FILE... -- ROOT-ROWS -- SHELL-ROWS
 *
 * 1. "outer" joins the nest's control group, makes its namespaces, and writes which host users exist in them.
 * 2. The nest executes itself ("inside"), so that its memory belongs to its own user namespace: only then may it be
 *    looked at by those who enter what it makes.
 * 3. It makes the root that every shell copies, by the rows of the server's plan; /proc stays
 *    uncovered, or the kernel would allow no new one below. It gives up new privileges and all system calls but a
 *    program's and the few it needs itself, and says that it is ready.
 * 4. It carries out orders (hatch.h) until nobody can send any more. Then it ends, and everything in it dies.
 *
 * A shell has user, mount, process, ipc, host name, control group and network namespaces of its own. Two users exist
 * in it. Its first process mounts what is private, waits for the program, writes its status, and ends, by which
 * everything else in the shell is killed. It never reads anything that a program could write.
 */
#include "hatch.h"

#include <net/if.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>

enum { MOUNT_SETATTR = 442, FIRST_PROGRAM = 3 };

static const int SPACES = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;

/* The rows of the plan that every shell carries out for itself. */
static char **shell_rows;

/* Ends this process if something has failed. */
static void need(const char *failed)
{
    if (failed) {
        fprintf(stderr, "nest: %s: %s\n", failed, strerror(errno));
        _exit(FAILED);
    }
}

static const char *write_file(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    ssize_t written = write(file, text, strlen(text));
    close(file);
    return written == (ssize_t)strlen(text) ? NULL : path;
}

/* Copies this process into new namespaces; 0 in the copy. */
static pid_t clone_into_spaces(void)
{
    return (pid_t)syscall(SYS_clone, (unsigned long)SPACES | SIGCHLD, 0, 0, 0, 0);
}

static const char *map_users(pid_t process, const char *map)
{
    char users[64], groups[64];
    snprintf(users, sizeof users, "/proc/%d/uid_map", process);
    snprintf(groups, sizeof groups, "/proc/%d/gid_map", process);
    MUST(!write_file(users, map) && !write_file(groups, map));
    return NULL;
}

static const char *become(uid_t user)
{
    MUST(syscall(SYS_setresgid, user, user, user) == 0);
    MUST(syscall(SYS_setresuid, user, user, user) == 0);
    return NULL;
}

/* ---- mounts ---- */

/* Makes a place, a directory or an empty file, and what is missing on the way to it. */
static const char *make_place(char *path, mode_t type)
{
    for (char *slash = path; (slash = strchr(slash + 1, '/')); *slash = '/') {
        *slash = 0;
        mkdir(path, 0755);
    }
    if (!S_ISDIR(type))
        mknod(path, S_IFREG | 0444, 0);
    else
        mkdir(path, 0755);
    return access(path, F_OK) == 0 ? NULL : path;
}

/* Mount flags; those a plan uses have the same values as the attributes they are changed to here. */
static const char *set_flags(const char *path, uint64_t flags, int below)
{
    uint64_t attributes[4] = {flags, 0, 0, 0}; /* set, cleared, propagation, users */
    MUST(syscall(MOUNT_SETATTR, AT_FDCWD, path, below, attributes, sizeof attributes) == 0);
    return NULL;
}

static const char *carry_out_one(const char *kind, char *from, char *place, unsigned long flags, const char *old_root)
{
    char source[4096];
    struct stat found = {.st_mode = S_IFDIR};
    int is_shown = !strcmp(kind, "show");
    if (!strcmp(kind, "write"))
        return write_file(place, from);
    if (!strcmp(kind, "link"))
        return symlink(from, place) == 0 ? NULL : place;
    if (!strcmp(kind, "flags"))
        return set_flags(place, flags, 0);
    MUST(!is_shown || snprintf(source, sizeof source, "%s%s", old_root, from) < (int)sizeof source);
    MUST(!is_shown || stat(source, &found) == 0);
    MUST(!make_place(place, found.st_mode));
    if (!strcmp(kind, "directory"))
        return NULL;
    if (!is_shown)
        return mount(kind, place, kind, flags, from) == 0 ? NULL : place;
    MUST(mount(source, place, NULL, MS_BIND | MS_REC, NULL) == 0);
    return set_flags(place, flags, AT_RECURSIVE);
}

/* Carries out rows of a plan up to "--" or their end: what is done, from what, where, and the flags of what is mounted.
 * What is shown comes from the old root. NULL, or the place where it failed. */
static const char *carry_out(char **row, const char *old_root)
{
    for (; *row && strcmp(*row, "--"); row += 4) {
        MUST(row[1] && row[2] && row[3]);
        if (carry_out_one(row[0], row[1], row[2], strtoul(row[3], NULL, 10), old_root))
            return row[2];
    }
    return NULL;
}

/* ---- shells ---- */

static const char *furnish_shell(const struct received *order)
{
    struct ifreq loopback = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    for (int each = 1; each < order->count; each++)
        MUST(write(order->descriptors[each], "0", 1) == 1);
    MUST(unshare(CLONE_NEWCGROUP) == 0);
    MUST(!become(0));
    int asked = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    MUST(ioctl(asked, SIOCSIFFLAGS, &loopback) == 0);
    const char *failed = carry_out(shell_rows, "");
    return failed ? failed : carry_out((char **)order->words, "");
}

/* The program is the third: this one, the one between, the program. Whatever else comes here is reaped. */
static void wait_for_program(const sigset_t *children)
{
    for (;;) {
        int how;
        pid_t ended;
        while ((ended = waitpid(-1, &how, WNOHANG)) > 0)
            if (ended == FIRST_PROGRAM)
                _exit(write(0, &how, sizeof how) == sizeof how ? 0 : FAILED);
        sigwaitinfo(children, NULL);
    }
}

static void be_first_process(const struct received *order, int word)
{
    char go;
    sigset_t children;
    struct __user_cap_header_struct version = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &children, NULL);
    struct reply done = outcome(read(word, &go, 1) == 1 ? furnish_shell(order) : "start");
    if (write(word, &done, sizeof done) != sizeof done || *done.failed ||
        send_reply(done, (int)syscall(PIDFD_OPEN, getpid(), 0), -1) < 0)
        _exit(FAILED);
    if (dup2(order->descriptors[0], 0) < 0 || syscall(CLOSE_RANGE, 1U, ~0U, 0) < 0 ||
        syscall(SYS_capset, &version, none) < 0)
        _exit(FAILED);
    wait_for_program(&children);
}

static void make_shell(const struct received *order)
{
    int word[2];
    char map[64];
    if (order->count < 1 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, word) < 0)
        return refuse("a shell's descriptors");
    pid_t first = clone_into_spaces();
    if (first == 0) {
        close(word[0]);
        be_first_process(order, word[1]);
    }
    snprintf(map, sizeof map, "0 %u 1\n%d %u 1\n", order->order.first_user, PROGRAM_USER, order->order.program_user);
    const char *failed = first < 0 ? "clone" : map_users(first, map);
    close(word[1]);
    hear(word[0], failed || write(word[0], "", 1) == 1 ? failed : "start");
}

/* ---- what is executed: zygotes, and guests that boot ---- */

/* What comes from now on is out of the way of what programs are given. */
static void keep_low_descriptors(void)
{
    for (int each = 3; each < SERVER; each++)
        dup2(0, each);
}

static void execute(const struct received *order)
{
    execvpe(*order->words, order->words, order->environment);
    need(*order->words);
}

/* It may enter what the nest makes, and nothing else of what a root can do. */
static void start_zygote(const struct received *order)
{
    int pipes[2];
    pid_t zygote = order->count == 1 && *order->words ? fork() : -1;
    if (zygote < 0)
        return refuse("fork of a zygote");
    if (zygote > 0) {
        send_reply(outcome(NULL), (int)syscall(PIDFD_OPEN, zygote, 0), -1);
        return;
    }
    for (int each = 0; each < 64; each++)
        if (each != CAP_SYS_ADMIN && each != CAP_SYS_PTRACE)
            prctl(PR_CAPBSET_DROP, each, 0, 0, 0);
    /* All pipes, as a program has them: an interpreter looks at them when it starts. */
    if (pipe2(pipes, 0) < 0 || dup2(pipes[0], 0) < 0 || dup2(order->descriptors[0], SERVER) < 0)
        need("zygote");
    keep_low_descriptors();
    syscall(CLOSE_RANGE, SERVER + 1U, ~0U, 0);
    default_signals();
    execute(order);
}

/* ---- the nest ---- */

static void serve(void)
{
    static struct received order;
    for (; receive(&order); release(&order)) {
        if (order.order.kind == SHELL_ORDER)
            make_shell(&order);
        else if (order.order.kind == ZYGOTE_ORDER)
            start_zygote(&order);
        else if (order.order.kind != EXEC_ORDER || !*order.words)
            refuse("an order for a nest");
        else if (hatch(&order))
            execute(&order);
    }
}

static const char *make_root(char **words)
{
    MUST(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0);
    MUST(mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") == 0);
    MUST(mkdir("/tmp/old", 0755) == 0 && syscall(SYS_pivot_root, "/tmp", "/tmp/old") == 0 && chdir("/") == 0);
    const char *failed = carry_out(words, "/old");
    if (failed)
        return failed;
    MUST(umount2("/old", MNT_DETACH) == 0 && rmdir("/old") == 0);
    return set_flags("/", MS_RDONLY, 0);
}

static int be_nest(char **words)
{
    keep_low_descriptors();
    int self = (int)syscall(PIDFD_OPEN, getpid(), 0);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || sethostname("sandbox", 7) < 0)
        need("host name");
    need(make_root(words));
    for (shell_rows = words; *shell_rows && strcmp(*shell_rows++, "--");)
        ;
    need(read_filter("/run/guest/nest/nest.bpf"));
    need(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? "privileges" : load_filter());
    need(prepare("/run/guest/nest/program.bpf"));
    signal(SIGCHLD, SIG_IGN);
    if (send_reply(outcome(NULL), self, -1) < 0)
        return FAILED;
    close(self);
    serve();
    return 0;
}

static void go_inside(int word, char **words)
{
    char go;
    if (read(word, &go, 1) != 1 || become(0) || syscall(SYS_setgroups, 0, NULL) < 0)
        need("users");
    words[-1] = "inside";
    words[-2] = "nest";
    execve("/proc/self/exe", words - 2, (char *[]){NULL});
    need("exec");
}

/* Its parent is the server's thread, whose death is its own. */
static int be_outer(char **words)
{
    /* What the kernel counts for users is counted for the nest's own, and held by limits of each program, not by ours
     * if we may raise them. */
    static const int COUNTED[] = {RLIMIT_NPROC, RLIMIT_MEMLOCK, RLIMIT_SIGPENDING, RLIMIT_MSGQUEUE};
    const char *map = words[0];
    uid_t user = (uid_t)atoi(map + 2);
    int word[2], how;
    need(write_file("/proc/self/oom_score_adj", words[1]));
    for (words += 2; *words && strcmp(*words, "--"); words++)
        need(write_file(*words, "0"));
    for (int each = 0; each < (int)(sizeof COUNTED / sizeof *COUNTED); each++)
        setrlimit((__rlimit_resource_t)COUNTED[each], &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
    if (!*words || pipe2(word, O_CLOEXEC) < 0 || syscall(SYS_setresuid, -1, user, -1) < 0)
        need("user");
    pid_t nest = clone_into_spaces();
    if (nest == 0)
        go_inside(word[0], words + 1);
    need(nest < 0 || syscall(SYS_setresuid, -1, 0, -1) < 0 ? "clone" : map_users(nest, map));
    need(syscall(SYS_setgroups, 0, NULL) < 0 ? "groups" : become(user));
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || write(word[1], "", 1) != 1)
        need("start");
    syscall(CLOSE_RANGE, 3U, ~0U, 0);
    return waitpid(nest, &how, 0) == nest && WIFEXITED(how) ? WEXITSTATUS(how) : FAILED;
}

int main(int count, char **words)
{
    syscall(CLOSE_RANGE, 3U, SERVER - 1U, 0);
    syscall(CLOSE_RANGE, SERVER + 1U, ~0U, 0);
    if (count > 4 && !strcmp(words[1], "outer"))
        return be_outer(words + 2);
    if (count > 2 && !strcmp(words[1], "inside"))
        return be_nest(words + 2);
    fprintf(stderr, "usage: nest outer MAP OOM-SCORE GROUP-FILE... -- ROWS -- ROWS\n");
    return FAILED;
}
