package dev.serval.loop;

import static java.lang.System.Logger.Level.ERROR;

import org.jspecify.annotations.Nullable;

/// One thread's duty cycle over its sockets, deadlines and commands.
///
/// A turn: poll, act on what is ready, fire what is due, carry out commands. The clock is read once
/// a turn. All state is in fields, so that another thread could go on with the loop between two
/// turns. What runs here never blocks. Only [#execute], [#submit], [#stop] and [#isOwner] may be
/// called from other threads.
public final class EventLoop implements Runnable {
    private static final System.Logger LOG = System.getLogger(EventLoop.class.getName());

    private final int index;
    private final Clock clock;
    private final Poller poller;
    private final TimerWheel timers;
    private final CommandQueue commands = new CommandQueue();
    private final Runnable dispatch;
    private final Runnable fireDue = this::fireDue;
    private final Runnable endTurn;
    private long nowNanos;
    private long epochSeconds;
    private long secondEndsNanos = Long.MIN_VALUE;
    private volatile boolean stopping;
    private volatile @Nullable Thread owner;

    /// A loop that does nothing until [#run] or [#turn] is called.
    ///
    /// @param index its place among the server's loops, from 0
    public EventLoop(int index, Clock clock, Poller poller) {
        this.index = index;
        this.clock = clock;
        this.poller = poller;
        this.dispatch = poller::dispatch;
        this.endTurn = poller::endTurn;
        this.nowNanos = clock.nanos();
        this.timers = new TimerWheel(nowNanos);
    }

    /// Its place among the server's loops.
    public int index() {
        return index;
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

    /// Whether the calling thread runs this loop now.
    public boolean isOwner() {
        return Thread.currentThread().equals(owner);
    }

    /// Carries out `action` on the loop, behind what was asked for earlier. Any thread.
    public void execute(Runnable action) {
        submit(new Command(action));
    }

    /// As [#execute], for a command that is used again and again. Any thread.
    public void submit(Command command) {
        if (commands.offer(command)) {
            poller.wakeup();
        }
    }

    /// Ends [#run] after the present turn; the poller is closed. Any thread.
    public void stop() {
        stopping = true;
        poller.wakeup();
    }

    /// Turns until [#stop], then closes the poller.
    @Override
    public void run() {
        owner = Thread.currentThread();
        while (!stopping) {
            turn(true);
        }
        carryOutCommands();
        guarded(endTurn);
        poller.close();
    }

    /// One turn.
    ///
    /// @param maySleep whether to wait until there is something to do
    public void turn(boolean maySleep) {
        poll(maySleep);
        nowNanos = clock.nanos();
        guarded(dispatch);
        guarded(fireDue);
        carryOutCommands();
        guarded(endTurn);
    }

    private void poll(boolean maySleep) {
        long timeoutNanos = maySleep && !stopping ? timers.untilNext(nowNanos) : 0;
        if (timeoutNanos == 0 || !commands.sleep()) {
            timeoutNanos = 0;
        }
        try {
            poller.poll(timeoutNanos);
        } catch (RuntimeException | Error e) {
            LOG.log(ERROR, "Polling failed; the loop goes on", e);
        } finally {
            commands.awake();
        }
    }

    private void carryOutCommands() {
        @Nullable Command rest = commands.takeAll();
        while (rest != null) {
            Command one = rest;
            rest = one.next;
            one.next = null;
            carryOut(one);
        }
    }

    private static void carryOut(Command command) {
        try {
            command.run();
        } catch (RuntimeException | Error e) {
            LOG.log(ERROR, "A command to an event loop failed; the loop goes on", e);
        }
    }

    private void fireDue() {
        timers.advance(nowNanos);
    }

    /// Nothing that is thrown ends a loop: a connection answers for its own faults, so what comes
    /// here is a fault of ours, logged with its trace.
    private static void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            LOG.log(ERROR, "An event loop's step failed; the loop goes on", e);
        }
    }
}
