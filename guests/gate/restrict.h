/*
 * What every program of a sandbox gives up before it starts, shared by the gate and the nest: the right to make UNIX
 * sockets anywhere but in the two places that are private, and whatever signals were ignored or held back.
 *
 * The kernel's structures are declared here, because the headers of older systems do not have them.
 */
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The same numbers on every architecture. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };

enum { PATH_BENEATH = 1 };

/* As many as the kernel has, in a set of 64 bits. */
enum { SIGNALS = 64 };

/* To make a socket, and to move or link a file from one directory to another. */
static const uint64_t MAKE_SOCK = 1ULL << 9;
static const uint64_t REFER = 1ULL << 13;

/* Its first member is all that is handled here; the kernel is told how long it is. */
struct ruleset {
    uint64_t handled_access_fs;
};

struct path_beneath {
    uint64_t allowed_access;
    int32_t parent;
} __attribute__((packed));

static int allow(int ruleset, const char *directory, uint64_t access)
{
    struct path_beneath rule = {access, open(directory, O_PATH | O_CLOEXEC)};
    if (rule.parent < 0)
        return -1;
    long added = syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0);
    close(rule.parent);
    return added < 0 ? -1 : 0;
}

/*
 * Every ruleset denies REFER unless it says otherwise, and without it nothing could be moved between directories. What
 * is moved still needs the right to be made where it goes, so no socket leaves by it.
 */
static int restrict_self(void)
{
    struct ruleset handled = {MAKE_SOCK | REFER};
    int ruleset = (int)syscall(CREATE_RULESET, &handled, sizeof handled, 0);
    if (ruleset < 0)
        return -1;
    if (allow(ruleset, "/", REFER) < 0 || allow(ruleset, "/tmp", MAKE_SOCK) < 0 ||
        allow(ruleset, "/dev/shm", MAKE_SOCK) < 0)
        return -1;
    if (syscall(RESTRICT_SELF, ruleset, 0) < 0)
        return -1;
    return close(ruleset);
}

/*
 * Not every number is a signal that can be set; those that cannot be are as they should be. The kernel is asked itself:
 * the C library keeps two signals to itself, and would leave them ignored. All zero is the default action, whatever the
 * order of the structure's members is.
 */
static int default_signals(void)
{
    const uint64_t none = 0;
    const unsigned long action[8] = {0};
    for (int number = 1; number <= SIGNALS; number++)
        syscall(SYS_rt_sigaction, number, action, NULL, sizeof none);
    return syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof none) < 0 ? -1 : 0;
}
