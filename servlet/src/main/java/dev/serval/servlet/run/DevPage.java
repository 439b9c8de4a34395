package dev.serval.servlet.run;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/// Shows developers what failed: each cause with its message, and the calls that led to it. Only a
/// server in development mode sends it, because it shows the application's code to every client.
final class DevPage {
    private static final int CAUSES_MAX = 8;
    private static final int FRAMES_MAX = 60;
    private static final String SERVER = "dev.serval.";

    private DevPage() {}

    /// Writes the page.
    ///
    /// @param request method and path
    static void write(String request, Throwable thrown, ClassLoader app, PrintWriter to) {
        to.print("<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>500 ");
        to.print(escaped(thrown.getClass().getSimpleName()));
        to.print("</title><style>:root{color-scheme:light dark}");
        to.print("body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;");
        to.print("max-width:70rem;padding:0 1rem}h1{font-size:1.4rem}h2{font-size:1.1rem}");
        to.print("pre{background:light-dark(#f4f4f4,#222);color:light-dark(#555,#aaa);");
        to.print(
                "padding:1rem;overflow:auto}.m{white-space:pre-wrap}b{color:light-dark(#b00020,#ff8a80)}</style><h1>");
        to.print(escaped(request));
        to.print(" failed</h1>");
        @Nullable Throwable one = thrown;
        for (int i = 0; i < CAUSES_MAX && one != null; i++) {
            cause(i == 0 ? "" : "Caused by ", one, app, to);
            one = one.getCause();
        }
        to.print("<p>This page is shown because the server runs with --dev.</p></html>");
    }

    private static void cause(String before, Throwable thrown, ClassLoader app, PrintWriter to) {
        to.print("<h2>");
        to.print(before);
        to.print(escaped(thrown.getClass().getName()));
        to.print("</h2><p class=\"m\">");
        @Nullable String message = thrown.getMessage();
        to.print(escaped(message == null ? "no message" : message));
        to.print("</p><pre>");
        StackTraceElement[] frames = thrown.getStackTrace();
        for (int i = 0; i < frames.length && i < FRAMES_MAX; i++) {
            String line = escaped(frames[i].toString());
            to.print(isOfApp(frames[i], app) ? "<b>" + line + "</b>" : line);
            to.print('\n');
        }
        to.print("</pre>");
    }

    /// Returns whether the frame is the application's code, which developers look for first.
    private static boolean isOfApp(StackTraceElement frame, ClassLoader app) {
        String path = frame.getClassName().replace('.', '/') + ".class";
        return !frame.getClassName().startsWith(SERVER)
                && !frame.getClassName().startsWith("jakarta.")
                && frame.getModuleName() == null
                && app.getResource(path) != null;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
