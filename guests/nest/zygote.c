/*
 * The zygote's part: a library by which a booted interpreter forks itself, see python/zygote.py. It is linked with
 * nothing: it finds the C library of its interpreter.
 */
#include "hatch.h"

static struct received order;

/* Says to the server that orders can come. */
int zygote_ready(const char *program_filter)
{
    const char *failed = prepare(program_filter);
    return send_reply(outcome(failed), failed ? -1 : (int)syscall(PIDFD_OPEN, getpid(), 0), -1);
}

/* 1: there is an order that this one can carry out; 0: there never will be one. */
int zygote_wait(void)
{
    while (receive(&order)) {
        if (order.order.kind == FORK_ORDER)
            return 1;
        release(&order);
        refuse("an order for a zygote");
    }
    return 0;
}

/* 1 in the program, 0 in the zygote. */
int zygote_hatch(void)
{
    int inside = hatch(&order);
    if (!inside)
        release(&order);
    return inside;
}
