/*
 * The nest: keeps what sandboxes of one caller have in common, and makes them in about a millisecond each. It stands
 * where bubblewrap does, which starts from nothing every time.
 *
 *   server (root) -- outer (waits) -- nest, process 1 of its namespaces: a host user of its own, no privilege outside
 *                                       |- zygote: a booted interpreter that waits for orders and forks
 *                                       '- shell's first process, of another host user, in namespaces below the nest's
 *                                             '- program, of a third host user
 *
 *   nest outer MAP OOM-SCORE GROUP-FILE... -- ROOT-WORDS -- SHELL-WORDS
 *
 * 1. "outer" joins the nest's control group, makes its namespaces, and writes which host users exist in them.
 * 2. The nest executes itself ("inside"), so that its memory belongs to its own user namespace: only then may it be
 *    looked at by those who enter what it makes.
 * 3. It makes the root that every shell copies, by the words of the server's plan, which are bubblewrap's; /proc stays
 *    uncovered, or the kernel would allow no new one below. It gives up new privileges and all system calls but a
 *    program's and the few it needs itself, and says that it is ready, on descriptor 3.
 * 4. It carries out orders (hatch.h) until nobody can send any more. Then it ends, and everything in it dies.
 *
 * A shell has user, mount, process, ipc, host name, control group and network namespaces of its own. Two users exist
 * in it. Its first process mounts what is private, waits for the program, writes its status, and ends, by which
 * everything else in the shell is killed. It never reads anything that a program could write.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hatch.h"

enum { SERVER = 3, ZYGOTE_SERVER = 3, FAILED = 125, PATH_BYTES = 4096, MOUNT_SETATTR = 442, FIRST_PROGRAM = 3 };
enum { PIDFD_OPEN = 434, CLOSE_RANGE = 436 };

static const int SPACES = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
static const char OLD[] = "/old";
static const char STRICT_FILTER[] = "/run/guest/nest/program.bpf";
static const char NEST_FILTER[] = "/run/guest/nest/nest.bpf";

static const int COUNTED[] = {RLIMIT_NPROC, RLIMIT_MEMLOCK, RLIMIT_SIGPENDING, RLIMIT_MSGQUEUE};

static char **shell_words;

static void die(const char *what)
{
    fprintf(stderr, "nest: %s: %s\n", what, strerror(errno));
    _exit(FAILED);
}

static int write_file(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    ssize_t written = file < 0 ? -1 : write(file, text, strlen(text));
    close(file);
    return written == (ssize_t)strlen(text) ? 0 : -1;
}

/* Copies this process into new namespaces; 0 in the copy. */
static pid_t clone_into(int spaces)
{
    return (pid_t)syscall(SYS_clone, (unsigned long)spaces | SIGCHLD, 0, 0, 0, 0);
}

static int map_users(pid_t process, const char *map)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/uid_map", process);
    if (write_file(path, map) < 0)
        return -1;
    snprintf(path, sizeof path, "/proc/%d/gid_map", process);
    return write_file(path, map);
}

static int become_first_user(void)
{
    return syscall(SYS_setresgid, 0, 0, 0) < 0 || syscall(SYS_setresuid, 0, 0, 0) < 0 ? -1 : 0;
}

/* ---- mounts ---- */

/* Makes what is missing on the way to a place, and the place: a directory, or an empty file. */
static int make_place(const char *path, int directory)
{
    char way[PATH_BYTES];
    if (strlen(path) >= sizeof way)
        return -1;
    strcpy(way, path);
    for (char *slash = strchr(way + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(way, 0755) < 0 && errno != EEXIST && errno != EROFS)
            return -1;
        *slash = '/';
    }
    if (directory)
        return mkdir(way, 0755) < 0 && errno != EEXIST && errno != EROFS ? -1 : 0;
    if (access(way, F_OK) == 0)
        return 0;
    int file = open(way, O_CREAT | O_WRONLY | O_CLOEXEC, 0444);
    return file < 0 ? -1 : close(file);
}

/* As the kernel's mount_attr: set, cleared, propagation, users. */
static int set_attributes(const char *path, uint64_t attributes, int below)
{
    uint64_t values[4] = {attributes, 0, 0, 0};
    return (int)syscall(MOUNT_SETATTR, AT_FDCWD, path, below, values, sizeof values);
}

static int show(const char *from, const char *source, const char *target, uint64_t attributes)
{
    char path[PATH_BYTES];
    struct stat found;
    if (snprintf(path, sizeof path, "%s%s", from, source) >= (int)sizeof path || stat(path, &found) < 0)
        return -1;
    if (make_place(target, S_ISDIR(found.st_mode)) < 0 || mount(path, target, NULL, MS_BIND | MS_REC, NULL) < 0)
        return -1;
    return set_attributes(target, attributes, AT_RECURSIVE);
}

static const uint64_t READ_ONLY = 1, NO_SUID = 2, NO_DEV = 4, NO_EXEC = 8;

static int mount_new(const char *type, const char *target, const char *options)
{
    unsigned long flags = MS_NOSUID | (strcmp(type, "devpts") ? MS_NODEV : 0) | (strcmp(type, "tmpfs") ? MS_NOEXEC : 0);
    return make_place(target, 1) < 0 ? -1 : mount(type, target, type, flags, options);
}

/* Of the user namespace of whoever writes: what all in it may have together of what the kernel counts for users. */
static int limit_users(const char *name, const char *most)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/sys/user/%s", name);
    return write_file(path, most);
}

static int carry_out_one(const char *what, const char *from, const char *first, const char *second)
{
    if (!strcmp(what, "--proc"))
        return mount_new("proc", first, NULL);
    if (!strcmp(what, "--dir"))
        return make_place(first, 1);
    if (!strcmp(what, "--remount-ro"))
        return set_attributes(first, READ_ONLY, 0);
    if (!strcmp(what, "--symlink"))
        return symlink(first, second);
    if (!strcmp(what, "--ro-bind"))
        return show(from, first, second, READ_ONLY | NO_SUID | NO_DEV);
    if (!strcmp(what, "--dev-bind"))
        return show(from, first, second, NO_SUID | NO_EXEC);
    if (!strcmp(what, "--tmpfs"))
        return mount_new("tmpfs", first, second);
    if (!strcmp(what, "--devpts"))
        return mount_new("devpts", first, second);
    return strcmp(what, "--user-limit") ? -1 : limit_users(first, second);
}

/* Carries out words up to "--" or their end, each with one or two more. NULL, or the word that could not be. */
static const char *carry_out(char **word, const char *from)
{
    while (*word && strcmp(*word, "--")) {
        const char *what = *word++;
        int more = !strcmp(what, "--proc") || !strcmp(what, "--dir") || !strcmp(what, "--remount-ro") ? 1 : 2;
        if (!word[0] || (more == 2 && !word[1]) || carry_out_one(what, from, word[0], word[1]) < 0)
            return what;
        word += more;
    }
    return NULL;
}

/* ---- shells ---- */

static int loopback_up(void)
{
    struct ifreq request = {.ifr_flags = IFF_UP | IFF_RUNNING};
    strcpy(request.ifr_name, "lo");
    int asked = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int done = asked < 0 ? -1 : ioctl(asked, SIOCSIFFLAGS, &request);
    close(asked);
    return done;
}

static enum step furnish_shell(const struct received *order)
{
    for (int each = 1; each < order->count; each++)
        if (write(order->descriptors[each], "0", 1) != 1)
            return GROUPED;
    if (unshare(CLONE_NEWCGROUP) < 0)
        return GROUPED;
    if (become_first_user() < 0)
        return MAPPED;
    if (loopback_up() < 0)
        return NETWORK;
    return carry_out(shell_words, "") || carry_out((char **)order->strings, "") ? MOUNTED : NO_STEP;
}

/* The program is the third: this one, the one between, the program. Whatever else comes here is reaped. */
static void wait_for_program(int status, const sigset_t *children)
{
    for (;;) {
        int how;
        pid_t ended;
        while ((ended = waitpid(-1, &how, WNOHANG)) > 0)
            if (ended == FIRST_PROGRAM)
                _exit(write(status, &how, sizeof how) == sizeof how ? 0 : FAILED);
        sigwaitinfo(children, NULL);
    }
}

static void be_first_process(const struct received *order, int word)
{
    char go;
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    struct reply done = {CLONED, 0};
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &children, NULL);
    if (read(word, &go, 1) == 1)
        done.step = furnish_shell(order);
    done.error = (uint32_t)errno;
    int self = (int)syscall(PIDFD_OPEN, getpid(), 0);
    if (write(word, &done, sizeof done) != sizeof done || done.step || hatch_reply(SERVER, NO_STEP, 0, self, -1) < 0)
        _exit(FAILED);
    int status = order->descriptors[0];
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    if (dup2(status, 0) < 0 || syscall(CLOSE_RANGE, 1U, ~0U, 0) < 0 || syscall(SYS_capset, &header, none) < 0)
        _exit(FAILED);
    wait_for_program(0, &children);
}

static void make_shell(const struct received *order)
{
    int word[2];
    char map[64];
    struct reply done = {DIED, 0};
    snprintf(map, sizeof map, "0 %u 1\n%d %u 1\n", order->order.first_user, PROGRAM_USER, order->order.program_user);
    if (order->count < 1 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, word) < 0) {
        hatch_reply(SERVER, RECEIVED, errno, -1, -1);
        return;
    }
    pid_t first = clone_into(SPACES);
    if (first == 0) {
        close(word[0]);
        be_first_process(order, word[1]);
    }
    close(word[1]);
    if (first < 0 || map_users(first, map) < 0)
        done = (struct reply){first < 0 ? CLONED : MAPPED, (uint32_t)errno};
    else if (write(word[0], "", 1) != 1 || read(word[0], &done, sizeof done) != sizeof done)
        done = (struct reply){DIED, 0};
    close(word[0]);
    if (done.step)
        hatch_reply(SERVER, done.step, (int)done.error, -1, -1);
}

/* ---- zygotes ---- */

/* It may enter what the nest makes, and nothing else of what a root can do. */
static void be_zygote(struct received *order)
{
    int pipes[2];
    for (int each = 0; each < 64; each++)
        if (each != CAP_SYS_ADMIN && each != CAP_SYS_PTRACE)
            prctl(PR_CAPBSET_DROP, each, 0, 0, 0);
    /* All pipes, as a program has them: an interpreter looks at them when it starts. */
    if (pipe2(pipes, 0) < 0 || dup2(pipes[0], 0) < 0 || dup2(order->descriptors[0], ZYGOTE_SERVER) < 0)
        die("zygote");
    syscall(CLOSE_RANGE, 4U, ~0U, 0);
    hatch_signals();
    char **words = order->strings;
    execvpe(words[0], words, words + order->order.words + 1);
    die(words[0]);
}

static void start_zygote(struct received *order)
{
    pid_t zygote = order->count == 1 && order->order.words > 0 ? fork() : -1;
    if (zygote == 0)
        be_zygote(order);
    if (zygote < 0)
        hatch_reply(SERVER, CLONED, errno, -1, -1);
    else
        hatch_reply(SERVER, NO_STEP, 0, (int)syscall(PIDFD_OPEN, zygote, 0), -1);
}

/* ---- the nest ---- */

static void serve(void)
{
    static struct received order;
    int received;
    while ((received = hatch_receive(SERVER, &order)) != 0) {
        if (received < 0)
            hatch_reply(SERVER, RECEIVED, EINVAL, -1, -1);
        else if (order.order.kind == SHELL_ORDER)
            make_shell(&order);
        else if (order.order.kind == ZYGOTE_ORDER)
            start_zygote(&order);
        else if (order.order.kind == EXEC_ORDER && order.order.words > 0 && hatch_program(SERVER, &order)) {
            execvpe(order.strings[0], order.strings, order.strings + order.order.words + 1);
            die(order.strings[0]);
        } else if (order.order.kind != EXEC_ORDER || order.order.words == 0)
            hatch_reply(SERVER, RECEIVED, EINVAL, -1, -1);
        hatch_release(&order);
    }
}

static void make_root(char **words)
{
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 || mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") < 0)
        die("root");
    if (mkdir("/tmp/old", 0755) < 0 || syscall(SYS_pivot_root, "/tmp", "/tmp/old") < 0 || chdir("/") < 0)
        die("pivot_root");
    const char *failed = carry_out(words, OLD);
    if (failed)
        die(failed);
    if (umount2(OLD, MNT_DETACH) < 0 || rmdir(OLD) < 0 || set_attributes("/", READ_ONLY, 0) < 0)
        die("old root");
}

static int be_nest(char **words)
{
    int self = (int)syscall(PIDFD_OPEN, getpid(), 0);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || sethostname("sandbox", 7) < 0)
        die("host name");
    make_root(words);
    shell_words = words;
    while (*shell_words && strcmp(*shell_words, "--"))
        shell_words++;
    shell_words += *shell_words ? 1 : 0;
    if (hatch_prepare(NEST_FILTER) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || load_filter(NEST_FILTER) < 0)
        die("filter");
    if (hatch_prepare(STRICT_FILTER) < 0)
        die(STRICT_FILTER);
    signal(SIGCHLD, SIG_IGN);
    if (hatch_reply(SERVER, NO_STEP, 0, self, -1) < 0)
        return FAILED;
    close(self);
    serve();
    return 0;
}

static void go_inside(int word, char **words)
{
    char go;
    if (read(word, &go, 1) != 1 || become_first_user() < 0 || syscall(SYS_setgroups, 0, NULL) < 0)
        die("users");
    close(word);
    words[-1] = "inside";
    words[-2] = "nest";
    execve("/proc/self/exe", words - 2, (char *[]){NULL});
    die("exec");
}

/* Its parent is the server's thread, whose death is its own. */
static int be_outer(char **words)
{
    const char *map = words[0];
    int word[2], how;
    if (syscall(CLOSE_RANGE, 4U, ~0U, 0) < 0 || write_file("/proc/self/oom_score_adj", words[1]) < 0)
        die("oom score");
    for (words += 2; *words && strcmp(*words, "--"); words++)
        if (write_file(*words, "0") < 0)
            die(*words);
    if (!*words || pipe2(word, O_CLOEXEC) < 0)
        die("words");
    /* What the kernel counts for users is counted for the nest's own, and held by limits of each program, not by ours if
     * we may raise them. */
    int user = atoi(map + 2);
    for (int each = 0; each < (int)(sizeof COUNTED / sizeof *COUNTED); each++)
        setrlimit((__rlimit_resource_t)COUNTED[each], &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
    if (syscall(SYS_setresuid, -1, user, -1) < 0)
        die("user");
    pid_t nest = clone_into(SPACES);
    if (nest == 0)
        go_inside(word[0], words + 1);
    if (nest < 0 || syscall(SYS_setresuid, -1, 0, -1) < 0 || map_users(nest, map) < 0 || syscall(SYS_setgroups, 0, NULL) < 0 || syscall(SYS_setresgid, user, user, user) < 0 ||
        syscall(SYS_setresuid, user, user, user) < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
        die("namespaces");
    if (write(word[1], "", 1) != 1)
        die("start");
    syscall(CLOSE_RANGE, 3U, ~0U, 0);
    return waitpid(nest, &how, 0) == nest && WIFEXITED(how) ? WEXITSTATUS(how) : FAILED;
}

int main(int count, char **words)
{
    if (count > 4 && !strcmp(words[1], "outer"))
        return be_outer(words + 2);
    if (count > 2 && !strcmp(words[1], "inside"))
        return be_nest(words + 2);
    fprintf(stderr, "usage: nest outer MAP OOM-SCORE GROUP-FILE... -- WORDS -- WORDS\n");
    return FAILED;
}
