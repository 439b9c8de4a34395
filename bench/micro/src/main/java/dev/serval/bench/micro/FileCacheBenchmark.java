package dev.serval.bench.micro;

import dev.serval.codec.CodecKey;
import dev.serval.exchange.DirectContent;
import dev.serval.exchange.EngineExchange;
import dev.serval.exchange.Lender;
import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import dev.serval.handler.Body;
import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Duplex;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Handler.Maintenance;
import dev.serval.handler.Mapping;
import dev.serval.handler.Route;
import dev.serval.handler.Sink;
import dev.serval.handler.Source;
import dev.serval.handler.Task;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpVersion;
import dev.serval.http.Method;
import dev.serval.http.RequestHead;
import dev.serval.http.RequestHeadWriter;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Measures the answer with a cached 4 KiB file between the parsed head and the sink, with the
/// fields that a browser sends.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls the method with @Setup first
public class FileCacheBenchmark {
    private static final String FIELDS =
            """
            Host: localhost:8080
            User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36
            Accept: text/html,application/xhtml+xml
            Accept-Language: en
            Accept-Encoding: gzip, br
            Connection: keep-alive
            Cookie: a=b
            Sec-Fetch-Dest: document
            Sec-Fetch-Mode: navigate
            """;

    private FileHandler handler;
    private Silent get;
    private Silent conditional;

    /// Creates the file and requests it once.
    @Setup
    public void ask() throws IOException {
        Path root = Files.createTempDirectory("serval-bench");
        Files.createDirectory(root.resolve("assets"));
        Files.write(root.resolve("assets/page-4k.html"), new byte[4096]);
        handler = FileHandler.of(root, FileOptions.DEFAULT);
        get = new Silent(FIELDS);
        handler.handle(get);
        String tag = get.sent.fields().first(FieldName.ETAG);
        conditional = new Silent(FIELDS + "If-None-Match: " + tag + "\n");
    }

    /// Answers a GET with 200.
    @Benchmark
    public long ok() {
        handler.handle(get);
        return get.bytes;
    }

    /// Answers a GET with 304 by its entity tag.
    @Benchmark
    public ResponseHead notModified() {
        handler.handle(conditional);
        return conditional.sent;
    }

    /// Represents an exchange that drops its answer.
    private static final class Silent implements EngineExchange, Sink {
        final RequestHead request;
        final Route route = new Route("/", List.of(_ -> {}));
        final long now = System.nanoTime();

        @SuppressWarnings("NullAway.Init") // set by the first answer
        ResponseHead sent;

        long bytes;

        Silent(String fieldLines) {
            String text = "/assets/page-4k.html" + fieldLines;
            byte[] head = text.getBytes(StandardCharsets.ISO_8859_1);
            RequestHeadWriter request = new RequestHeadWriter(CodecKey.KEY);
            this.request = request.head();
            request.origin(head, 0, 20, -1);
            int at = 20;
            for (String line : fieldLines.split("\n", -1)) {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    int name = at + colon;
                    request.fields()
                            .mark(
                                    FieldName.of(head, at, name),
                                    at,
                                    name,
                                    name + 2,
                                    at + line.length());
                }
                at += line.length() + 1;
            }
            request.line(Method.GET, HttpVersion.HTTP_1_1);
            request.content(0, false, 0);
            request.keep(head, 0, head.length);
        }

        @Override
        public RequestHead request() {
            return request;
        }

        @Override
        public ConnectionFacts connection() {
            throw new UnsupportedOperationException("This exchange has no connection");
        }

        @Override
        public Source content() {
            throw new UnsupportedOperationException("This exchange has no content");
        }

        @Override
        public Sink response() {
            return this;
        }

        @Override
        public long nowNanos() {
            return now;
        }

        @Override
        public long deadlineNanos() {
            return Long.MAX_VALUE;
        }

        @Override
        public Route route() {
            return route;
        }

        @Override
        public void enter(Route mount) {}

        @Override
        public void pass() {
            throw new IllegalStateException("The file was not found");
        }

        @Override
        public void run(ExecutorKind executor, Task task) {
            try {
                @Nullable Handler next = task.run();
                if (next != null) {
                    next.handle(this);
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void replaceHead(RequestHead other) {}

        @Override
        public void routeAgain() {}

        @Override
        public void addFields(Fields fields, Fields toErrors) {}

        @Override
        public void run(Mapping mapping, Task task) {
            run(ExecutorKind.WORKER, task);
        }

        @Override
        public Executor loop() {
            throw new UnsupportedOperationException("This exchange has no loop");
        }

        @Override
        public boolean offer(ExecutorKind executor, Task task) {
            run(executor, task);
            return true;
        }

        @Override
        public void timeOut() {}

        @Override
        public void failed(Throwable thrown) {
            throw new IllegalStateException(thrown);
        }

        @Override
        public void proceed(Runnable callback) {
            callback.run();
        }

        @Override
        public void maintenance(Maintenance maintenance, long atNanos) {}

        @Override
        public void refuse(Status status, Fields fields, String what) {
            throw new IllegalStateException(what);
        }

        @Override
        public Duplex upgrade(ResponseHead head) {
            throw new UnsupportedOperationException("This exchange has no upgrade");
        }

        @Override
        public void onAbort(Runnable then) {}

        @Override
        public @Nullable Fault fault() {
            return null;
        }

        @Override
        public void retire() {}

        @Override
        public DirectContent directContent() {
            throw new UnsupportedOperationException("This exchange has no buffers");
        }

        @Override
        public Lender lender() {
            throw new UnsupportedOperationException("This exchange lends no buffers");
        }

        @Override
        public void inform(Status interim, Fields fields) {}

        @Override
        public void head(ResponseHead head) {
            sent = head;
        }

        @Override
        public long write(Body part) {
            bytes += part.length();
            return 1;
        }

        @Override
        public void onWritable(Runnable once) {}

        @Override
        public void end(Fields trailers) {}

        @Override
        public void endsWithClient() {}

        @Override
        public void cut(Fault why) {}

        @Override
        public void abort(Fault why) {}
    }
}
