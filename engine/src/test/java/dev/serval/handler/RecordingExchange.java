package dev.serval.handler;

import dev.serval.codec.CodecKey;
import dev.serval.exchange.DirectContent;
import dev.serval.exchange.EngineExchange;
import dev.serval.exchange.Lender;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpVersion;
import dev.serval.http.Method;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.RequestHeadWriter;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// An exchange without a connection, for tests of handlers. It takes a request as text and records
/// the handler's answer. Its clock changes only by [#at]. Owned by the test's thread.
///
/// - Tasks run at once, unless [#holdTasks] was called.
/// - Pieces of content are read and released at once, unless [#holdBodies] was called.
/// - There is always room to write, unless [#room] was called.
public final class RecordingExchange implements EngineExchange, Sink, Source {
    private static final Executor LOOP = Runnable::run;
    private final RequestHead request;
    private Route route = new Route("/", List.of(_ -> {}));
    private long nowNanos = 1_000_000_000_000L;
    private boolean holdsTasks;
    private boolean executorsFull;
    private long room = 64 << 10;
    private Runnable meanwhile = () -> {};

    private final ArrayDeque<Task> tasks = new ArrayDeque<>();
    private int tasksRun;
    private final RecordedContent content = new RecordedContent();
    private @Nullable ResponseHead head;
    private @Nullable String refused;
    private boolean passed;
    private boolean ended;
    private @Nullable Fault aborted;
    private @Nullable Exception failure;
    private @Nullable Runnable writable;
    private Handler.@Nullable Maintenance maintenance;
    private long maintenanceAtNanos = Handler.Maintenance.NEVER;
    private final List<Runnable> onAbort = new ArrayList<>();
    private Executor loop = LOOP;

    /// Creates a request without content.
    ///
    /// @param target a valid target in origin form
    /// @param fieldLines `Name: value` each; the name may be unknown
    public RecordingExchange(Method method, String target, String... fieldLines) {
        byte[] line = bytes(target);
        RequestHeadWriter writer = new RequestHeadWriter(CodecKey.KEY);
        request = writer.head();
        @Nullable ProtocolError wrong = writer.path(line, 0, line.length);
        if (wrong != null) {
            throw new IllegalArgumentException(target + ": " + wrong);
        }
        for (String text : fieldLines) {
            int colon = text.indexOf(':');
            byte[] name = bytes(text.substring(0, colon));
            byte[] value = bytes(text.substring(colon + 1).strip());
            @Nullable FieldName known = FieldName.of(name, 0, name.length);
            if (FieldName.HOST.equals(known)) {
                writer.authority(value, 0, value.length);
            } else {
                writer.name(known, name, 0, name.length);
                writer.value(value, 0, value.length);
            }
        }
        writer.line(method, HttpVersion.HTTP_1_1);
        writer.end(0, false);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Returns a GET.
    public static RecordingExchange get(String target, String... fieldLines) {
        return new RecordingExchange(Method.GET, target, fieldLines);
    }

    /// Returns a HEAD.
    public static RecordingExchange head(String target, String... fieldLines) {
        return new RecordingExchange(Method.HEAD, target, fieldLines);
    }

    /// Sets the mount `prefix`.
    public RecordingExchange below(String prefix) {
        route = new Route(prefix, List.of(_ -> {}));
        return this;
    }

    /// Sets the reading of the monotonic clock.
    public RecordingExchange at(long nanos) {
        nowNanos = nanos;
        return this;
    }

    /// Runs on another loop than other exchanges.
    public RecordingExchange onOwnLoop() {
        loop = this::proceed; // another object for each exchange
        return this;
    }

    /// Holds tasks until [#runTask].
    public RecordingExchange holdTasks() {
        holdsTasks = true;
        return this;
    }

    /// Runs `work` between each task and the Handler that it returns.
    public RecordingExchange betweenTaskAndHandler(Runnable work) {
        meanwhile = work;
        return this;
    }

    /// Fills every executor: offered tasks are not accepted, other tasks are refused.
    public RecordingExchange fullExecutors() {
        executorsFull = true;
        return this;
    }

    /// Holds pieces of content, unread, until [#releaseBodies].
    public RecordingExchange holdBodies() {
        content.hold();
        return this;
    }

    /// Clears the answer, so that the same request can be handled again. Allocates nothing.
    public RecordingExchange again() {
        head = null;
        refused = null;
        passed = false;
        ended = false;
        content.clear();
        return this;
    }

    /// Sets what [#write] returns.
    public RecordingExchange room(long content) {
        room = content;
        return this;
    }

    /// Calls `handler`.
    public RecordingExchange by(Handler handler) {
        handler.handle(this);
        return this;
    }

    /// Runs the oldest held task and the Handler it returns.
    public RecordingExchange runTask() {
        carryOut(tasks.removeFirst());
        return this;
    }

    /// Runs the maintenance that was requested last, at `nowNanos`, and stores the next instant.
    public RecordingExchange runMaintenance(long nowNanos) {
        Handler.@Nullable Maintenance asked = maintenance;
        if (asked == null || nowNanos < maintenanceAtNanos) {
            throw new IllegalStateException("No maintenance is due at " + nowNanos);
        }
        maintenanceAtNanos = asked.run(nowNanos);
        return this;
    }

    /// Runs the callback that waits for room.
    public RecordingExchange makeRoom() {
        @Nullable Runnable once = writable;
        writable = null;
        if (once != null) {
            once.run();
        }
        return this;
    }

    /// Reads the held pieces and releases them, as if they were sent.
    public RecordingExchange releaseBodies() {
        content.releaseHeld(head != null && isWithoutContent());
        return this;
    }

    /// Releases the held pieces unread. Allocates nothing.
    public RecordingExchange freeBodies() {
        content.freeHeld();
        return this;
    }

    /// Aborts the exchange because the peer is gone.
    public RecordingExchange abortByPeer() {
        aborted = Fault.PEER_GONE;
        List.copyOf(onAbort).forEach(Runnable::run);
        onAbort.clear();
        return this;
    }

    /// Drops the tasks that wait.
    public RecordingExchange dropTasks() {
        tasks.forEach(Task::dropped);
        tasks.clear();
        return this;
    }

    // Results

    /// Returns the status of the answer or refusal; 0 if there is none yet.
    public int status() {
        return head == null ? 0 : head.status().code();
    }

    /// Returns the head of the answer.
    public ResponseHead responseHead() {
        if (head == null) {
            throw new IllegalStateException("There is no answer yet", failure);
        }
        return head;
    }

    /// Returns the first field of that name in the answer, or null.
    public @Nullable String answered(FieldName name) {
        return responseHead().fields().first(name);
    }

    /// Returns the received content.
    public byte[] contentBytes() {
        return content.bytes();
    }

    /// Returns the received content as ISO-8859-1.
    public String contentText() {
        return new String(content.bytes(), StandardCharsets.ISO_8859_1);
    }

    /// Returns the pieces in which the content was written.
    public List<Body> pieces() {
        return content.pieces();
    }

    /// Returns the text of a refusal, or null.
    public @Nullable String refused() {
        return refused;
    }

    /// Returns whether it was passed to the next handler.
    public boolean passed() {
        return passed;
    }

    /// Returns whether the response ended.
    public boolean ended() {
        return ended;
    }

    /// Returns why the response was aborted, or null.
    public @Nullable Fault aborted() {
        return aborted;
    }

    /// Returns what a task threw, or null.
    public @Nullable Exception failure() {
        return failure;
    }

    /// Returns the number of tasks that ran.
    public int tasksRun() {
        return tasksRun;
    }

    /// Returns the number of held tasks.
    public int tasksWaiting() {
        return tasks.size();
    }

    /// Returns the instant of the next maintenance, or [Handler.Maintenance#NEVER].
    public long maintenanceAtNanos() {
        return maintenanceAtNanos;
    }

    /// Returns whether the response ended with exactly the content that its head promises.
    public boolean complete() {
        long expected = isWithoutContent() ? 0 : responseHead().contentLength();
        return ended && aborted == null && content.size() == expected;
    }

    private boolean isWithoutContent() {
        return request.method() == Method.HEAD || responseHead().status().withoutContent();
    }

    // Exchange

    @Override
    public RequestHead request() {
        return request;
    }

    @Override
    public ConnectionFacts connection() {
        return new LocalFacts();
    }

    @Override
    public Source content() {
        return this;
    }

    @Override
    public Sink response() {
        return this;
    }

    @Override
    public long nowNanos() {
        return nowNanos;
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
    public void enter(Route mount) {
        route = mount;
        mount.chain().getFirst().handle(this);
    }

    @Override
    public void pass() {
        requireUntouched("pass");
        passed = true;
    }

    @Override
    public void run(ExecutorKind executor, Task task) {
        if (executor != ExecutorKind.BLOCKING && executor != ExecutorKind.DISK) {
            throw new IllegalStateException("There is no executor " + executor);
        }
        if (executorsFull) {
            boolean untouched = head == null;
            aborted = Fault.OVERLOAD;
            if (untouched) {
                refuse(Status.SERVICE_UNAVAILABLE, Fields.EMPTY, "no room");
            }
            List.copyOf(onAbort).forEach(Runnable::run);
            onAbort.clear();
            task.dropped();
            return;
        }
        tasks.addLast(task);
        if (!holdsTasks) {
            runTask();
        }
    }

    @Override
    public boolean offer(ExecutorKind executor, Task task) {
        if (!executorsFull) {
            run(executor, task);
        }
        return !executorsFull;
    }

    @Override
    public void replaceHead(RequestHead other) {
        throw new UnsupportedOperationException("No test needs it");
    }

    @Override
    public void routeAgain() {
        throw new UnsupportedOperationException("No test needs it");
    }

    @Override
    public void addFields(Fields fields, Fields toErrors) {
        throw new UnsupportedOperationException("No test needs it");
    }

    @Override
    public void timeOut() {
        abort(Fault.TIMEOUT);
    }

    @Override
    public void failed(Throwable thrown) {
        throw new IllegalStateException(thrown);
    }

    @Override
    public void proceed(Runnable callback) {
        callback.run();
    }

    @Override
    public void maintenance(Handler.Maintenance work, long atNanos) {
        maintenance = work;
        maintenanceAtNanos = atNanos;
    }

    @Override
    public void refuse(Status status, Fields fields, String what) {
        requireUntouched("refuse");
        refused = what;
        head = new ResponseHead(status, fields, 0);
        ended = true;
    }

    @Override
    public Duplex upgrade(ResponseHead answer) {
        throw new UnsupportedOperationException("No upgrade in this fake");
    }

    @Override
    public void run(Mapping mapping, Task task) {
        run(ExecutorKind.BLOCKING, task);
    }

    @Override
    public Executor loop() {
        return loop;
    }

    @Override
    public void onAbort(Runnable then) {
        onAbort.add(then);
    }

    @Override
    public @Nullable Fault fault() {
        return aborted;
    }

    @Override
    public void retire() {}

    @Override
    public void endsWithClient() {}

    @Override
    public DirectContent directContent() {
        throw new UnsupportedOperationException("This test has no buffers of a connection");
    }

    @Override
    public Lender lender() {
        throw new UnsupportedOperationException("This test lends no buffers");
    }

    // Sink

    @Override
    public void inform(Status interim, Fields fields) {}

    @Override
    public void head(ResponseHead answer) {
        requireUntouched("head");
        head = answer;
    }

    @Override
    public long write(Body part) {
        if (head == null || ended) {
            throw new IllegalStateException("write is only allowed between head and end");
        }
        content.add(part, isWithoutContent());
        return room;
    }

    @Override
    public void onWritable(Runnable once) {
        writable = once;
    }

    @Override
    public void end(Fields trailers) {
        if (head == null || ended) {
            throw new IllegalStateException("end is only allowed once, after head");
        }
        ended = true;
        onAbort.clear();
    }

    @Override
    public void abort(Fault why) {
        aborted = why;
    }

    @Override
    public void cut(Fault why) {
        abort(why);
    }

    @Override
    public int read(ByteBuffer into) {
        return END;
    }

    @Override
    public void onReadable(Runnable once) {
        once.run();
    }

    @Override
    public void discard(long maxBytes) {}

    @Override
    public Fields trailers() {
        return Fields.EMPTY;
    }

    private void carryOut(Task task) {
        tasksRun++;
        @Nullable Handler next;
        try {
            next = task.run();
        } catch (Exception e) { // as a connection does
            failure = e;
            refuse(Status.INTERNAL_SERVER_ERROR, Fields.EMPTY, String.valueOf(e));
            return;
        }
        meanwhile.run();
        if (aborted != null) {
            task.dropped();
        } else if (next != null) {
            next.handle(this);
        }
    }

    private void requireUntouched(String call) {
        if (head != null) {
            throw new IllegalStateException(call + " after the head of a response");
        }
    }
}
