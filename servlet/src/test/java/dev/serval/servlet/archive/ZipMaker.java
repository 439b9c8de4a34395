package dev.serval.servlet.archive;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/// Writes ZIP archives by hand, also ones that no tool would write. Each entry may lie.
final class ZipMaker {
    /// An entry whose fields a test may change before the archive is made.
    static final class Entry {
        String name;
        String localName;
        byte[] packed;
        int method;
        int flags;
        int localFlags;
        int crc;
        int localCrc;
        long bytes;
        long localBytes;
        int mode;
        int host = 3;
        long headAt = -1;

        private Entry(String name, byte[] packed, int method, byte[] content) {
            this.name = name;
            this.localName = name;
            this.packed = packed;
            this.method = method;
            CRC32 sum = new CRC32();
            sum.update(content);
            this.crc = (int) sum.getValue();
            this.localCrc = crc;
            this.bytes = content.length;
            this.localBytes = bytes;
        }
    }

    private final List<Entry> entries = new ArrayList<>();
    private byte[] prefix = new byte[0];
    private String comment = "";

    /// Adds a deflated file, or a folder if the name ends with a slash.
    Entry add(String name, byte[] content) {
        if (name.endsWith("/") && content.length == 0) {
            return stored(name, content);
        }
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        deflater.setInput(content);
        deflater.finish();
        byte[] packed = new byte[content.length + 100];
        int n = deflater.deflate(packed);
        deflater.end();
        return keep(new Entry(name, Arrays.copyOf(packed, n), 8, content));
    }

    Entry add(String name, String text) {
        return add(name, text.getBytes(StandardCharsets.UTF_8));
    }

    Entry stored(String name, byte[] content) {
        return keep(new Entry(name, content, 0, content));
    }

    private Entry keep(Entry entry) {
        entries.add(entry);
        return entry;
    }

    ZipMaker prefix(String text) {
        prefix = text.getBytes(StandardCharsets.UTF_8);
        return this;
    }

    ZipMaker comment(String text) {
        comment = text;
        return this;
    }

    byte[] bytes() {
        return bytes(entries.size());
    }

    /// Returns the archive, whose end record names a count of entries.
    byte[] bytes(int count) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(prefix);
        List<Integer> heads = new ArrayList<>();
        for (Entry entry : entries) {
            heads.add(out.size() - prefix.length);
            byte[] name = entry.localName.getBytes(StandardCharsets.UTF_8);
            ByteBuffer head = le(30);
            head.putInt(0x04034b50).putShort((short) 20).putShort((short) entry.localFlags);
            head.putShort((short) entry.method).putInt(0).putInt(entry.localCrc);
            head.putInt(entry.packed.length).putInt((int) entry.localBytes);
            head.putShort((short) name.length).putShort((short) 0);
            out.writeBytes(bytes(head));
            out.writeBytes(name);
            out.writeBytes(entry.packed);
        }
        int directoryAt = out.size();
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            byte[] name = entry.name.getBytes(StandardCharsets.UTF_8);
            ByteBuffer head = le(46);
            head.putInt(0x02014b50).putShort((short) (entry.host << 8 | 20)).putShort((short) 20);
            head.putShort((short) entry.flags).putShort((short) entry.method).putInt(0);
            head.putInt(entry.crc).putInt(entry.packed.length).putInt((int) entry.bytes);
            head.putShort((short) name.length).putShort((short) 0).putShort((short) 0);
            head.putShort((short) 0).putShort((short) 0).putInt(entry.mode << 16);
            head.putInt(entry.headAt >= 0 ? (int) entry.headAt : heads.get(i));
            out.writeBytes(bytes(head));
            out.writeBytes(name);
        }
        ByteBuffer end = le(22);
        end.putInt(0x06054b50).putInt(0).putShort((short) count).putShort((short) count);
        end.putInt(out.size() - directoryAt).putInt(directoryAt - prefix.length);
        end.putShort((short) comment.length());
        out.writeBytes(bytes(end));
        out.writeBytes(comment.getBytes(StandardCharsets.US_ASCII));
        return out.toByteArray();
    }

    private static ByteBuffer le(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.capacity()];
        buffer.get(0, bytes);
        return bytes;
    }
}
