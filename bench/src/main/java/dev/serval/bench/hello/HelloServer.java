package dev.serval.bench.hello;

import com.sun.management.ThreadMXBean;
import dev.serval.Folder;
import dev.serval.Serval;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.Task;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Limits;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The engine with a few handlers, as a program: `ROOT PORT WAY LOOPS PREEMPT`.
///
/// `/hello` answers with the file of that name, from memory, in the way asked for; `/spin`, `/pin`,
/// `/sleep` and `/read` do so as application code that keeps its thread first ([Hog]); `/counts`
/// tells what the process allocated so far and how often a loop was preempted; all else are files. It
/// serves until it is ended.
public final class HelloServer {
    /// Path without its slash, and the file it answers with.
    public static final String PAGE = "hello";

    private final Path root;
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Handler answer;
    private volatile @Nullable Serval server; // once it has started

    private HelloServer(Path root) throws IOException {
        this.root = root;
        byte[] text = Files.readAllBytes(root.resolve(PAGE));
        ResponseHead head = head(text.length);
        Body body = new Body.Bytes(ByteBuffer.allocateDirect(text.length).put(text).flip(), null);
        this.answer = x -> x.response().send(head, body);
    }

    /// Starts it.
    ///
    /// @param arguments folder, port, a [Way], number of loops, whether loops are preempted
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 5) {
            throw new IllegalArgumentException("ROOT PORT WAY LOOPS PREEMPT");
        }
        Way way = Way.valueOf(arguments[2]);
        Limits.Workers workers = Limits.Workers.DEFAULT;
        if (way == Way.PLATFORM) {
            workers = workers.withPoolThreadsMax(Way.PLATFORM_THREADS);
        }
        if (!Boolean.parseBoolean(arguments[4])) {
            workers = workers.withKeptThreadsMax(0);
        }
        Serval.Builder builder =
                Serval.builder()
                        .listen(Integer.parseInt(arguments[1]))
                        .loops(Integer.parseInt(arguments[3]))
                        .limits(Limits.DEFAULT.withWorkers(workers))
                        .workers(way.threads());
        new HelloServer(Path.of(arguments[0])).start(builder, way);
    }

    private void start(Serval.Builder builder, Way way) throws IOException {
        Task hello = () -> answer;
        builder.mount("/", Folder.of(root))
                .mount("/counts", this::tellCounts)
                .mount(
                        "/" + PAGE,
                        way == Way.LOOP ? answer : x -> x.run(ExecutorKind.WORKER, hello));
        for (Hog hog : Hog.values()) {
            Task task =
                    () -> {
                        hog.run(root);
                        return answer;
                    };
            builder.mount(hog.path(), x -> x.run(ExecutorKind.WORKER, task));
        }
        Serval started = builder.start();
        server = started;
        System.out.println(started.workerThreads() + ", " + started.transport());
    }

    private static ResponseHead head(int length) {
        return new ResponseHead(Status.OK, Fields.of(FieldName.CONTENT_TYPE, "text/plain"), length);
    }

    /// Two numbers: bytes allocated by all threads since the start, and preemptions.
    private void tellCounts(Exchange x) {
        @Nullable Serval present = server;
        long preemptions = present == null ? 0 : present.carriers().preemptions();
        String text = threads.getTotalThreadAllocatedBytes() + " " + preemptions;
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        x.response().send(head(bytes.length), Body.Bytes.of(bytes));
    }
}
