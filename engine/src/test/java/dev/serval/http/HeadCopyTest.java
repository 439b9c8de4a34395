package dev.serval.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.RecordingExchange;
import org.junit.jupiter.api.Test;

final class HeadCopyTest {
    private final RequestHead sent =
            new RecordingExchange(
                            Method.POST,
                            "/a/../b%20c?x=1",
                            "Host: example.org:81",
                            "X-Own: v",
                            "Authorization: Basic eDp5",
                            "Cookie: a=b")
                    .request();

    @Test
    void hasAnotherTargetAndAllElse() {
        RequestHead copy = requireNonNull(HeadCopy.of(sent).target("/new/\u00fc?#", "q=2").make());

        assertThat(copy.target().text()).isEqualTo("/new/%C3%BC%3F%23?q=2");
        assertThat(copy.target().path().text()).isEqualTo("/new/\u00fc?#");
        assertThat(copy.target().query()).isEqualTo("q=2");
        assertThat(copy.method()).isEqualTo(Method.POST);
        assertThat(copy.authority()).isEqualTo("example.org:81");
        assertThat(copy.fields().first("X-Own")).isEqualTo("v");
        assertThat(copy.fields().first(FieldName.COOKIE)).isEqualTo("a=b");
        assertThat(copy.fields().first(FieldName.AUTHORIZATION)).isEqualTo("Basic eDp5");
        assertThat(copy.fields().all(FieldName.HOST)).containsExactly("example.org:81");
        assertThat(copy.received()).isSameAs(sent);
        assertThat(copy.user()).isNull();
    }

    @Test
    void hasTheUserAndNoCredentials() {
        RequestHead copy = requireNonNull(HeadCopy.of(sent).user("ann").make());

        assertThat(copy.user()).isEqualTo("ann");
        assertThat(copy.fields().contains(FieldName.AUTHORIZATION)).isFalse();
        assertThat(copy.target().text()).isEqualTo("/a/../b%20c?x=1");
        assertThat(copy.target().path().text()).isEqualTo("/b c");
        RequestHead again = requireNonNull(HeadCopy.of(copy).target("/z", null).make());
        assertThat(again.user()).isEqualTo("ann");
        assertThat(again.received()).isSameAs(sent);
        assertThat(again.target().query()).isNull();
    }

    @Test
    void keepsMethodsWithoutAConstant() {
        RequestHead head = new RecordingExchange(Method.GET, "/").request();
        assertThat(requireNonNull(HeadCopy.of(head).make()).methodText()).isEqualTo("GET");
    }

    @Test
    void refusesAPathThatIsNone() {
        assertThat(HeadCopy.of(sent).target("/a/../../b", null).make()).isNull();
        assertThat(HeadCopy.of(sent).target("/a\nb", null).make()).isNull();
        assertThat(HeadCopy.of(sent).target("/a\\b", null).make()).isNull();
    }
}
