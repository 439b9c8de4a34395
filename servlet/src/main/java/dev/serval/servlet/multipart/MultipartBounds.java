package dev.serval.servlet.multipart;

/// The limits of multipart content that no application can raise, only the server. Immutable.
///
/// @param partsMax parts of one request
/// @param headMaxBytes head of one part, with the empty line that ends it
/// @param paddingMaxBytes bytes before the first boundary, and after the last one; also white space
///     after any boundary
public record MultipartBounds(int partsMax, int headMaxBytes, int paddingMaxBytes) {
    /// 50 parts, 512 bytes of head, 512 bytes around the parts.
    public static final MultipartBounds DEFAULT = new MultipartBounds(50, 512, 512);

    private static final int MOST = 1 << 16;

    /// Checks the values.
    public MultipartBounds {
        check("partsMax", partsMax);
        check("headMaxBytes", headMaxBytes);
        check("paddingMaxBytes", paddingMaxBytes);
    }

    private static void check(String name, int value) {
        if (value < 1 || value > MOST) {
            throw new IllegalArgumentException(
                    name + " is " + value + ": it must be from 1 to " + MOST + ".");
        }
    }
}
