package dev.serval.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/// Finds a free port for a program that cannot choose one itself (port 0).
///
/// The system gives out ports from 32768 on Linux and 49152 elsewhere, to clients and for port 0, so
/// it could give a port away again before the program opens it. These ports are below, and chosen at
/// random, so that test runs at the same time hardly meet.
public final class FreePort {
    private static final int FIRST = 16_384;
    private static final int END = 32_768;
    private static final int ATTEMPTS = 1000;
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private FreePort() {}

    /// Returns a port of the loopback address that was free a moment ago, and another at each call.
    public static int find() {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (isFree(port) && GIVEN.add(port)) {
                return port;
            }
        }
        throw new IllegalStateException("No port from " + FIRST + " to " + (END - 1) + " is free");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
