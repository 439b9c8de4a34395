package dev.serval.loop;

import dev.serval.metrics.LoopMeter;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One thread's loop over its sockets, deadlines, commands and Workers.
///
/// Each turn has these steps:
///
/// - Poll, and act on what is ready, until enough Workers are ready.
/// - Fire the deadlines that are due.
/// - Carry out commands, and end the turn.
/// - Carry Workers, which run application code.
///
/// The clock is read at the start and the end of a turn, and after each Worker. All state is in fields, so that another
/// thread can continue with the loop while application code keeps this one. Only Workers may block.
/// Methods marked "Any thread" may be called from other threads.
public final class EventLoop implements Executor {
    private static final String STEP_FAILED =
            Reports.text("A step of an event loop failed; the loop continues");
    private static final String COMMAND_FAILED =
            Reports.text("A command to an event loop failed; the loop continues");
    private static final String POLL_FAILED = Reports.text("Polling failed; the loop continues");

    private static final long MICROS = 1_000_000;
    private static final long NANOS_PER_MICRO = 1_000;

    private final int index;
    private final String name;
    private final Clock clock;
    private final Poller poller;
    private final TimerWheel timers;
    private final CommandQueue commands = new CommandQueue();
    private LoopApplication application = LoopApplication.NONE;
    private final Runnable dispatch;
    private final Runnable fireDue = this::fireDue;
    private final Runnable endTurn;
    private final Reports reports;
    private final LoopMeter meter = new LoopMeter();
    private long nowNanos;
    private long epochSeconds;
    private long secondEndsNanos = Long.MIN_VALUE;
    private volatile boolean stopping;

    private volatile boolean wakeLost;

    @SuppressWarnings("UnusedVariable") // only for heap dumps
    private volatile @Nullable Throwable unreported;

    private final AtomicInteger wakers = new AtomicInteger(); // wake-ups requested
    private volatile @Nullable Thread owner;

    /// Creates a loop that does nothing until [#runAsOwner] or [#turn] is called.
    public EventLoop(LoopParts parts, Poller poller) {
        this.index = parts.index();
        this.name = "serval-loop-" + index;
        this.clock = parts.clock();
        this.reports = parts.reports();
        this.poller = poller;
        BooleanSupplier enough = this::hasEnough;
        this.dispatch = () -> poller.dispatch(enough);
        this.endTurn = poller::endTurn;
        this.nowNanos = clock.nanos();
        this.timers = new TimerWheel(nowNanos, reports);
    }

    /// Returns the loop's index among the server's loops. Any thread.
    public int index() {
        return index;
    }

    /// Returns the name for the loop's thread. Any thread.
    public String name() {
        return name;
    }

    /// Returns the clock as read at this turn's start or after the last Worker, in nanoseconds.
    public long nowNanos() {
        return nowNanos;
    }

    /// Returns the wall clock in seconds. It is read at most once a second, and is exact at each
    /// turn's start.
    public long epochSeconds() {
        if (nowNanos - secondEndsNanos >= 0 || secondEndsNanos == Long.MIN_VALUE) {
            long millis = clock.epochMillis();
            epochSeconds = Math.floorDiv(millis, 1000L);
            secondEndsNanos = nowNanos + (1000 - Math.floorMod(millis, 1000L)) * 1_000_000L;
        }
        return epochSeconds;
    }

    /// Returns the wall clock at an instant of the loop's clock, in microseconds since 1970.
    public long epochMicros(long nanos) {
        long micros = (epochSeconds() + 1) * MICROS;
        return micros - (secondEndsNanos - nanos) / NANOS_PER_MICRO;
    }

    /// Returns what the loop polls. Any thread.
    public Poller poller() {
        return poller;
    }

    /// Returns the loop's deadlines.
    public TimerWheel timers() {
        assert isOwnedHere() : "Another thread owns " + name;
        return timers;
    }

    /// Sets the application code that the loop carries; called once, before the loop runs.
    ///
    /// @throws IllegalStateException if it is set already
    public void carries(LoopApplication code) {
        if (!application.equals(LoopApplication.NONE)) {
            throw new IllegalStateException("This loop carries application code already");
        }
        application = code;
    }

    /// Returns what measures the turns. Any thread.
    public LoopMeter meter() {
        return meter;
    }

    /// Reports a fault, without ever waiting. Any thread.
    public void report(String what, Throwable fault) {
        try {
            reports.fault(what, fault);
        } catch (Throwable e) { // out of memory: anything may throw
            unreported = e;
        }
    }

    /// Reports an event of the environment, such as a lost client, without ever waiting. Any
    /// thread.
    public void reportLost(String what, Throwable why) {
        reports.lost(what, why);
    }

    /// Reports something that the operator of the server can change, without ever waiting. Any thread.
    public void reportWarning(String what) {
        reports.warning(what);
    }

    /// Returns whether the calling thread may touch what the loop owns: the thread runs the loop, or
    /// no thread does. Used by assertions only. Any thread.
    public boolean isOwnedHere() {
        @Nullable Thread present = owner;
        return present == null || Thread.currentThread().equals(present);
    }

    /// Carries out `action` on the loop, after the commands submitted earlier. Any thread.
    @Override
    public void execute(Runnable action) {
        submit(new Command(action));
    }

    /// Submits a command that is used many times, as [#execute] does. Any thread.
    public void submit(Command command) {
        if (commands.offer(command)) {
            wakeUp();
        }
    }

    /// Ends [#runAsOwner] after the current turn, which closes the poller. Any thread.
    public void stop() {
        stopping = true;
        wakeUp();
    }

    /// Makes the calling thread the loop's owner, and turns until [#stop], then closes the poller.
    /// It also returns if the loop was preempted. Then this thread must not touch the loop any
    /// more.
    ///
    /// @return whether the loop has ended
    public boolean runAsOwner() {
        owner = Thread.currentThread();
        guarded(endTurn); // for the turn that another owner began
        while (!stopping) {
            if (!turn(true)) {
                return false;
            }
        }
        carryOutCommands();
        guarded(application::leave);
        guarded(endTurn);
        poller.close();
        carryOutCommands(); // connections that ended just now give back what they held
        owner = null;
        return true;
    }

    /// Makes one turn.
    ///
    /// @param maySleep whether to wait until there is something to do
    /// @return whether this thread still owns the loop; if not, it must not touch the loop
    public boolean turn(boolean maySleep) {
        meter.count();
        poll(maySleep && !application.hasReady());
        nowNanos = clock.nanos();
        meter.began(nowNanos);
        guarded(dispatch);
        guarded(fireDue);
        carryOutCommands();
        guarded(endTurn);
        application.turned();
        if (application.hasReady()) {
            if (meter.awaitsFlush()) {
                meter.flushed(clock.nanos());
            }
            if (!application.carryReady()) {
                return false;
            }
            guarded(endTurn);
        }
        meter.ended(clock.nanos());
        return true;
    }

    /// Returns the source of the loop's time. Any thread.
    public Clock clock() {
        return clock;
    }

    /// Reads the clock again, and returns it in nanoseconds.
    public long readClock() {
        nowNanos = clock.nanos();
        return nowNanos;
    }

    /// Returns the number of turns so far. Any thread.
    public long turns() {
        return meter.counted();
    }

    /// Returns whether the loop sleeps or is about to. Any thread.
    public boolean isAsleep() {
        return commands.isAsleep();
    }

    /// Returns the thread that runs the loop. Any thread.
    public @Nullable Thread owner() {
        return owner;
    }

    /// Wakes the poller without ever waiting for another thread that does so.
    ///
    /// Waking a poller takes a monitor. A Worker that waited for it could deadlock. One thread of
    /// the JDK resumes all virtual threads that wait for monitors, and it also wakes loops. If it
    /// waited for the same monitor, it would never resume the Worker. So a thread that finds the
    /// poller being woken returns, and the other thread wakes the poller once more.
    private void wakeUp() {
        if (wakers.getAndIncrement() != 0) {
            return;
        }
        int asked;
        do {
            asked = wakers.get();
            try {
                poller.wakeup();
            } catch (Throwable e) { // out of memory: the watchdog tries again
                wakeLost = true;
            }
        } while (!wakers.compareAndSet(asked, 0));
    }

    /// Wakes the loop if an earlier wake-up failed. For the watchdog.
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

    /// Carries out the commands that other threads and the loop itself submitted. On the loop.
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
        } catch (Throwable e) { // as in guarded
            report(COMMAND_FAILED, e);
        }
    }

    private boolean hasEnough() {
        return application.hasEnough();
    }

    private void fireDue() {
        timers.advance(nowNanos);
    }

    /// Runs a step, and reports all that it throws, because nothing may end a loop. A connection
    /// handles its own errors, so an exception that gets here is a bug of the server.
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) { // other languages also throw checked exceptions undeclared
            report(STEP_FAILED, e);
        }
    }
}
