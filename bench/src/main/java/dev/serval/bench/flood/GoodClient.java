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

/// Asks for small files at a calm pace: most requests on one connection that stays open, now and
/// then one on a new connection. Compares every answer byte by byte. Used by one thread.
final class GoodClient {
    /// One file and what it holds.
    record Page(String path, byte[] content) {}

    /// What came of it.
    ///
    /// @param millis what each answer took, sorted; a timeout counts as the whole patience
    /// @param worstNewMillis the longest of those that made a connection first
    /// @param timeouts answers that did not come within the patience
    /// @param wrong answers that were not right, and connections that broke or were refused
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

    /// How long an answer is waited for.
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

    /// A client of the server at `target`, which serves `pages`.
    ///
    /// @param patienceMillis an answer that takes longer counts as a timeout
    GoodClient(InetSocketAddress target, List<Page> pages, int patienceMillis) {
        this.target = target;
        this.patienceMillis = patienceMillis;
        this.pages = List.copyOf(pages);
    }

    /// Asks until `endNanos`.
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

    /// What was wrong, for people.
    List<String> faults() {
        return faults;
    }

    private void ask(Page page, boolean alone) {
        long began = System.nanoTime();
        try {
            if (alone) {
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
            faults.add(e.getMessage() + " for " + page.path() + (alone ? ", alone" : ""));
            drop();
        }
        double took = (System.nanoTime() - began) / 1e6;
        millis.add(took);
        if (alone) {
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
        // Nothing comes after the answer, so that nothing is lost with the buffer.
        InputStream in = new BufferedInputStream(socket.getInputStream());
        String head = head(in);
        int length = page.content().length;
        boolean right =
                head.startsWith("HTTP/1.1 200 ")
                        && head.toLowerCase(Locale.ROOT)
                                .contains("\r\ncontent-length: " + length + "\r\n");
        if (!right) {
            throw new IOException("wrong head: " + head.lines().findFirst().orElse(""));
        }
        if (!Arrays.equals(in.readNBytes(length), page.content())) {
            throw new IOException("wrong content");
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder(256);
        while (head.length() < HEAD_MAX_BYTES) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("closed after " + head.length() + " bytes of head");
            }
            head.append((char) b);
            if (b == '\n' && head.length() >= 4 && head.lastIndexOf("\r\n\r\n") >= 0) {
                return head.toString();
            }
        }
        throw new IOException("no end of head");
    }
}
