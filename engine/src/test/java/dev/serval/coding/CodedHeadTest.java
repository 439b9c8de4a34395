package dev.serval.coding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.RecordingExchange;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which responses are compressed.
final class CodedHeadTest {
    private static final String GZIP = "Accept-Encoding: gzip";

    private static ResponseHead head(int status, long length, String fields) {
        Fields all = new Fields();
        for (String field : fields.split(";;", -1)) {
            String[] parts = field.strip().split(": ", 2);
            if (parts.length == 2) {
                all.add(parts[0], parts[1]);
            }
        }
        return new ResponseHead(Status.of(status), all, length);
    }

    private static CodedHead.Choice choice(ResponseHead head, String... request) {
        return CodedHead.of(
                head, RecordingExchange.get("/", request).request(), Compression.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    200 | 1024 | Content-Type: text/html                    | GZIP
                    200 | -1   | Content-Type: text/html; charset=utf-8     | GZIP
                    200 | 1024 | Content-Type: application/problem+json     | GZIP
                    404 | 1024 | Content-Type: text/html                    | GZIP
                    200 | 1023 | Content-Type: text/html                    | UNTOUCHED
                    200 | 1024 | Content-Type: image/png                    | UNTOUCHED
                    200 | 1024 | X-Y: z                                     | UNTOUCHED
                    206 | 10   | Content-Type: text/html                    | VARIES
                    206 | 1024 | Content-Type: image/png                    | UNTOUCHED
                    206 | 1024 | Content-Type: multipart/byteranges; boundary=x | VARIES
                    206 | 1024 | Content-Type: text/html;; Content-Encoding: br | UNTOUCHED
                    204 | -1   | Content-Type: text/html                    | UNTOUCHED
                    205 | 1024 | Content-Type: text/html                    | UNTOUCHED
                    304 | 1024 | ETag: "x"                                  | NOT_MODIFIED
                    304 | -1   | ETag: "x";; Content-Type: text/html        | NOT_MODIFIED
                    304 | -1   | ETag: "x";; Content-Type: image/png        | UNTOUCHED
                    304 | -1   | ETag: "x";; Cache-Control: no-transform    | UNTOUCHED
                    200 | 1024 | Content-Type: text/html;; Content-Encoding: br       | UNTOUCHED
                    200 | 1024 | Content-Type: text/html;; Content-Encoding: identity | UNTOUCHED
                    200 | 1024 | Content-Type: text/html;; Cache-Control: no-transform | UNTOUCHED
                    200 | 1024 | Content-Type: text/html;; Cache-Control: private,No-Transform | UNTOUCHED
                    200 | 1024 | Content-Type: text/html;; Cache-Control: no-transforms, x-no-transform | GZIP
                    200 | 1024 | Content-Type: text/html;; Content-Digest: sha-256=:eA==: | UNTOUCHED
                    200 | 1024 | Content-Type: text/html;; Repr-Digest: sha-256=:eA==:    | UNTOUCHED
                    """)
    void choosesByTheResponse(int status, long length, String fields, CodedHead.Choice choice) {
        assertThat(choice(head(status, length, fields), GZIP)).isEqualTo(choice);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Accept-Encoding: br, gzip | GZIP",
                "Accept-Encoding: gzip, identity | GZIP",
                "Accept-Encoding: * | GZIP",
                "Accept-Encoding: gzip;q=0 | VARIES",
                "Accept-Encoding: br | VARIES",
                "Accept-Encoding: gzip;q=0.5, identity | VARIES",
                "Accept: text/html | VARIES",
            })
    void choosesByTheRequest(String field, CodedHead.Choice choice) {
        ResponseHead head = head(200, 1024, "Content-Type: text/html");
        assertThat(choice(head, field)).isEqualTo(choice);
        assertThat(choice(head, field, "Cache-Control: no-transform"))
                .isEqualTo(CodedHead.Choice.VARIES);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, Accept-Encoding",
                "Origin, Origin",
                "'accept-encoding, Origin', -",
                "*, -"
            })
    void addsVaryOnce(String present, String added) {
        Fields fields = new Fields();
        if (present != null) {
            fields.add(FieldName.VARY, present);
        }
        ResponseHead head = new ResponseHead(Status.OK, fields, 5);
        ResponseHead varied = CodedHead.varied(head);
        if (added == null) {
            assertThat(varied).isSameAs(head);
        } else {
            assertThat(varied.fields().all(FieldName.VARY)).contains(added, "Accept-Encoding");
            assertThat(varied.contentLength()).isEqualTo(5);
        }
    }

    @Test
    void weakensTags() {
        ResponseHead head = head(200, 5, "ETag: \"x\"");
        assertThat(CodedHead.gzip(head).fields().first(FieldName.ETAG)).isEqualTo("W/\"x\"");
        ResponseHead weak = head(200, 5, "ETag: W/\"x\"");
        assertThat(CodedHead.gzip(weak).fields().first(FieldName.ETAG)).isEqualTo("W/\"x\"");
        assertThat(CodedHead.notModified(head).fields().first(FieldName.ETAG)).isEqualTo("W/\"x\"");
        assertThat(CodedHead.notModified(weak).fields().first(FieldName.ETAG)).isEqualTo("W/\"x\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "W/\"x\" | NOT_MODIFIED",
                "W/\"y\", W/\"x\" | NOT_MODIFIED",
                "* | NOT_MODIFIED",
                "\"xy\" | NOT_MODIFIED",
                "\"x\" | VARIES",
                "W/\"x\", \"x\" | VARIES",
            })
    void answersAboutTheResponseThatTheClientHas(String known, CodedHead.Choice choice) {
        ResponseHead head = head(304, 0, "ETag: \"x\"");
        assertThat(
                        CodedHead.of(
                                head,
                                RecordingExchange.get("/", GZIP, "If-None-Match: " + known)
                                        .request(),
                                Compression.DEFAULT))
                .isEqualTo(choice);
    }

    /// The 200 has Vary for a client that takes no gzip, too.
    @Test
    void notModifiedVariesForEachClient() {
        ResponseHead head = head(304, 0, "ETag: \"x\"");
        assertThat(choice(head, "Accept: text/html")).isEqualTo(CodedHead.Choice.VARIES);
    }

    @Test
    void answersWithTheFieldsOfACompressedResponse() {
        ResponseHead head = head(304, 0, "Last-Modified: x");
        assertThat(CodedHead.notModified(head).fields().first(FieldName.VARY))
                .isEqualTo("Accept-Encoding");
    }
}
