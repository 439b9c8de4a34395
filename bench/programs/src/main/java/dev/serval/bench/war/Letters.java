package dev.serval.bench.war;

/// The content of long answers: 35 KB of letters from a to z, again and again.
public final class Letters {
    private static final byte[] CONTENT = content();

    private Letters() {}

    /// Returns the content, which is not to be changed.
    public static byte[] bytes() {
        return CONTENT;
    }

    private static byte[] content() {
        byte[] content = new byte[35 << 10];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) ('a' + i % 26);
        }
        return content;
    }
}
