package dev.serval.soak.flood;

import dev.serval.bench.client.AnswerHead;
import dev.serval.bench.client.HttpConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Requests small files at a calm pace. Most requests use one connection that stays open; every
/// tenth uses a new connection. Every answer is compared byte by byte. Used by one thread.
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
    private final List<Page> pages;
    private final int patienceMillis;
    private final List<Double> millis = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private @Nullable HttpConnection kept;
    private double worstNewMillis;
    private int timeouts;

    /// Creates a client of the server at `target`, which serves `pages`.
    GoodClient(InetSocketAddress target, List<Page> pages, int patienceMillis) {
        this.target = target;
        this.patienceMillis = patienceMillis;
        this.pages = List.copyOf(pages);
    }

    /// Sends requests until `endNanos`.
    Outcome run(long endNanos) {
        int asked = 0;
        while (System.nanoTime() - endNanos < 0) {
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
                try (HttpConnection connection = HttpConnection.to(target, patienceMillis)) {
                    exchange(connection, page);
                }
            } else {
                HttpConnection connection =
                        kept == null ? HttpConnection.to(target, patienceMillis) : kept;
                kept = connection;
                exchange(connection, page);
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

    private static void exchange(HttpConnection connection, Page page) throws IOException {
        connection.send("GET " + page.path() + " HTTP/1.1\r\nHost: good\r\n\r\n");
        AnswerHead head = connection.head();
        if (head.status() != 200 || head.length() != page.content().length) {
            throw new IOException("Wrong head: " + head.toString().lines().findFirst().orElse(""));
        }
        if (!Arrays.equals(connection.content(), page.content())) {
            throw new IOException("Wrong content");
        }
    }
}
