package dev.serval.servlet;

import dev.serval.Serval;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.nio.file.Path;

/// A server that deploys, asks and undeploys an application many times. [UndeployTest] runs it in a
/// separate JVM.
final class Redeployer {
    private Redeployer() {}

    /// Prints the answer of each round, and ends at the first that is not 200.
    ///
    /// @param arguments the application's folder, the work folder and the count of rounds
    public static void main(String[] arguments) throws IOException {
        Path app = Path.of(arguments[0]);
        try (ServletContainer container = ServletContainer.open(Path.of(arguments[1]))) {
            for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
                System.out.println(round(container, app));
            }
        }
        System.exit(0); // even if the application has left threads
    }

    private static String round(ServletContainer container, Path folder) throws IOException {
        long begun = System.nanoTime();
        try (WebApp app = WebApp.of("/app", folder).deploy(container)) {
            long started = System.nanoTime();
            try (Serval server =
                    Serval.listen(0).loops(1).mount(app.prefix(), app.handlers()).start()) {
                RawResponse answer = RawClient.get(server.addresses().getFirst(), "/app/all");
                if (answer.status() != 200) {
                    throw new IOException("The application answers " + answer.status());
                }
                long millis = (started - begun) / 1_000_000;
                return answer.text() + " after a start of " + millis + " ms";
            }
        }
    }
}
