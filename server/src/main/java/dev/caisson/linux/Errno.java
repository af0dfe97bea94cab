package dev.caisson.linux;

import java.util.Arrays;

/// The kernel's error numbers that callers of this room tell apart or that a person is likely to
/// meet. They are the same on every architecture this product runs on.
public enum Errno {
    EPERM(1, "operation not permitted"),
    ENOENT(2, "no such file or directory"),
    ESRCH(3, "no such process"),
    EINTR(4, "interrupted"),
    EIO(5, "input or output error"),
    ENXIO(6, "no such device or address"),
    EBADF(9, "bad descriptor"),
    ECHILD(10, "not a child of this process"),
    EAGAIN(11, "try again"),
    ENOMEM(12, "out of memory"),
    EACCES(13, "permission denied"),
    EBUSY(16, "busy"),
    EEXIST(17, "exists already"),
    EXDEV(18, "leads out of the directory"),
    ENODEV(19, "no such device"),
    ENOTDIR(20, "not a directory"),
    EISDIR(21, "a directory"),
    EINVAL(22, "invalid argument"),
    EMFILE(24, "too many open files"),
    ENOTTY(25, "not supported by this descriptor"),
    EFBIG(27, "file too large"),
    ENOSPC(28, "no space left"),
    EROFS(30, "read-only file system"),
    ENAMETOOLONG(36, "name too long"),
    ENOSYS(38, "not known to this kernel"),
    ENOTEMPTY(39, "directory not empty"),
    ELOOP(40, "a symbolic link in the way"),
    EOVERFLOW(75, "an owner that is not mapped"),
    EUCLEAN(117, "the file system needs a check"),
    /// Any other number.
    OTHER(0, "see errno(3)");

    private final int number;
    private final String meaning;

    Errno(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    public int number() {
        return number;
    }

    public String meaning() {
        return meaning;
    }

    static Errno of(int number) {
        return Arrays.stream(values())
                .filter(errno -> errno.number == number)
                .findFirst()
                .orElse(OTHER);
    }
}
