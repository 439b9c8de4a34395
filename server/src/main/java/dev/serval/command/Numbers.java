package dev.serval.command;

/// Parses integers of the command line. Stateless.
final class Numbers {
    private Numbers() {}

    /// Returns the number in `text`, or -1 if `text` is not only decimal digits or the number
    /// exceeds `max`.
    static int read(String text, int max) {
        long number = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c < '0' || c > '9') {
                return -1;
            }
            number = number * 10 + (c - '0');
            if (number > max) {
                return -1;
            }
        }
        return text.isEmpty() ? -1 : (int) number;
    }
}
