package dev.serval.config;

import java.time.Duration;
import java.util.List;

/// The keys of applications, their sessions and their databases. Stateless.
final class ApplicationKeys {
    private static final Duration DAY = Duration.ofDays(1);

    private static final Section SESSIONS =
            new Section(
                    "sessions",
                    false,
                    "The HTTP sessions of applications.",
                    List.of(
                            Key.of(
                                            "store",
                                            KeyType.text(
                                                    "store",
                                                    "\"memory\", \"files\", \"files=FOLDER\" or a URL that"
                                                            + " begins with jdbc:",
                                                    "memory|files(=.{1,4000})?|jdbc:.{1,4000}"),
                                            "\"memory\"",
                                            "Where sessions are kept. Files and databases survive a"
                                                    + " restart.")
                                    .asSecret(Secrecy.URL)
                                    .asRestart(),
                            Key.of(
                                            "timeout",
                                            KeyType.time(Duration.ofHours(500), "never"),
                                            "(as the application declares, or 30m)",
                                            "How long a session lasts without a request, in whole minutes.")
                                    .asRestart(),
                            Key.of(
                                            "save",
                                            KeyType.choice("request", "stop"),
                                            "\"request\"",
                                            "When session files are written: at the end of each request, or"
                                                    + " at a stop.")
                                    .asRestart(),
                            Key.of(
                                            "sync",
                                            KeyType.FLAG,
                                            "false",
                                            "Whether an answer waits until the disk has the session file.")
                                    .asRestart(),
                            Key.of(
                                            "allow",
                                            new KeyType.Several(
                                                    KeyType.text(
                                                            "class name",
                                                            "a class such as \"com.acme.Cart\","
                                                                    + " \"com.acme.*\" or \"com.acme.**\"",
                                                            "[\\p{L}\\p{N}_$.*]{1,400}")),
                                            "",
                                            "More classes that stored sessions may hold.")
                                    .asRestart()),
                    List.of());

    static final Section APPLICATIONS =
            new Section(
                    "applications",
                    false,
                    "Servlet applications.",
                    List.of(
                            Key.of(
                                            "development",
                                            KeyType.FLAG,
                                            "false",
                                            "Whether clients see why an application failed, and changed files"
                                                    + " restart it. Only for development.")
                                    .asRestart(),
                            Key.of(
                                            "precompile",
                                            KeyType.FLAG,
                                            "false",
                                            "Whether JSP pages are compiled at the start, which refuses an"
                                                    + " application with a wrong page.")
                                    .asRestart(),
                            Key.of(
                                            "logs",
                                            KeyType.PATH,
                                            "(logs in the folder of server.state)",
                                            "The folder for a log of each application; \"none\" to print on"
                                                    + " the standard streams.")
                                    .asRestart(),
                            Key.of(
                                            "request-time",
                                            KeyType.time(DAY, "no limit"),
                                            "\"0\"",
                                            "How long a request may take in an application.")
                                    .asRestart(),
                            Key.of(
                                            "encoding",
                                            KeyType.text(
                                                    "charset",
                                                    "a charset such as \"UTF-8\", or \"none\"",
                                                    "[A-Za-z0-9][A-Za-z0-9._:+-]{0,60}"),
                                            "\"UTF-8\"",
                                            "The encoding of applications that declare none; \"none\" for"
                                                    + " ISO-8859-1 as in the specification.")
                                    .asRestart(),
                            Key.of(
                                            "users",
                                            KeyType.PATH,
                                            "",
                                            "The file of users who may log in: serval user add writes it.")
                                    .asRestart(),
                            Key.of(
                                            "form",
                                            KeyType.size(1, 1 << 28),
                                            "\"2m\"",
                                            "The most content of a form, or text of multipart content,"
                                                    + " that becomes parameters. A request may have no more"
                                                    + " than limits.content all the same.")
                                    .asRestart(),
                            Key.of(
                                            "parameters",
                                            KeyType.number(1, 1 << 20),
                                            "1000",
                                            "The most parameters of a request, of query and form together.")
                                    .asRestart(),
                            Key.of(
                                            "parts",
                                            KeyType.number(1, 1 << 16),
                                            "50",
                                            "The most parts of multipart content, such as uploaded files.")
                                    .asRestart()),
                    List.of(SESSIONS));

    static final Section DATA_SOURCE =
            new Section(
                    "data-source",
                    true,
                    "A database for applications, which find it by JNDI.",
                    List.of(
                            Key.of(
                                            "name",
                                            KeyType.text(
                                                    "name",
                                                    "a name such as \"jdbc/shop\"",
                                                    "[A-Za-z][A-Za-z0-9_./:-]{0,199}"),
                                            "",
                                            "The name below java:comp/env.")
                                    .asRequired()
                                    .asRestart(),
                            Key.of(
                                            "url",
                                            KeyType.text(
                                                    "URL",
                                                    "a URL that begins with jdbc:",
                                                    "jdbc:.{1,4000}"),
                                            "",
                                            "The URL of JDBC. A password is better in the key password.")
                                    .asSecret(Secrecy.URL)
                                    .asRequired()
                                    .asRestart(),
                            Key.of("user", KeyType.TEXT, "", "The user of the database.")
                                    .asRestart(),
                            Key.of(
                                            "password",
                                            KeyType.TEXT,
                                            "",
                                            "The password, best as a variable: \"${SHOP_PASSWORD}\".")
                                    .asSecret(Secrecy.WHOLE)
                                    .asRestart()),
                    List.of());

    private ApplicationKeys() {}
}
