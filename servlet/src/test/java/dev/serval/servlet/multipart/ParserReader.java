package dev.serval.servlet.multipart;

import dev.serval.http.ProtocolError;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads bytes with a new parser, cut at given ends, and writes down what it finds.
final class ParserReader {
    private final String boundary;
    private final MultipartBounds bounds;

    ParserReader(String boundary, MultipartBounds bounds) {
        this.boundary = boundary;
        this.bounds = bounds;
    }

    /// Returns the parts as `<head|content>`, then `ok` or the fault.
    String read(byte[] bytes, int... ends) {
        MultipartParser parser = new MultipartParser(boundary, bounds);
        StringBuilder text = new StringBuilder();
        int at = 0;
        for (int end : ends) {
            byte[] chunk = Arrays.copyOfRange(bytes, at, end); // earlier chunks are out of reach
            parser.feed(chunk, 0, chunk.length);
            at = end;
            if (!readChunk(parser, text)) {
                return text.append(' ').append(parser.error()).toString();
            }
            Arrays.fill(chunk, (byte) 'X');
        }
        @Nullable ProtocolError error = parser.finish();
        return text.append(error == null ? " ok" : " " + error).toString();
    }

    /// Returns what is read at once, after checking that every cut gives the same.
    String readCut(byte[] bytes) {
        String whole = read(bytes, bytes.length);
        int[] everyByte = new int[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            everyByte[i] = i + 1;
        }
        check(whole, read(bytes, everyByte), "byte by byte");
        for (int cut = 0; cut <= bytes.length; cut++) {
            check(whole, read(bytes, cut, bytes.length), "cut at " + cut);
        }
        return whole;
    }

    private static boolean readChunk(MultipartParser parser, StringBuilder text) {
        while (true) {
            switch (parser.next()) {
                case MORE -> {
                    return true;
                }
                case ERROR -> {
                    return false;
                }
                case HEAD ->
                        text.append('<')
                                .append(latin1(parser.headArray(), 0, parser.headLength()))
                                .append('|');
                case CONTENT ->
                        text.append(
                                latin1(
                                        parser.contentArray(),
                                        parser.contentAt(),
                                        parser.contentEnd()));
                case PART_END -> text.append('>');
            }
        }
    }

    private static String latin1(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static void check(String whole, String cut, String how) {
        if (!whole.equals(cut)) {
            throw new AssertionError(how + ": " + cut + " instead of " + whole);
        }
    }
}
