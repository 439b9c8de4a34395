package dev.serval.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.handler.RecordingExchange;
import dev.serval.http.FieldName;
import dev.serval.http.Method;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PagesTest {
    private final Pages pages =
            Pages.of(
                    Map.of(
                            "/",
                            new Pages.Page("<p>welcome".getBytes(UTF_8), "text/html"),
                            "/p/a.css",
                            new Pages.Page("a{}".getBytes(UTF_8), "text/css")));

    @Test
    void servesItsPagesWithoutATask() {
        RecordingExchange x = RecordingExchange.get("/?q").holdTasks().by(pages);

        assertThat(x.status()).isEqualTo(200);
        assertThat(x.contentText()).isEqualTo("<p>welcome");
        assertThat(x.answered(FieldName.CONTENT_TYPE)).isEqualTo("text/html");
        assertThat(RecordingExchange.get("/p/a.css").by(pages).contentText()).isEqualTo("a{}");
    }

    @Test
    void servesThemBelowAMount() {
        assertThat(RecordingExchange.get("/%C3%A9/").below("/é").by(pages).contentText())
                .isEqualTo("<p>welcome");
    }

    @Test
    void answersConditionsAndMethodsAsFilesDo() {
        String tag = RecordingExchange.get("/").by(pages).answered(FieldName.ETAG);

        assertThat(RecordingExchange.get("/", "If-None-Match: " + tag).by(pages).status())
                .isEqualTo(304);
        assertThat(RecordingExchange.head("/").by(pages).complete()).isTrue();
        assertThat(new RecordingExchange(Method.POST, "/").by(pages).status()).isEqualTo(405);
        assertThat(RecordingExchange.get("/none").by(pages).passed()).isTrue();
        assertThat(RecordingExchange.get("/m").below("/m").by(pages).answered(FieldName.LOCATION))
                .isEqualTo("/m/");
    }

    @Test
    void readsResourcesWithTheirType() {
        Pages.Page page = Pages.Page.ofResource(PagesTest.class, "PagesTest.class");

        assertThat(page.content()).isNotEmpty();
        assertThat(page.type()).isEqualTo("application/octet-stream");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Pages.Page.ofResource(PagesTest.class, "none.html"));
        assertThatIllegalArgumentException().isThrownBy(() -> Pages.of(Map.of("a.css", page)));
    }
}
