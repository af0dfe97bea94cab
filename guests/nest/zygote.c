/*
 * The zygote's part: a library by which a booted interpreter forks itself, see python/zygote.py. It is linked with
 * nothing: it finds the C library of its interpreter.
 */
#include "hatch.h"

/* Says to the server that orders can come. */
int zygote_ready(const char *program_filter)
{
    int self = pidfd(getpid());
    return answer(prepare(program_filter), self, self);
}

/* 1: there is an order that this one can carry out; 0: there never will be one. */
int zygote_wait(void)
{
    for (; receive(); release()) {
        if (received.order.kind == FORK_ORDER)
            return 1;
        refuse("an order for a zygote");
    }
    return 0;
}

/* 1 in the program, 0 in the zygote. */
int zygote_hatch(void)
{
    int inside = hatch();
    if (!inside)
        release();
    return inside;
}
