package dev.serval.bench.flood;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
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
    /// @param timeouts answers that did not come within the timeout
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

    private static final int HEAD_MAX_BYTES = 4096;

    private final InetSocketAddress target;
    private final List<Page> pages;
    private final int patienceMillis;
    private final List<Double> millis = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private @Nullable Socket kept;
    private double worstNewMillis;
    private int timeouts;

    /// Creates a client of the server at `target`, which serves `pages`.
    ///
    /// @param patienceMillis the timeout of an answer
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
                try (Socket socket = connect()) {
                    exchange(socket, page);
                }
            } else {
                @Nullable Socket socket = kept;
                if (socket == null) {
                    socket = connect();
                    kept = socket;
                }
                exchange(socket, page);
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

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(patienceMillis);
        socket.connect(target, patienceMillis);
        return socket;
    }

    private void drop() {
        @Nullable Socket socket = kept;
        kept = null;
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                faults.add("close: " + e.getMessage());
            }
        }
    }

    private static void exchange(Socket socket, Page page) throws IOException {
        String request = "GET " + page.path() + " HTTP/1.1\r\nHost: good\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        // No bytes follow the answer, so the buffer loses none.
        InputStream in = new BufferedInputStream(socket.getInputStream());
        String head = head(in);
        int length = page.content().length;
        boolean right =
                head.startsWith("HTTP/1.1 200 ")
                        && head.toLowerCase(Locale.ROOT)
                                .contains("\r\ncontent-length: " + length + "\r\n");
        if (!right) {
            throw new IOException("Wrong head: " + head.lines().findFirst().orElse(""));
        }
        if (!Arrays.equals(in.readNBytes(length), page.content())) {
            throw new IOException("Wrong content");
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder(256);
        while (head.length() < HEAD_MAX_BYTES) {
            int b = in.read();
            if (b < 0) {
                throw new IOException(
                        "The server closed after " + head.length() + " bytes of head");
            }
            head.append((char) b);
            if (b == '\n' && head.length() >= 4 && head.lastIndexOf("\r\n\r\n") >= 0) {
                return head.toString();
            }
        }
        throw new IOException("No end of the head");
    }
}
