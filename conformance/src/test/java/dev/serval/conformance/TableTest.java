package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void readsEveryKindOfStep() {
        Table table =
                Table.parse(
                        "t",
                        """
                        # a comment
                        RFC 1 §2: a title: with a colon
                        > GET / HTTP/1.1
                        >= \\r\\n
                        ? GET /x | A: b
                        fin
                        <? 100
                        < 200/206 HEAD closed | Date | A: b.* | -C
                        <= x\\r\\n
                        <@ a/b.txt 0-9

                        RFC 1 §3: another
                        any
                        """);
        assertThat(table.rows()).hasSize(2);
        Table.Row row = table.rows().getFirst();
        assertThat(row.section()).isEqualTo("RFC 1 §2");
        assertThat(row.title()).isEqualTo("a title: with a colon");
        assertThat(row.where()).isEqualTo("t:2");
        assertThat(row.end()).isEqualTo(Table.End.CLOSED);
        assertThat(row.steps())
                .startsWith(
                        new Table.Step.Send("GET / HTTP/1.1\\r\\n"),
                        new Table.Step.Send("\\r\\n"),
                        new Table.Step.Send(
                                "GET /x HTTP/1.1\\r\\nHost: example.test\\r\\nA: b\\r\\n\\r\\n"),
                        new Table.Step.Finish())
                .endsWith(new Table.Step.OfFile("a/b.txt", 0, 10));
        assertThat(row.steps().get(5))
                .isInstanceOfSatisfying(
                        Table.Step.See.class,
                        see -> {
                            assertThat(see.statuses()).containsExactly(200, 206);
                            assertThat(see.method()).isEqualTo("HEAD");
                            assertThat(see.fields())
                                    .extracting(Table.FieldRule::present)
                                    .containsExactly(true, true, false);
                        });
        assertThat(table.rows().getLast().end()).isEqualTo(Table.End.ANY);
    }

    @Test
    void refusesUnknownStep() {
        assertThatThrownBy(() -> Table.parse("t", "RFC 1: x\nwhat is this"))
                .hasMessageContaining("t:2");
    }
}
