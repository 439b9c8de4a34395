package dev.serval.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class DynamicTableTest {
    private final DynamicTable table = new DynamicTable(HpackDecoder.FIRST_TABLE_BYTES);

    private void add(int number) {
        byte[] bytes = ("name" + number + "value").getBytes(StandardCharsets.US_ASCII);
        int nameEnd = bytes.length - "value".length();
        assertThat(table.reserve(nameEnd, bytes.length - nameEnd)).isTrue();
        table.name(DynamicTable.UNKNOWN, number, bytes, 0, nameEnd);
        table.value(bytes, nameEnd, bytes.length);
    }

    private String name(int index) {
        return new String(
                Arrays.copyOfRange(table.array(), table.nameAt(index), table.nameEnd(index)),
                StandardCharsets.US_ASCII);
    }

    /// Entries move within the array, so a connection that adds one after the other allocates nothing.
    @Test
    void fullTableKeepsItsArray() {
        for (int i = 1000; i < 2000; i++) {
            add(i);
        }
        byte[] array = table.array();
        for (int i = 2000; i < 3000; i++) {
            add(i);
        }
        assertThat(table.array()).isSameAs(array);
        assertThat(name(1)).isEqualTo("name2999");
        assertThat(name(table.count())).isEqualTo("name" + (3000 - table.count()));
        assertThat(table.size()).isBetween(4000, HpackDecoder.FIRST_TABLE_BYTES);
    }

    @Test
    void emptiedTableTakesNewEntries() {
        add(1);
        table.limit(0);
        assertThat(table.count()).isZero();
        table.limit(100);
        add(2);
        assertThat(name(1)).isEqualTo("name2");
    }
}
