package dev.serval.jsp;

import dev.serval.Serval;
import dev.serval.servlet.ServletContainer;
import dev.serval.servlet.WebApp;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.nio.file.Path;

/// A server that deploys, asks and undeploys an application many times. [RoundsTest] runs it in a
/// separate JVM.
final class Rounds {
    private Rounds() {}

    /// Prints the answer of each round, and ends at the first that is not 200.
    ///
    /// @param arguments the application, the work folder, the target and the count of rounds
    public static void main(String[] arguments) throws IOException {
        Path app = Path.of(arguments[0]);
        try (ServletContainer container =
                ServletContainer.builder()
                        .workFolder(Path.of(arguments[1]))
                        .pages(new JspPages())
                        .open()) {
            for (int i = 0; i < Integer.parseInt(arguments[3]); i++) {
                System.out.println(round(container, app, arguments[2]));
            }
        }
        System.exit(0); // even if the application has left threads
    }

    private static String round(ServletContainer container, Path folder, String target)
            throws IOException {
        try (WebApp app = WebApp.of("", folder).deploy(container);
                Serval server =
                        Serval.listen(0).loops(1).mount(app.prefix(), app.handlers()).start()) {
            RawResponse answer = RawClient.get(server.addresses().getFirst(), target);
            if (answer.status() != 200) {
                throw new IOException("The application answers " + answer.status());
            }
            return answer.text().strip();
        }
    }
}
