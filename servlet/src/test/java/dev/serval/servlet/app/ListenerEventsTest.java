package dev.serval.servlet.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.context.TestApp;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.util.EventListener;
import org.junit.jupiter.api.Test;

/// Which listeners of an application hear that sessions end.
final class ListenerEventsTest {
    private static final class Ids implements HttpSessionIdListener {
        @Override
        public void sessionIdChanged(HttpSessionEvent event, String oldId) {}
    }

    private static boolean hears(EventListener... listeners) throws Exception {
        TestApp app = new TestApp();
        for (EventListener listener : listeners) {
            app.listener(listener);
        }
        app.start();
        return new ListenerEvents(app.context().listeners()).hearsEnds();
    }

    @Test
    void onlyThoseOfSessionsAndOfTheirAttributesHearOfTheEnd() throws Exception {
        assertThat(hears()).isFalse();
        assertThat(hears(new Ids())).isFalse();
        assertThat(hears(new HttpSessionListener() {})).isTrue();
        assertThat(hears(new HttpSessionAttributeListener() {})).isTrue();
    }
}
