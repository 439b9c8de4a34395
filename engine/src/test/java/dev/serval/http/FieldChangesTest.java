package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.http.FieldChanges.Change;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldChangesTest {
    private static final FieldChanges CHANGES =
            new FieldChanges(
                    List.of(
                            Change.add("Vary", "Origin"),
                            Change.set("Cache-Control", "no-store"),
                            Change.remove("X-Powered-By"),
                            Change.set("Content-Type", "text/plain"),
                            Change.add("X-Frame-Options", "DENY").toAll()));

    @Test
    void addsAFieldOnlyIfItIsAbsent() {
        FieldChanges changes = new FieldChanges(List.of(Change.addIfAbsent("X-A", "usual")));
        Fields own = new Fields().add("x-a", "own");
        assertThat(changes.applied(new ResponseHead(Status.OK, own, 0)).fields().all("X-A"))
                .containsExactly("own");
        assertThat(
                        changes.applied(new ResponseHead(Status.OK, new Fields(), 0))
                                .fields()
                                .all("X-A"))
                .containsExactly("usual");
    }

    @Test
    void addsSetsAndRemoves() {
        Fields own =
                new Fields()
                        .add("Vary", "Accept")
                        .add("Cache-Control", "public")
                        .add("cache-control", "max-age=1")
                        .add("x-powered-by", "PHP")
                        .add("Content-Type", "text/html");

        ResponseHead after = CHANGES.applied(new ResponseHead(Status.OK, own, 5));

        assertThat(after.fields().all("Vary")).containsExactly("Accept", "Origin");
        assertThat(after.fields().all("Cache-Control")).containsExactly("no-store");
        assertThat(after.fields().all("X-Powered-By")).isEmpty();
        assertThat(after.fields().all("Content-Type")).containsExactly("text/plain");
        assertThat(after.fields().all("X-Frame-Options")).containsExactly("DENY");
        assertThat(after.contentLength()).isEqualTo(5);
        assertThat(after.status()).isEqualTo(Status.OK);
    }

    @Test
    void changesErrorsOnlyIfAsked() {
        ResponseHead after = CHANGES.applied(new ResponseHead(Status.NOT_FOUND, new Fields(), 0));

        assertThat(after.fields().size()).isEqualTo(1);
        assertThat(after.fields().first("X-Frame-Options")).isEqualTo("DENY");
    }

    @Test
    void keepsTheTypeOfSeveralRanges() {
        String type = "multipart/byteranges; boundary=x";
        Fields own = Fields.of(FieldName.CONTENT_TYPE, type);

        ResponseHead after = CHANGES.applied(new ResponseHead(Status.PARTIAL_CONTENT, own, 1));

        assertThat(after.fields().first(FieldName.CONTENT_TYPE)).isEqualTo(type);
    }

    @Test
    void makesTheHeadOfAFileOnce() {
        ResponseHead head = new ResponseHead(Status.OK, new Fields(), 1);

        assertThat(CHANGES.applied(head)).isSameAs(CHANGES.applied(head));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length", "transfer-encoding", "Connection", "Upgrade", "Date"})
    void refusesFieldsOfTheConnection(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Change.set(name, "1"))
                .withMessageContaining("belongs to the connection");
    }

    @Test
    void refusesLineBreaks() {
        assertThatIllegalArgumentException().isThrownBy(() -> Change.set("A", "b\r\nC: d"));
        assertThatIllegalArgumentException().isThrownBy(() -> Change.set("A b", "c"));
    }
}
