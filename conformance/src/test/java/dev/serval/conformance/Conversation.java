package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Digests;
import dev.serval.testkit.Escapes;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.Mode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Plays one row of a table on a new connection. Every response must also obey [ResponseRules], and
/// no request may ever reach `/smuggled`.
final class Conversation {
    private static final Pattern ETAG_MARK = Pattern.compile("\\{etag ([^}]+)}");
    private static final String PROBE = "GET /digits.txt HTTP/1.1\r\nHost: probe\r\n\r\n";

    private final Site site;
    private final RawClient client;
    private final Mode mode;
    private final Delivery delivery;
    private final ByteArrayOutputStream unsent = new ByteArrayOutputStream();
    private @Nullable RawResponse last;
    private @Nullable RawResponse unseen;

    private Conversation(Site site, RawClient client, Mode mode, Delivery delivery) {
        this.site = site;
        this.client = client;
        this.mode = mode;
        this.delivery = delivery;
    }

    /// Plays the row. A failure names the row's place in its table.
    static void play(Table.Row row, Site site, Mode mode, Delivery delivery) {
        int smuggledBefore = site.smuggled();
        try (RawClient client = site.server().connect(mode)) {
            Conversation conversation = new Conversation(site, client, mode, delivery);
            conversation.play(row);
        } catch (AssertionError e) {
            throw new AssertionError(row.where() + ": " + row.title() + "\n" + e.getMessage(), e);
        }
        assertThat(site.smuggled()).as("requests that reached /smuggled").isEqualTo(smuggledBefore);
    }

    private void play(Table.Row row) {
        for (Table.Step step : row.steps()) {
            if (step instanceof Table.Step.Http2Reset && mode.isHttp2()) {
                flush();
                client.expectClosed(); // what the client makes of a reset
                return;
            }
            play(step);
        }
        end(row.end());
    }

    private void play(Table.Step step) {
        switch (step) {
            case Table.Step.Send send -> unsent.writeBytes(Escapes.parse(tagged(send.escaped())));
            case Table.Step.Finish() -> {
                flush();
                client.finish();
            }
            case Table.Step.See see -> {
                flush();
                see(see);
            }
            case Table.Step.Content(byte[] content) ->
                    assertThat(Escapes.show(seen().body())).isEqualTo(Escapes.show(content));
            case Table.Step.Matching(Pattern pattern) -> assertThat(seen().text()).matches(pattern);
            case Table.Step.Length(int bytes) -> assertThat(seen().body()).hasSize(bytes);
            case Table.Step.OfFile file -> ofFile(file);
            case Table.Step.Raw(byte[] content) -> {
                flush();
                assertThat(Escapes.show(client.bytes(content.length)))
                        .isEqualTo(Escapes.show(content));
            }
            case Table.Step.Trailer(Table.FieldRule rule) ->
                    check(
                            rule,
                            seen().trailers().stream()
                                    .filter(f -> f.name().equalsIgnoreCase(rule.name()))
                                    .map(RawResponse.Field::value)
                                    .toList());
            case Table.Step.Without(String text) ->
                    assertThat(seen().text()).doesNotContainIgnoringCase(text);
            case Table.Step.Http1 _, Table.Step.Http2Reset _ -> {}
            case Table.Step.AtMost(int bytes) ->
                    assertThat(seen().body()).hasSizeLessThanOrEqualTo(bytes);
        }
    }

    private void see(Table.Step.See see) {
        if (see.optional() && client.ends()) {
            return;
        }
        RawResponse held = unseen;
        RawResponse response = held == null ? client.next(see.method()) : held;
        unseen = null;
        if (see.optional() && !see.statuses().contains(response.status())) {
            unseen = response;
            return;
        }
        last = response;
        check(response, see);
    }

    private void check(RawResponse response, Table.Step.See see) {
        assertThat(see.statuses()).as("status of\n%s", response).contains(response.status());
        see.fields().forEach(rule -> check(rule, response.all(rule.name())));
        ResponseRules.check(response, see.method());
    }

    private void end(Table.End end) {
        flush();
        switch (end) {
            case OPEN -> {
                assertThat(seen().announcesClose()).as("announces a close\n%s", last).isFalse();
                assertThat(client.exchange(PROBE).text())
                        .as("answer to a further request")
                        .isEqualTo("0123456789");
            }
            case CLOSED -> {
                boolean closes = !mode.isHttp2(); // a refused request ends only its stream there
                assertThat(seen().announcesClose())
                        .as("the last response announces the close (RFC 9112 §9.6)\n%s", last)
                        .isEqualTo(closes);
                if (closes) {
                    client.expectClosed();
                }
            }
            case ENDS -> client.expectClosed();
            case ANY -> client.finish().expectClosed();
        }
    }

    private static void check(Table.FieldRule rule, List<String> values) {
        if (!rule.present()) {
            assertThat(values).as(rule.name()).isEmpty();
            return;
        }
        assertThat(values).as(rule.name()).isNotEmpty();
        Pattern pattern = rule.pattern();
        if (pattern != null) {
            assertThat(String.join(", ", values)).as(rule.name()).matches(pattern);
        }
    }

    private void ofFile(Table.Step.OfFile file) {
        try {
            byte[] all = Files.readAllBytes(site.tree().path(file.path()));
            byte[] expected = file.to() < 0 ? all : Arrays.copyOfRange(all, file.from(), file.to());
            assertThat(seen().body()).hasSameSizeAs(expected);
            assertThat(Digests.sha256(seen().body())).isEqualTo(Digests.sha256(expected));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private RawResponse seen() {
        if (last == null) {
            throw new AssertionError("the row checks a response before it has one");
        }
        return last;
    }

    private void flush() {
        delivery.send(client, unsent.toByteArray());
        unsent.reset();
    }

    private String tagged(String text) {
        Matcher mark = ETAG_MARK.matcher(text);
        return mark.replaceAll(m -> Matcher.quoteReplacement(etag(m.group(1))));
    }

    private String etag(String path) {
        try (RawClient other = site.server().connect()) {
            RawResponse response = other.exchange("GET " + path + " HTTP/1.1\r\nHost: e\r\n\r\n");
            String etag = response.field("ETag");
            if (etag == null) {
                throw new AssertionError("no ETag (RFC 9110 §8.8.3)\n" + response);
            }
            return etag;
        }
    }
}
