package dev.caisson.linux;

/// Failure of a system call: which one, and with which error.
public final class KernelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String call;
    private final int number;

    /// For a refusal the kernel would have given.
    public KernelException(String call, Errno errno) {
        this(call, errno.number(), "");
    }

    public KernelException(String call, int number) {
        this(call, number, "");
    }

    /// @param about what it was called on, such as a path; empty when the call says it all
    public KernelException(String call, int number, String about) {
        super(sentence(call, number, about));
        this.call = call;
        this.number = number;
    }

    public String call() {
        return call;
    }

    public int number() {
        return number;
    }

    public Errno errno() {
        return Errno.of(number);
    }

    private static String sentence(String call, int number, String about) {
        var errno = Errno.of(number);
        var name = errno == Errno.OTHER ? "error " + number : errno.name();
        var on = about.isEmpty() ? "" : " on " + about;
        return "%s%s failed with %s (%s)".formatted(call, on, name, errno.meaning());
    }
}
