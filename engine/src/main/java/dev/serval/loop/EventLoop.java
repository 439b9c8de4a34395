package dev.serval.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// One thread's duty cycle over its sockets, deadlines, commands and Workers.
///
/// A turn: poll, act on what is ready, fire what is due, carry out commands, end the turn, and then
/// carry Workers, which run application code. The clock is read once a turn, and behind each Worker.
/// All state is in fields, so that another thread can go on with the loop while application code
/// keeps this one. All but Workers never blocks. Only [#execute], [#submit], [#stop], [#report] and
/// [#isOwner] may be called from other threads.
public final class EventLoop implements Executor {
    private static final String STEP_FAILED =
            Reports.text("An event loop's step failed; the loop goes on");
    private static final String COMMAND_FAILED =
            Reports.text("A command to an event loop failed; the loop goes on");
    private static final String POLL_FAILED = Reports.text("Polling failed; the loop goes on");
    private static final VarHandle TURNS = turnsHandle();

    private final int index;
    private final String name;
    private final Clock clock;
    private final Poller poller;
    private final TimerWheel timers;
    private final CommandQueue commands = new CommandQueue();
    private final Runnable dispatch;
    private final Runnable fireDue = this::fireDue;
    private final Runnable endTurn;
    private final Reports reports;
    private LoopApplication application = LoopApplication.NONE;
    private long turns;
    private long nowNanos;
    private long epochSeconds;
    private long secondEndsNanos = Long.MIN_VALUE;
    private volatile boolean stopping;

    private volatile boolean wakeLost;

    @SuppressWarnings("UnusedVariable") // for whoever looks into a heap dump
    private volatile @Nullable Throwable unreported;

    private final AtomicInteger wakers = new AtomicInteger(); // who asked for a wake-up under way
    private volatile @Nullable Thread owner;

    /// A loop that does nothing until [#runAsOwner] or [#turn] is called.
    public EventLoop(LoopParts parts, Poller poller) {
        this.index = parts.index();
        this.name = "serval-loop-" + index;
        this.clock = parts.clock();
        this.reports = parts.reports();
        this.poller = poller;
        this.dispatch = poller::dispatch;
        this.endTurn = poller::endTurn;
        this.nowNanos = clock.nanos();
        this.timers = new TimerWheel(nowNanos, reports);
    }

    /// Its place among the server's loops.
    public int index() {
        return index;
    }

    /// Its thread's name.
    public String name() {
        return name;
    }

    /// The clock as read at this turn's start, in nanoseconds.
    public long nowNanos() {
        return nowNanos;
    }

    /// The wall clock in seconds, read at most once a second and right to the turn.
    public long epochSeconds() {
        if (nowNanos - secondEndsNanos >= 0 || secondEndsNanos == Long.MIN_VALUE) {
            long millis = clock.epochMillis();
            epochSeconds = Math.floorDiv(millis, 1000L);
            secondEndsNanos = nowNanos + (1000 - Math.floorMod(millis, 1000L)) * 1_000_000L;
        }
        return epochSeconds;
    }

    /// The loop's deadlines.
    public TimerWheel timers() {
        return timers;
    }

    /// Sets the application code that the loop carries; once, before the loop runs.
    ///
    /// @throws IllegalStateException if it carries some already
    public void carries(LoopApplication code) {
        if (!application.equals(LoopApplication.NONE)) {
            throw new IllegalStateException("This loop carries application code already");
        }
        application = code;
    }

    /// Tells of a fault, without ever waiting. Any thread.
    public void report(String what, Throwable fault) {
        try {
            reports.fault(what, fault);
        } catch (Throwable e) { // it should not throw, but where memory is short anything may
            unreported = e;
        }
    }

    /// Tells of something the environment did, likewise. Any thread.
    public void reportLost(String what, Throwable why) {
        reports.lost(what, why);
    }

    /// Whether the calling thread runs this loop now.
    public boolean isOwner() {
        return Thread.currentThread().equals(owner);
    }

    /// Carries out `action` on the loop, behind what was asked for earlier. Any thread.
    @Override
    public void execute(Runnable action) {
        submit(new Command(action));
    }

    /// As [#execute], for a command that is used again and again. Any thread.
    public void submit(Command command) {
        if (commands.offer(command)) {
            wakeUp();
        }
    }

    /// Ends [#runAsOwner] after the present turn; the poller is closed. Any thread.
    public void stop() {
        stopping = true;
        wakeUp();
    }

    /// Makes the calling thread the loop's owner and turns until [#stop], then closes the poller; or
    /// until the loop was taken from this thread, which then must not touch it any more.
    ///
    /// @return whether the loop has ended
    public boolean runAsOwner() {
        owner = Thread.currentThread();
        guarded(endTurn); // what another owner left
        while (!stopping) {
            if (!turn(true)) {
                return false;
            }
        }
        carryOutCommands();
        guarded(application::leave);
        guarded(endTurn);
        poller.close();
        return true;
    }

    /// One turn.
    ///
    /// @param maySleep whether to wait until there is something to do
    /// @return whether the loop is still this thread's; if not, nothing of it may be touched
    public boolean turn(boolean maySleep) {
        TURNS.setOpaque(this, turns + 1);
        poll(maySleep && !application.hasReady());
        nowNanos = clock.nanos();
        guarded(dispatch);
        guarded(fireDue);
        carryOutCommands();
        guarded(endTurn);
        if (application.hasReady()) {
            if (!application.carryReady()) {
                return false;
            }
            guarded(endTurn);
        }
        return true;
    }

    /// Its time.
    public Clock clock() {
        return clock;
    }

    /// Reads the clock anew: time has passed.
    public long readClock() {
        nowNanos = clock.nanos();
        return nowNanos;
    }

    /// Turns so far. Any thread.
    public long turns() {
        return (long) TURNS.getOpaque(this);
    }

    /// Whether it waits for something to do, or is about to. Any thread.
    public boolean isAsleep() {
        return commands.isAsleep();
    }

    /// The thread that runs it. Any thread.
    public @Nullable Thread owner() {
        return owner;
    }

    /// Waking a poller takes a monitor. A Worker that had to wait for it would be made ready by the one
    /// thread of the JDK that does so for all, and that wakes loops for others meanwhile: waiting for
    /// the same monitor it would never come to that Worker, and the monitor stays the Worker's. So
    /// nobody waits: who finds somebody at it has that one do it once more.
    private void wakeUp() {
        if (wakers.getAndIncrement() != 0) {
            return;
        }
        int asked;
        do {
            asked = wakers.get();
            try {
                poller.wakeup();
            } catch (Throwable e) { // memory is short: the watchdog tries again
                wakeLost = true;
            }
        } while (!wakers.compareAndSet(asked, 0));
    }

    /// Wakes it if that failed before. The watchdog's.
    public void wakeAgain() {
        if (wakeLost) {
            wakeLost = false;
            wakeUp();
        }
    }

    private void poll(boolean maySleep) {
        long timeoutNanos = maySleep && !stopping ? timers.untilNext(nowNanos) : 0;
        if (timeoutNanos == 0 || !commands.sleep()) {
            timeoutNanos = 0;
        }
        try {
            poller.poll(timeoutNanos);
        } catch (RuntimeException | Error e) {
            report(POLL_FAILED, e);
        } finally {
            commands.awake();
        }
    }

    /// Carries out what other threads and the loop itself asked for. On the loop.
    public void carryOutCommands() {
        @Nullable Command rest = commands.takeAll();
        while (rest != null) {
            Command one = rest;
            rest = one.next;
            one.next = null;
            carryOut(one);
        }
    }

    private void carryOut(Command command) {
        try {
            command.run();
        } catch (Throwable e) { // likewise
            report(COMMAND_FAILED, e);
        }
    }

    private void fireDue() {
        timers.advance(nowNanos);
    }

    /// Nothing that is thrown ends a loop: a connection answers for its own faults, so what comes
    /// here is a fault of ours, logged with its trace.
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) { // also what other languages throw undeclared
            report(STEP_FAILED, e);
        }
    }

    private static VarHandle turnsHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(EventLoop.class, "turns", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
