package dev.serval.soak.flood;

import dev.serval.bench.client.AnswerHead;
import dev.serval.bench.client.HttpConnection;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Requests small files at a calm pace. Most requests use one connection that stays open until the
/// server announces its end; every tenth uses a new connection. Every answer is compared byte by
/// byte. Used by one thread.
final class GoodClient {
    /// Describes a file and its content.
    record Page(String path, byte[] content) {}

    /// Holds the results of a run.
    ///
    /// @param millis the time of each answer, sorted; a timeout counts with the time until it
    /// @param worstNewMillis the longest time of an answer on a new connection
    /// @param wrong wrong answers, and connections that broke or were refused
    record Outcome(List<Double> millis, double worstNewMillis, int timeouts, int wrong) {
        double worst() {
            return millis.isEmpty() ? 0 : millis.getLast();
        }

        double p99() {
            return millis.isEmpty() ? 0 : millis.get((int) Math.ceil(millis.size() * 0.99) - 1);
        }
    }

    private static final long PACE_NANOS = 50_000_000;
    private static final int NEW_CONNECTION_EVERY = 10;

    /// The timeout of an answer.
    static final int PATIENCE_MILLIS = 5000;

    private final InetSocketAddress target;
    private final boolean tls;
    private final List<Page> pages;
    private final int patienceMillis;
    private final List<Double> millis = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private @Nullable HttpConnection kept;
    private double worstNewMillis;
    private int timeouts;

    /// Creates a client of the server at `target`, which serves `pages`.
    GoodClient(InetSocketAddress target, List<Page> pages, int patienceMillis) {
        this(target, false, pages, patienceMillis);
    }

    /// Creates a client of the server at `target`, which serves `pages`.
    ///
    /// @param tls whether by TLS, with the certificate of the suite
    GoodClient(InetSocketAddress target, boolean tls, List<Page> pages, int patienceMillis) {
        this.target = target;
        this.tls = tls;
        this.patienceMillis = patienceMillis;
        this.pages = List.copyOf(pages);
    }

    /// Runs some clients side by side until `over`, prints their first faults, and returns their
    /// results as one.
    static Outcome together(
            int clients, Supplier<GoodClient> maker, BooleanSupplier over, PrintStream out)
            throws InterruptedException {
        List<Callable<Outcome>> all = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            GoodClient client = maker.get();
            all.add(() -> {
                Outcome outcome = client.run(over);
                client.faults().stream().limit(3).forEach(fault -> out.println("  " + fault));
                return outcome;
            });
        }
        List<Double> millis = new ArrayList<>();
        double worstNew = 0;
        int timeouts = 0;
        int wrong = 0;
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            for (Future<Outcome> each : threads.invokeAll(all)) {
                Outcome one = each.get();
                millis.addAll(one.millis());
                worstNew = Math.max(worstNew, one.worstNewMillis());
                timeouts += one.timeouts();
                wrong += one.wrong();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a calm client failed", e.getCause());
        }
        Collections.sort(millis);
        return new Outcome(millis, worstNew, timeouts, wrong);
    }

    /// Sends requests until `endNanos`.
    Outcome run(long endNanos) {
        return run(() -> System.nanoTime() - endNanos >= 0);
    }

    private Outcome run(BooleanSupplier over) {
        int asked = 0;
        while (!over.getAsBoolean()) {
            long began = System.nanoTime();
            ask(pages.get(asked % pages.size()), ++asked % NEW_CONNECTION_EVERY == 0);
            LockSupport.parkNanos(Math.max(1, PACE_NANOS - (System.nanoTime() - began)));
        }
        drop();
        Collections.sort(millis);
        return new Outcome(millis, worstNewMillis, timeouts, faults.size());
    }

    /// Returns descriptions of the faults, for people.
    List<String> faults() {
        return faults;
    }

    private void ask(Page page, boolean newConnection) {
        long began = System.nanoTime();
        try {
            if (newConnection) {
                try (HttpConnection connection = connect()) {
                    exchange(connection, page);
                }
            } else {
                HttpConnection connection = kept == null ? connect() : kept;
                kept = connection;
                if (exchange(connection, page)) {
                    drop();
                }
            }
        } catch (SocketTimeoutException e) {
            timeouts++;
            drop();
        } catch (IOException e) {
            faults.add(
                    e.getMessage()
                            + " for "
                            + page.path()
                            + (newConnection ? ", on a new connection" : ""));
            drop();
        }
        double took = (System.nanoTime() - began) / 1e6;
        millis.add(took);
        if (newConnection) {
            worstNewMillis = Math.max(worstNewMillis, took);
        }
    }

    private HttpConnection connect() throws IOException {
        return tls
                ? HttpConnection.to(target.getPort(), true, patienceMillis)
                : HttpConnection.to(target, patienceMillis);
    }

    private void drop() {
        HttpConnection connection = kept;
        kept = null;
        if (connection != null) {
            try {
                connection.close();
            } catch (IOException e) {
                faults.add("close: " + e.getMessage());
            }
        }
    }

    /// Returns whether the server closes the connection after this answer.
    private static boolean exchange(HttpConnection connection, Page page) throws IOException {
        connection.send("GET " + page.path() + " HTTP/1.1\r\nHost: good\r\n\r\n");
        AnswerHead head = connection.head();
        if (head.status() != 200 || head.length() != page.content().length) {
            throw new IOException("Wrong head: " + head.toString().lines().findFirst().orElse(""));
        }
        if (!Arrays.equals(connection.content(), page.content())) {
            throw new IOException("Wrong content");
        }
        return head.closes();
    }
}
