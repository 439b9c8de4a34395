package dev.serval.site;

import dev.serval.ListenerSpec;
import dev.serval.ReservedListener;
import dev.serval.Serval;
import dev.serval.settings.ListenAddress;
import dev.serval.settings.ListenerChoice;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// A change of the listeners of a running server, which is prepared: new addresses are bound, but nothing
/// accepts there and nothing was closed. [#commit] carries it out after the routes have changed; [#close]
/// gives it up. Used by one thread.
///
/// No address is ever without a socket that accepts:
///
/// - A listener of another kind at the same address keeps its sockets.
/// - If 0.0.0.0 takes the place of 127.0.0.1, the socket of 127.0.0.1 stays open and serves as part of
///   the new listener, because the system prefers it. So does that of 0.0.0.0 if :: takes its place.
/// - If 127.0.0.1 takes the place of 0.0.0.0, or 0.0.0.0 that of ::, both are open for a moment, so that
///   connections that have begun at the former arrive.
final class ListenerChange implements AutoCloseable {
    private static final long ARRIVE_MILLIS = 1_000;

    /// A listener that is open, or will be.
    ///
    /// @param addresses its own, and those of listeners that serve as part of it; none before it is bound
    record Open(ListenerChoice choice, List<SocketAddress> addresses) {
        Open(ListenerChoice choice, SocketAddress address) {
            this(choice, List.of(address));
        }
    }

    /// A listener that is open, and serves otherwise from now on.
    ///
    /// @param address of its sockets
    /// @param spec how it serves
    private record Served(SocketAddress address, ListenerSpec spec) {}

    /// A listener that is open, and has other limits from now on.
    ///
    /// @param address of its sockets
    private record Limited(SocketAddress address, ListenerChoice choice) {}

    /// A listener that is new.
    ///
    /// @param index of it in `next`
    /// @param replaced addresses that overlap with it, of listeners that go
    private record Fresh(int index, ReservedListener listener, List<SocketAddress> replaced) {}

    private final Serval serval;
    private final Listening listening;
    private final List<Open> next = new ArrayList<>();
    private final List<Fresh> fresh = new ArrayList<>();
    private final List<Served> served = new ArrayList<>();
    private final List<Limited> limited = new ArrayList<>();
    private final List<SocketAddress> gone = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private ListenerChange(Serval serval, Listening listening) {
        this.serval = serval;
        this.listening = listening;
    }

    /// Prepares a change.
    ///
    /// @param open the listeners that are open
    /// @param choices the listeners after the change
    /// @throws IOException if an address cannot be listened at, or a listener cannot serve so, such as
    ///     for its certificate; then nothing has changed
    static ListenerChange prepare(
            Serval serval, Listening listening, List<Open> open, List<ListenerChoice> choices)
            throws IOException {
        ListenerChange change = new ListenerChange(serval, listening);
        boolean prepared = false;
        try {
            change.sort(open, choices);
            prepared = true;
            return change;
        } finally {
            if (!prepared) {
                change.close();
            }
        }
    }

    private void sort(List<Open> open, List<ListenerChoice> choices) throws IOException {
        open.forEach(each -> gone.addAll(each.addresses));
        List<Open> left = new ArrayList<>(open);
        Map<Integer, Open> former = new HashMap<>();
        match(left, choices, former, ListenerChoice::equals);
        match(left, choices, former, ListenerChoice::isSameSocket);
        match(left, choices, former, ListenerChoice::isAt);
        for (int i = 0; i < choices.size(); i++) {
            ListenerChoice choice = choices.get(i);
            @Nullable Open before = former.get(i);
            next.add(new Open(choice, before == null ? List.of() : before.addresses));
            if (before == null) {
                continue;
            }
            gone.removeAll(before.addresses);
            if (!before.choice.isSameSocket(choice)) {
                serve(choice, before.addresses);
            } else if (!before.choice.equals(choice)) {
                before.addresses.forEach(address -> limited.add(new Limited(address, choice)));
            }
        }
        for (int i = 0; i < choices.size(); i++) {
            ListenerChoice choice = choices.get(i);
            @Nullable SocketAddress address = choice.address();
            if (former.containsKey(i)) {
                continue;
            }
            if (address != null && gone.remove(address)) { // it was part of another listener
                List<SocketAddress> parts = new ArrayList<>(List.of(address));
                gone.stream()
                        .filter(each -> ListenAddress.covers(address, each))
                        .forEach(parts::add);
                gone.removeAll(parts);
                next.set(i, new Open(choice, parts));
                serve(choice, parts);
            } else {
                reserve(choice, i);
            }
        }
    }

    private void serve(ListenerChoice choice, List<SocketAddress> addresses) throws IOException {
        ListenerSpec spec = listening.spec(choice);
        addresses.forEach(address -> served.add(new Served(address, spec)));
    }

    /// Finds what each choice was before. Several at any free port of one address are at the same place,
    /// so those that stay as they are come first.
    ///
    /// @param left what no choice has been yet
    /// @param former what was found, by the index of the choice
    private static void match(
            List<Open> left,
            List<ListenerChoice> choices,
            Map<Integer, Open> former,
            BiPredicate<ListenerChoice, ListenerChoice> rule) {
        for (int i = 0; i < choices.size(); i++) {
            ListenerChoice choice = choices.get(i);
            Optional<Open> found =
                    left.stream().filter(each -> rule.test(each.choice, choice)).findFirst();
            if (!former.containsKey(i) && found.isPresent()) {
                former.put(i, found.get());
                left.remove(found.get());
            }
        }
    }

    private void reserve(ListenerChoice choice, int index) throws IOException {
        List<SocketAddress> replaced = List.copyOf(gone);
        ReservedListener listener =
                serval.listenerChanges().reserve(listening.spec(choice), replaced);
        next.set(index, new Open(choice, listener.address()));
        fresh.add(new Fresh(index, listener, replaced));
    }

    /// Returns the listeners after the change.
    List<Open> next() {
        return next.stream().filter(each -> !each.addresses.isEmpty()).toList();
    }

    /// Carries it out. What fails is left out, and reported.
    ///
    /// @return a sentence for each listener that is not as it should be
    List<String> commit() {
        for (Served each : served) {
            attempt(() -> serval.listenerChanges().serve(each.address, each.spec));
        }
        boolean narrows = false;
        for (Fresh each : fresh) {
            if (!attempt(each.listener::open)) {
                next.set(each.index, new Open(next.get(each.index).choice, List.of()));
                continue;
            }
            SocketAddress address = each.listener.address();
            for (SocketAddress former : each.replaced) {
                if (ListenAddress.covers(address, former)
                        && attempt(() -> serval.listenerChanges().join(former, address))) {
                    gone.remove(former);
                    Open open = next.get(each.index);
                    List<SocketAddress> parts = new ArrayList<>(open.addresses);
                    parts.add(former);
                    next.set(each.index, new Open(open.choice, parts));
                } else {
                    narrows |= ListenAddress.covers(former, address);
                }
            }
        }
        if (narrows) {
            letArrive();
        }
        for (SocketAddress address : gone) {
            attempt(() -> serval.close(address));
        }
        for (Limited each : limited) {
            attempt(() -> limit(each));
        }
        return warnings;
    }

    private void limit(Limited each) {
        var limits = each.choice.limits();
        if (limits != null) {
            serval.limits(each.address, limits);
        }
    }

    /// Waits until connections that the system has begun are accepted: with epoll, they are only after
    /// their first byte.
    private static void letArrive() {
        try {
            TimeUnit.MILLISECONDS.sleep(ARRIVE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // such connections are reset
        }
    }

    /// A step that may fail.
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    private boolean attempt(Step step) {
        try {
            step.run();
            return true;
        } catch (IOException | RuntimeException e) {
            warnings.add((e.getMessage() == null ? e.toString() : e.getMessage()) + ".");
            return false;
        }
    }

    /// Gives up what is bound and not open.
    @Override
    public void close() {
        fresh.forEach(each -> each.listener.close());
    }
}
