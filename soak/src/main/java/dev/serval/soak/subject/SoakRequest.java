package dev.serval.soak.subject;

import dev.serval.soak.war.Pattern;
import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// A request of a kind and its right answer, which both follow from a number.
///
/// @param kind not SESSION, whose right answer depends on earlier requests
/// @param answer the right content of the answer; empty if it is not known
public record SoakRequest(ServletKind kind, long seed, String head, byte[] content, byte[] answer) {
    /// The content of the file in the application and in the folder.
    public static final byte[] FILE = Pattern.bytes(1, 50_000);

    private static final int CHUNK_MAX = 20_000;
    private static final String BOUNDARY = "soak-boundary";

    /// Makes the request of this number.
    public static SoakRequest of(ServletKind kind, long seed) {
        return switch (kind) {
            case STREAM_ECHO, LISTEN_ECHO -> post(kind, seed, Pattern.stream(seed));
            case STREAM_SUM, LISTEN_SUM -> post(kind, seed, Pattern.stream(seed));
            case FORM -> form(seed);
            case PARTS -> parts(seed);
            case COOKIES -> cookies(seed);
            // These pages do not use the writer, because the servlet before uses the stream.
            case RELAY_FORWARD, RELAY_INCLUDE -> get(kind, 4 * seed);
            default -> get(kind, seed);
        };
    }

    /// Returns the value of the field `Mark`, which comes back in the answer.
    public String mark() {
        return kind + "-" + seed;
    }

    /// Returns whether the client waits for 100 (Continue) before it sends the content.
    public boolean waits() {
        return head.contains("Expect:");
    }

    /// Returns the head and the content.
    public byte[] bytes() {
        byte[] start = (head + "\r\n").getBytes(StandardCharsets.US_ASCII);
        byte[] all = Arrays.copyOf(start, start.length + content.length);
        System.arraycopy(content, 0, all, start.length, content.length);
        return all;
    }

    private static SoakRequest get(ServletKind kind, long seed) {
        String method = kind == ServletKind.PAGE_HEAD ? "HEAD " : "GET ";
        String head = method + path(kind, seed) + " HTTP/1.1\r\n" + fields(kind, seed);
        return new SoakRequest(kind, seed, head, new byte[0], answer(kind, seed));
    }

    private static String fields(ServletKind kind, long seed) {
        return "Host: soak\r\nMark: " + kind + "-" + seed + "\r\n";
    }

    private static String path(ServletKind kind, long seed) {
        String name = kind.name().toLowerCase(Locale.ROOT);
        int way = name.indexOf('_');
        return switch (kind) {
            case FILE -> "/files/file.bin";
            case APP_FILE -> "/soak/file.bin";
            case PAGE, PAGE_HEAD -> "/soak/page/" + seed;
            case ABSENT -> "/soak/absent/" + seed;
            case FORM, PARTS, COOKIES -> "/soak/" + name;
            default ->
                    "/soak/"
                            + name.substring(0, way)
                            + "/"
                            + name.substring(way + 1).replace('_', '-')
                            + "/"
                            + seed;
        };
    }

    private static byte[] answer(ServletKind kind, long seed) {
        return switch (kind) {
            case FILE, APP_FILE -> FILE;
            case STREAM_SEND, LISTEN_SEND -> Pattern.stream(seed);
            case FAIL_SEND, ABSENT, ASYNC_TIMEOUT_ERROR -> text(kind.status(seed) + " none");
            case FAIL_EXCEPTION, ASYNC_FAIL -> text("500 meant " + seed);
            case RELAY_INCLUDE -> included(Pattern.page(seed));
            case RELAY_REDIRECT, PAGE_HEAD -> new byte[0];
            default -> Pattern.page(seed);
        };
    }

    private static byte[] included(byte[] page) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write('[');
        all.writeBytes(page);
        all.write('|');
        all.writeBytes(page);
        all.write(']');
        return all.toByteArray();
    }

    private static SoakRequest post(ServletKind kind, long seed, byte[] content) {
        byte[] answer = kind.echoes() ? content : Pattern.receipt(Pattern.sum(content));
        String expects = seed % 5 == 0 ? "Expect: 100-continue\r\n" : "";
        return upload(kind, seed, expects, content, answer);
    }

    /// Returns a request with content, chunked or with a length.
    private static SoakRequest upload(
            ServletKind kind, long seed, String fields, byte[] content, byte[] answer) {
        boolean chunked = seed % 3 == 0;
        String framing =
                chunked
                        ? "Transfer-Encoding: chunked\r\n"
                        : "Content-Length: " + content.length + "\r\n";
        String head =
                "POST "
                        + path(kind, seed)
                        + " HTTP/1.1\r\n"
                        + fields(kind, seed)
                        + framing
                        + fields;
        return new SoakRequest(kind, seed, head, chunked ? chunks(content, seed) : content, answer);
    }

    private static byte[] chunks(byte[] content, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int at = 0; at < content.length; ) {
            int length = Math.min(content.length - at, random.nextInt(1, CHUNK_MAX));
            all.writeBytes(text(Integer.toHexString(length) + "\r\n"));
            all.write(content, at, length);
            all.writeBytes(text("\r\n"));
            at += length;
        }
        all.writeBytes(text("0\r\n\r\n"));
        return all.toByteArray();
    }

    private static SoakRequest form(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TreeMap<String, String> parameters = new TreeMap<>();
        StringBuilder form = new StringBuilder();
        for (int i = random.nextInt(40); i >= 0; i--) {
            String name = "name " + i + " & ä";
            String value = Long.toString(random.nextLong(), 36) + " € =";
            parameters.put(name, value);
            form.append(form.isEmpty() ? "" : "&")
                    .append(URLEncoder.encode(name, StandardCharsets.UTF_8))
                    .append('=')
                    .append(URLEncoder.encode(value, StandardCharsets.UTF_8));
        }
        StringBuilder answer = new StringBuilder();
        parameters.forEach((name, value) -> answer.append(name).append("=[" + value + "]"));
        String type = "Content-Type: application/x-www-form-urlencoded\r\n";
        return upload(
                ServletKind.FORM,
                seed,
                type,
                text(form.toString()),
                answer.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static SoakRequest parts(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        StringBuilder answer = new StringBuilder();
        for (int i = random.nextInt(6); i >= 0; i--) {
            byte[] part = Pattern.bytes(seed + i, random.nextInt(i == 2 ? 200_000 : 10_000));
            String head =
                    "--%s\r\nContent-Disposition: form-data; name=\"part%d\"; filename=\"%d.bin\"\r\n\r\n"
                            .formatted(BOUNDARY, i, i);
            content.writeBytes(text(head));
            content.writeBytes(part);
            content.writeBytes(text("\r\n"));
            answer.append("part%d %d %d\n".formatted(i, part.length, Pattern.sum(part)));
        }
        content.writeBytes(text("--" + BOUNDARY + "--\r\n"));
        String type = "Content-Type: multipart/form-data; boundary=" + BOUNDARY + "\r\n";
        return upload(
                ServletKind.PARTS, seed, type, content.toByteArray(), text(answer.toString()));
    }

    private static SoakRequest cookies(long seed) {
        StringBuilder sent = new StringBuilder();
        StringBuilder answer = new StringBuilder();
        for (long i = seed % 6; i >= 0; i--) {
            String one = "c" + i + "=" + (seed + i);
            sent.append(sent.isEmpty() ? "" : "; ").append(one);
            answer.append(one).append(';');
        }
        SoakRequest plain = get(ServletKind.COOKIES, seed);
        String head = plain.head + "Cookie: " + sent + "\r\n";
        return new SoakRequest(
                ServletKind.COOKIES, seed, head, new byte[0], text(answer.toString()));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
