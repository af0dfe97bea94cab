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
static int own_network = -1;

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

static const char *map_users(pid_t process, const char *map)
{
    char users[64], groups[64];
    snprintf(users, sizeof users, "/proc/%d/uid_map", process);
    snprintf(groups, sizeof groups, "/proc/%d/gid_map", process);
    MUST(!write_file(users, map) && !write_file(groups, map));
    return NULL;
}

/* ---- mounts ---- */

/* Mount flags; those a plan uses have the same values as the attributes they are changed to here. */
static const char *set_flags(const char *path, uint64_t flags, int below)
{
    uint64_t attributes[4] = {flags, 0, 0, 0}; /* set, cleared, propagation, users */
    MUST(syscall(MOUNT_SETATTR, AT_FDCWD, path, below, attributes, sizeof attributes) == 0);
    return NULL;
}

static const char *carry_out_one(const char *kind, char *from, char *place, unsigned long flags)
{
    struct stat found = {.st_mode = S_IFDIR};
    int is_shown = !strcmp(kind, "show");
    if (!strcmp(kind, "write"))
        return write_file(place, from);
    if (!strcmp(kind, "link"))
        return symlink(from, place) == 0 ? NULL : place;
    if (!strcmp(kind, "flags"))
        return set_flags(place, flags, 0);
    MUST(!is_shown || stat(from, &found) == 0);
    /* All others need a place, a directory or a file, and what is missing on the way to it. */
    for (char *slash = place; (slash = strchr(slash + 1, '/')); *slash = '/') {
        *slash = 0;
        mkdir(place, 0755);
    }
    int made = S_ISDIR(found.st_mode) ? mkdir(place, 0755) : mknod(place, S_IFREG | 0444, 0);
    MUST(made == 0 || errno == EEXIST);
    if (is_shown)
        return mount(from, place, NULL, MS_BIND | MS_REC, NULL) < 0 ? place : set_flags(place, flags, AT_RECURSIVE);
    return !strcmp(kind, "directory") || mount(kind, place, kind, flags, from) == 0 ? NULL : place;
}

/* Carries out rows of a plan up to "--" or their end: what is done, from what, where, and the flags of what is mounted.
 * NULL, or the place where it failed. */
static const char *carry_out(char **row)
{
    for (; *row && strcmp(*row, "--"); row += 4) {
        MUST(row[1] && row[2] && row[3]);
        if (carry_out_one(row[0], row[1], row[2], strtoul(row[3], NULL, 10)))
            return row[2];
    }
    return NULL;
}

/* ---- shells ---- */

static const char *furnish_shell(void)
{
    struct ifreq loopback = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    MUST(!join_groups());
    MUST(unshare(CLONE_NEWCGROUP) == 0);
    MUST(!become(0));
    MUST(received.order.network || ioctl(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), SIOCSIFFLAGS, &loopback) == 0);
    const char *failed = carry_out(received.words);
    return failed ? failed : carry_out(shell_rows);
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

static void be_first_process(int word)
{
    char go;
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &children, NULL);
    if (read(word, &go, 1) != 1)
        _exit(FAILED);
    const char *failed = furnish_shell();
    int self = pidfd(getpid());
    if (write(word, "", 1) != 1 || answer(failed, self, self) < 0 || failed)
        _exit(FAILED);
    if (dup2(received.descriptors[0], 0) < 0 || syscall(CLOSE_RANGE, 1U, ~0U, 0) < 0 || drop_capabilities())
        _exit(FAILED);
    wait_for_program(&children);
}

/* Only the nest may enter a network that is there: what it copies has a user namespace of its own. */
static pid_t clone_shell(void)
{
    if (!received.order.network)
        return clone_into(SPACES);
    pid_t first = setns(received.descriptors[received.order.network], CLONE_NEWNET) < 0 ? -1 : clone_into(SPACES & ~CLONE_NEWNET);
    if (first != 0 && setns(own_network, CLONE_NEWNET) < 0)
        _exit(FAILED);
    return first;
}

static void make_shell(void)
{
    int word[2];
    char map[64];
    if (received.count < (int)received.order.first_group || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, word))
        return refuse("a shell's descriptors");
    pid_t first = clone_shell();
    if (first == 0) {
        close(word[0]);
        be_first_process(word[1]);
    }
    snprintf(map, sizeof map, "0 %u 1\n%d %u 1\n", received.order.first_user, PROGRAM_USER, received.order.program_user);
    const char *failed = first < 0 ? "clone" : map_users(first, map);
    close(word[1]);
    hear(word[0], failed || write(word[0], "", 1) == 1 ? failed : "start");
}

/* ---- what is executed: zygotes, and guests that boot ---- */

static void execute(void)
{
    execvpe(*received.words, received.words, received.environment);
    need(*received.words);
}

/* It may enter what the nest makes, and nothing else of what a root can do. */
static void start_zygote(void)
{
    pid_t zygote = fork();
    if (zygote != 0) {
        int started = pidfd(zygote);
        answer(zygote < 0 ? "fork of a zygote" : NULL, started, started);
        close(started);
        return;
    }
    for (int each = 0; each < 64; each++)
        if (each != CAP_SYS_ADMIN && each != CAP_SYS_PTRACE)
            prctl(PR_CAPBSET_DROP, each, 0, 0, 0);
    need(wire());
    syscall(CLOSE_RANGE, SERVER + 1U, ~0U, 0);
    default_signals();
    execute();
}

/* ---- the nest ---- */

static void serve(void)
{
    for (; receive(); release()) {
        if (received.order.kind == SHELL_ORDER)
            make_shell();
        else if (received.order.kind == ZYGOTE_ORDER)
            start_zygote();
        else if (received.order.kind != EXEC_ORDER)
            refuse("an order for a nest");
        else if (hatch())
            execute();
    }
}

static const char *make_root(char **words)
{
    MUST(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0);
    MUST(mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") == 0);
    MUST(mkdir("/tmp/old", 0755) == 0 && syscall(SYS_pivot_root, "/tmp", "/tmp/old") == 0 && chdir("/") == 0);
    const char *failed = carry_out(words);
    if (failed)
        return failed;
    MUST(umount2("/old", MNT_DETACH) == 0 && rmdir("/old") == 0);
    return set_flags("/", MS_RDONLY, 0);
}

static int be_nest(char **words)
{
    int self = pidfd(getpid());
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || sethostname("sandbox", 7) < 0)
        need("host name");
    need(make_root(words));
    for (shell_rows = words; *shell_rows && strcmp(*shell_rows++, "--");)
        ;
    need(read_filter("/run/guest/nest/nest.bpf"));
    need(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? "privileges" : load_filter());
    need(prepare("/run/guest/nest/program.bpf"));
    own_network = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    signal(SIGCHLD, SIG_IGN);
    if (answer(NULL, self, self) < 0)
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
    pid_t nest = clone_into(SPACES);
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
    syscall(CLOSE_RANGE, SERVER + 1U, ~0U, 0);
    if (count > 4 && !strcmp(words[1], "outer"))
        return be_outer(words + 2);
    if (count > 2 && !strcmp(words[1], "inside"))
        return be_nest(words + 2);
    fprintf(stderr, "usage: nest outer MAP OOM-SCORE GROUP-FILE... -- ROWS -- ROWS\n");
    return FAILED;
}
