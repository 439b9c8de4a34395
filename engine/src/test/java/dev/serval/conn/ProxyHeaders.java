package dev.serval.conn;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/// Headers of the PROXY protocol, version 2, for tests.
final class ProxyHeaders {
    static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

    /// 203.0.113.7 port 4000 to 192.0.2.1 port 443.
    static final String FOUR = "cb007107c00002010fa001bb";

    /// 2001:db8::7 port 4000 to 2001:db8::1 port 443.
    static final String SIX =
            "20010db8000000000000000000000007" + "20010db8000000000000000000000001" + "0fa001bb";

    private ProxyHeaders() {}

    /// Returns a header.
    ///
    /// @param command version and command, such as `21`
    /// @param family family and protocol, such as `11`
    /// @param block what follows the length
    static byte[] two(String command, String family, String block) {
        String length = HexFormat.of().toHexDigits((short) (block.length() / 2));
        return HexFormat.of().parseHex(SIGNATURE + command + family + length + block);
    }

    /// Returns a TLV.
    static String tlv(String type, String value) {
        return type + HexFormat.of().toHexDigits((short) (value.length() / 2)) + value;
    }

    /// Returns a header of TCP over IPv4 with a correct checksum between two other TLVs.
    static byte[] summed() {
        String alpn = tlv("01", "6832");
        String sum = tlv("03", "00000000");
        byte[] header = two("21", "11", FOUR + alpn + sum + tlv("04", ""));
        CRC32C crc = new CRC32C();
        crc.update(header);
        int at = 16 + (FOUR + alpn).length() / 2 + 3;
        for (int i = 0; i < 4; i++) {
            header[at + i] = (byte) (crc.getValue() >> (8 * (3 - i)));
        }
        return header;
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
