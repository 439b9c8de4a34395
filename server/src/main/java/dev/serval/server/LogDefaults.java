package dev.serval.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.logging.LogManager;

/// Configures the JDK's logging, which prints what System.Logger gets, unless the user has configured it:
/// messages from INFO on go to the standard error by a [LineFormatter]. The JDK creates an object of this
/// class when something is logged for the first time, so a start does not wait for it.
///
/// The server's own messages have a handler of their own. Applications remove that of all other loggers, as
/// Spring Boot does, to send their records to Logback.
public final class LogDefaults {
    private static final String CONFIG_CLASS = "java.util.logging.config.class";

    /// The properties by which a user configures the JDK's logging.
    private static final List<String> OF_USERS =
            List.of(
                    CONFIG_CLASS,
                    "java.util.logging.config.file",
                    "java.util.logging.SimpleFormatter.format");

    private static final String CONFIGURATION =
            """
            handlers = java.util.logging.ConsoleHandler
            .level = INFO
            java.util.logging.ConsoleHandler.level = INFO
            java.util.logging.ConsoleHandler.formatter = dev.serval.server.LineFormatter
            dev.serval.handlers = java.util.logging.ConsoleHandler
            dev.serval.useParentHandlers = false
            """;

    /// Configures the logging. The JDK's logging calls this.
    ///
    /// @throws IOException never, because the configuration is in memory
    public LogDefaults() throws IOException {
        LogManager.getLogManager()
                .readConfiguration(
                        new ByteArrayInputStream(
                                CONFIGURATION.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /// Has the JDK use this configuration. To be called before anything is logged.
    static void install() {
        if (OF_USERS.stream().allMatch(name -> System.getProperty(name) == null)) {
            System.setProperty(CONFIG_CLASS, LogDefaults.class.getName());
        }
    }
}
