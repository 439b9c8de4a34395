package dev.serval.servlet.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KeyedHashTest {
    private static final KeyedHash HASH = new KeyedHash(counting(KeyedHash.KEY_BYTES));

    /// The results are those of OpenSSL 3.0: `openssl mac -macopt size:16 SIPHASH` with the key 00
    /// to 0f, for inputs of the bytes 00, 01, 02 and so on.
    @ParameterizedTest
    @CsvSource({
        "0, a3817f04ba25a8e66df67214c7550293",
        "1, da87c1d86b99af44347659119b22fc45",
        "7, a1f1ebbed8dbc153c0b84aa61ff08239",
        "8, 3b62a9ba6258f5610f83e264f31497b4",
        "15, 5493e99933b0a8117e08ec0f97cfc3d9",
        "16, 6ee2a4ca67b054bbfd3315bf85230577",
        "63, 5150d1772f50834a503e069a973fbd7c"
    })
    void isSipHash24With128Bits(int bytes, String expected) {
        assertThat(hex(HASH.of(counting(bytes)))).isEqualTo(expected);
    }

    @Test
    void dependsOnTheKey() {
        byte[] key = counting(KeyedHash.KEY_BYTES);
        key[15] ^= 1;
        assertThat(new KeyedHash(key).of(counting(8))).isNotEqualTo(HASH.of(counting(8)));
    }

    @Test
    void needsAKeyOf16Bytes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new KeyedHash(new byte[15]))
                .withMessage("A key has 16 bytes, not 15");
    }

    private static byte[] counting(int bytes) {
        byte[] counting = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            counting[i] = (byte) i;
        }
        return counting;
    }

    private static String hex(KeyedHash.Value value) {
        ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(value.first()).putLong(value.second());
        return HexFormat.of().formatHex(bytes.array());
    }
}
