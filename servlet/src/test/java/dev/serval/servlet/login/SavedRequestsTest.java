package dev.serval.servlet.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// The memory of requests that wait for a login.
final class SavedRequestsTest {
    private final SavedRequests saved = new SavedRequests(64 << 10);

    private static SavedRequest request(int contentBytes) {
        return new SavedRequest("POST", "/a", List.of(), new byte[contentBytes]);
    }

    @Test
    void oldestAreDropped() {
        saved.put("a", request(30_000));
        saved.put("b", request(30_000));
        assertThat(saved.target("a")).isEqualTo("/a");
        saved.put("c", request(30_000));
        assertThat(saved.take("a")).isNull();
        assertThat(saved.take("b")).isNotNull();
        assertThat(saved.take("c")).isNotNull();
        assertThat(saved.bytes()).isZero();
    }

    @Test
    void replacedRequestIsCountedOnce() {
        saved.put("a", request(30_000));
        int bytes = saved.bytes();
        saved.put("a", request(30_000));
        assertThat(saved.bytes()).isEqualTo(bytes);
    }

    /// Requests without content cost memory, too.
    @Test
    void numberOfSmallRequestsIsBounded() {
        int kept = 0;
        for (int i = 0; i < 10_000; i++) {
            saved.put("key" + i, request(0));
        }
        for (int i = 0; i < 10_000; i++) {
            kept += saved.take("key" + i) == null ? 0 : 1;
        }
        assertThat(kept).isBetween(50, 128);
    }

    @Test
    void targetAloneIsNotARequest() {
        assertThat(SavedRequest.ofTarget("/a?b").hasContent()).isFalse();
        assertThat(SavedRequest.ofTarget("/a?b").target()).isEqualTo("/a?b");
        assertThat(request(0).hasContent()).isTrue();
    }
}
