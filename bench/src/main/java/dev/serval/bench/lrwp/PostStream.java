package dev.serval.bench.lrwp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Requests of one kind. Each differs from all others by a number of ten digits, so that no server
/// takes it for a repetition. Used by one thread.
final class PostStream {
    /// Stands for the number in a content.
    static final String NUMBER = "##########";

    private static final int DIGITS = NUMBER.length();
    private static final int PLACES_MAX = 16;

    private final byte[] request;
    private final int contentFrom;
    private final int[] places;
    private long next;

    private PostStream(String head, String content, long first) {
        String text = head + content;
        this.request = text.getBytes(StandardCharsets.US_ASCII);
        this.contentFrom = head.length();
        this.places = places(text);
        this.next = first;
    }

    /// Creates a stream of POST requests.
    ///
    /// @param content with [#NUMBER] at the places of the number
    static PostStream post(String path, String content, long first) {
        String head =
                """
                POST %s HTTP/1.1
                Host: 127.0.0.1
                content-type: text/plain
                Content-Length: %d
                Connection: Keep-Alive

                """
                        .formatted(path, content.length())
                        .replace("\n", "\r\n");
        return new PostStream(head, content, first);
    }

    /// Creates a stream of equal GET requests.
    static PostStream get(String path) {
        return new PostStream("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "", 0);
    }

    private static int[] places(String text) {
        int[] found = new int[PLACES_MAX];
        int count = 0;
        for (int at = text.indexOf(NUMBER); at >= 0; at = text.indexOf(NUMBER, at + DIGITS)) {
            found[count++] = at;
        }
        return Arrays.copyOf(found, count);
    }

    /// Returns the next request, which is valid until the next call.
    byte[] next() {
        long number = next++;
        for (int place : places) {
            long rest = number;
            for (int i = place + DIGITS - 1; i >= place; i--) {
                request[i] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
        }
        return request;
    }

    /// Returns the last request.
    byte[] last() {
        return request;
    }

    /// Returns where the content of a request begins.
    int contentFrom() {
        return contentFrom;
    }

    /// Returns the first place of the number in a request.
    int numberFrom() {
        return places[0];
    }

    /// Returns where that place ends.
    int numberTo() {
        return places[0] + DIGITS;
    }
}
