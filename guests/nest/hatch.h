/*
 * What the server, the nest and its zygotes say to each other: one order, one reply, each a message on a socket that
 * keeps messages apart. Orders are the server's alone; no byte of a caller is in them.
 *
 * | order | to     | asks for                                        | descriptors                                     |
 * | S     | nest   | a shell: namespaces with a first process        | status pipe, files to join groups by            |
 * | X     | nest   | a program in a shell, by exec of the words      | pidfd of the shell, job, output, errors, control, groups |
 * | F     | zygote | a program in a shell, by fork                   | the same                                        |
 * | Z     | nest   | a zygote, by exec of the words                  | its socket                                      |
 *
 * A reply names the step that failed and the error, or is zero and carries a pidfd: of the shell's first process, of the
 * program (and a second one by which its process group is signalled), of the zygote. Every order is answered, also by whoever is left when the one who was asked has died.
 */
#include <stdint.h>

enum { ORDER_BYTES_MAX = 32768, DESCRIPTORS_MAX = 16, LIMITS_MAX = 12, STRINGS_MAX = 256 };

/* Inside a shell every program is this user, and its first process is user 0. */
enum { PROGRAM_USER = 1000 };

enum { SHELL_ORDER = 'S', EXEC_ORDER = 'X', FORK_ORDER = 'F', ZYGOTE_ORDER = 'Z' };

/* The steps a reply can name. */
enum step { NO_STEP, RECEIVED, CLONED, MAPPED, NETWORK, MOUNTED, GROUPED, ENTERED, SOCKETS, LIMITED, UNPRIVILEGED, WIRED, FILTERED, DIED };

struct limit {
    int32_t resource;
    int32_t unused;
    uint64_t soft;
    uint64_t hard;
};

struct order {
    uint32_t kind;
    uint32_t first_user;   /* of a shell, as the nest numbers them: the first process, */
    uint32_t program_user; /* and the program */
    uint32_t landlock;     /* whether the program gives up sockets outside private places */
    uint32_t words;        /* of the strings, how many are the command; the rest is its environment */
    uint32_t strings;      /* how many follow, each ended by a NUL */
    uint32_t limits_count;
    uint32_t unused;
    struct limit limits[LIMITS_MAX];
};

struct reply {
    uint32_t step;
    uint32_t error;
};

/* An order as it was received. */
struct received {
    union {
        struct order order;
        char bytes[ORDER_BYTES_MAX];
    };
    char *strings[STRINGS_MAX + 2]; /* words, NULL, environment, NULL */
    int descriptors[DESCRIPTORS_MAX];
    int count;
};

/* Reads the filter that programs get. */
int hatch_prepare(const char *filter);

/* Waits for an order. 1: there is one; 0: nobody is left who could send one; -1: it was none. */
int hatch_receive(int server, struct received *into);
void hatch_release(struct received *order);
int hatch_reply(int server, enum step step, int error, int pidfd, int group);

/* Carries out X or F. 0 in the nest or zygote, with the order answered; 1 in the program of an F. */
int hatch_program(int server, struct received *order);

int zygote_ready(const char *filter);
int zygote_wait(void);
int zygote_hatch(void);

int load_filter(const char *path);

/* No signal is ignored or held back any more. */
int hatch_signals(void);
