package dev.serval.examples.osp;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// The command line of the OSP server.
final class OspMain {
    private OspMain() {}

    /// Runs the server until it is told to stop by a signal.
    ///
    /// Exit codes: 0 after a stop, 1 if something could not be opened, 2 for a wrong option.
    public static void main(String[] arguments) throws InterruptedException {
        List<String> given = List.of(arguments);
        if (given.contains("--help") || given.contains("-h")) {
            System.out.print(OspOptions.USAGE);
            return;
        }
        OspServer server;
        try {
            server = OspServer.start(given);
        } catch (IllegalArgumentException e) {
            System.err.println("osp: " + e.getMessage());
            System.exit(2);
            return;
        } catch (IOException e) {
            System.err.println("osp: " + e.getMessage());
            System.exit(1);
            return;
        }
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    server.close();
                                    System.out.println("Stopped; " + server.summary());
                                    stopped.countDown();
                                },
                                "osp-stop"));
        System.out.println("OSP server started, process " + ProcessHandle.current().pid());
        stopped.await();
    }
}
