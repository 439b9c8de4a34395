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

/// Runs the engine with a few handlers, as a program: `ROOT PORT WAY LOOPS PREEMPT`. It serves
/// until its process ends.
///
/// - `/hello` answers with the file of that name from memory, in the given way.
/// - `/spin`, `/pin`, `/sleep` and `/read` first keep their thread as application code does
///   ([Hog]).
/// - `/counts` answers with the bytes that the process has allocated and the number of preemptions.
/// - All other paths are files.
public final class HelloServer {
    /// The path without its slash, and the name of its file.
    public static final String PAGE = "hello";

    private final Path root;
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Handler answer;
    private volatile @Nullable Serval server; // null until it has started

    private HelloServer(Path root) throws IOException {
        this.root = root;
        byte[] text = Files.readAllBytes(root.resolve(PAGE));
        ResponseHead head = head(text.length);
        Body body = new Body.Bytes(ByteBuffer.allocateDirect(text.length).put(text).flip(), null);
        this.answer = x -> x.response().send(head, body);
    }

    /// Starts the server.
    ///
    /// @param arguments folder, port, a [Way], number of loops, whether loops are preempted
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 5) {
            throw new IllegalArgumentException("Wrong arguments; use ROOT PORT WAY LOOPS PREEMPT");
        }
        Way way = Way.valueOf(arguments[2]);
        boolean preempts = Boolean.parseBoolean(arguments[4]);
        Limits limits =
                Limits.DEFAULT.with(draft -> {
                    if (way == Way.PLATFORM) {
                        draft.workers.poolThreadsMax = Way.PLATFORM_THREADS;
                    }
                    if (!preempts) {
                        draft.workers.keptThreadsMax = 0;
                    }
                });
        Serval.Builder builder =
                Serval.builder()
                        .listen(Integer.parseInt(arguments[1]))
                        .loops(Integer.parseInt(arguments[3]))
                        .limits(limits)
                        .workers(way.threads());
        new HelloServer(Path.of(arguments[0])).start(builder, way);
    }

    private void start(Serval.Builder builder, Way way) throws IOException {
        Task hello = () -> answer;
        builder.mount("/", Folder.of(root))
                .mount("/counts", this::answerCounts)
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

    /// Answers with two numbers: the bytes that all threads have allocated since the start, and the
    /// preemptions.
    private void answerCounts(Exchange x) {
        @Nullable Serval present = server;
        long preemptions = present == null ? 0 : present.preemptions();
        String text = threads.getTotalThreadAllocatedBytes() + " " + preemptions;
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        x.response().send(head(bytes.length), Body.Bytes.of(bytes));
    }
}
