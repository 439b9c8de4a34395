package dev.serval.gateway.fastcgi;

import dev.serval.gateway.output.OutputEvent;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Builds the records that an application server sends.
final class Records {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Records out(String text) {
        return record(RecordType.STDOUT, text.getBytes(StandardCharsets.ISO_8859_1), 0);
    }

    Records err(String text) {
        return record(RecordType.STDERR, text.getBytes(StandardCharsets.ISO_8859_1), 0);
    }

    Records end(int applicationStatus, int protocolStatus) {
        ByteBuffer content = ByteBuffer.allocate(8);
        content.putInt(applicationStatus).put((byte) protocolStatus);
        return record(RecordType.END_REQUEST, content.array(), 0);
    }

    Records record(int type, byte[] content, int padding) {
        return raw(1, type, 1, content, padding);
    }

    Records raw(int version, int type, int id, byte[] content, int padding) {
        bytes.write(version);
        bytes.write(type);
        bytes.write(id >>> 8);
        bytes.write(id);
        bytes.write(content.length >>> 8);
        bytes.write(content.length);
        bytes.write(padding);
        bytes.write(0);
        bytes.writeBytes(content);
        bytes.writeBytes(new byte[padding]);
        return this;
    }

    Records copy() {
        Records copy = new Records();
        copy.bytes.writeBytes(bytes());
        return copy;
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }

    /// Reads all events as a connection does, and tells them in words. Pieces of one stream are
    /// joined, because their borders depend on the cuts.
    static String read(byte[] bytes, int[] ends) {
        RecordDecoder decoder = new RecordDecoder();
        decoder.reset();
        StringBuilder output = new StringBuilder();
        StringBuilder errors = new StringBuilder();
        String end = "more";
        int at = 0;
        for (int arrived : ends) {
            OutputEvent event;
            do {
                event = decoder.next(bytes, at, arrived, 7);
                String piece =
                        new String(
                                bytes,
                                decoder.contentFrom(),
                                Math.max(0, decoder.contentTo() - decoder.contentFrom()),
                                StandardCharsets.ISO_8859_1);
                at += decoder.consumed();
                switch (event) {
                    case OUTPUT -> output.append(piece);
                    case ERRORS -> errors.append(piece);
                    case MORE -> {}
                    case END ->
                            end = "end " + decoder.applicationStatus() + " " + decoder.outcome();
                    case WRONG -> end = String.valueOf(decoder.error());
                }
            } while (event == OutputEvent.OUTPUT || event == OutputEvent.ERRORS);
            if (event != OutputEvent.MORE) {
                break;
            }
        }
        return output + "/" + errors + "/" + end + "/" + (bytes.length - at);
    }
}
