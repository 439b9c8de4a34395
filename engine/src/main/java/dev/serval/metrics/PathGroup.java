package dev.serval.metrics;

/// Groups the requests of one page, so that they do not hide those of other pages. Two requests are in
/// the same group if their mounts, methods and paths are the same. Segments with a digit count as equal,
/// because they most often name an item, such as `/orders/17`. A group is a hash of 64 bits: two that
/// collide only share their room. Stateless.
public final class PathGroup {
    private static final long BASIS = 0xcbf29ce484222325L; // of FNV-1a
    private static final long PRIME = 0x100000001b3L;

    private PathGroup() {}

    /// Returns the group of a request.
    ///
    /// @param mount the number of its mount
    /// @param method the hash of its method
    /// @param bytes the path and the query as they were sent, from `from` to `to`
    public static long of(int mount, int method, byte[] bytes, int from, int to) {
        long hash = with(with(BASIS, mount), method);
        long beforeSegment = hash;
        boolean digit = false;
        for (int i = from; i < to && bytes[i] != '?'; i++) {
            byte b = bytes[i];
            if (b == '/') {
                hash = with(digit ? with(beforeSegment, '*') : hash, b);
                beforeSegment = hash;
                digit = false;
            } else {
                hash = with(hash, b);
                digit |= b >= '0' && b <= '9';
            }
        }
        return digit ? with(beforeSegment, '*') : hash;
    }

    private static long with(long hash, int value) {
        return (hash ^ value) * PRIME;
    }
}
