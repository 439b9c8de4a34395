package dev.serval.jsp;

import static java.lang.System.Logger.Level.INFO;

import dev.serval.servlet.pages.PageException;
import dev.serval.servlet.pages.PageSetup;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Compiles all pages of an application when it is deployed, with one thread for each processor.
/// Used once, by the thread that deploys, which waits for the others.
final class Precompiler {
    private static final int SHOWN_MAX = 10;

    private final PageRuntime runtime;
    private final PageSetup app;
    private final Set<String> included; // statically, by other files
    private final Queue<String> left;
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();

    private Precompiler(
            PageRuntime runtime, PageSetup app, Collection<String> pages, Set<String> included) {
        this.runtime = runtime;
        this.app = app;
        this.included = included;
        this.left = new ConcurrentLinkedQueue<>(pages);
    }

    /// Compiles the pages that are not compiled. A page that others include statically may be wrong
    /// by itself.
    ///
    /// @throws PageException if some are wrong; the message has page and line of each
    static void compile(PageRuntime runtime, ServletContext context, PageSetup app)
            throws PageException {
        List<String> pages = new ArrayList<>();
        addPages("/", context, app.patterns(), pages);
        Set<String> included;
        try {
            included = StaticIncludes.of(pages, context);
        } catch (IOException e) {
            throw new PageException("The pages cannot be read: " + e, e);
        }
        new Precompiler(runtime, app, pages, included).run();
    }

    private static void addPages(
            String folder, ServletContext context, List<String> patterns, List<String> pages) {
        @Nullable Collection<String> below = context.getResourcePaths(folder);
        if (below == null) {
            return;
        }
        for (String path : below) {
            if (path.endsWith("/")) {
                addPages(path, context, patterns, pages);
            } else if (patterns.stream().anyMatch(pattern -> matches(pattern, path))) {
                pages.add(path);
            }
        }
    }

    private static boolean matches(String pattern, String path) {
        if (pattern.startsWith("*.")) {
            return path.endsWith(pattern.substring(1));
        }
        return pattern.endsWith("/*")
                ? path.startsWith(pattern.substring(0, pattern.length() - 1))
                : path.equals(pattern);
    }

    private void run() throws PageException {
        List<Thread> threads = new ArrayList<>();
        int count = Math.min(left.size(), Runtime.getRuntime().availableProcessors());
        for (int i = 1; i <= count; i++) {
            Thread thread =
                    Thread.ofPlatform()
                            .daemon()
                            .name("serval-precompile-" + i)
                            .inheritInheritableThreadLocals(false)
                            .unstarted(this::compileAll);
            thread.setContextClassLoader(app.loader());
            threads.add(thread);
            thread.start();
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            left.clear(); // ends the threads after their page
            Thread.currentThread().interrupt();
            throw new PageException("The pages were not compiled: the start was interrupted", e);
        }
        if (!faults.isEmpty()) {
            throw new PageException(text(), null);
        }
    }

    private void compileAll() {
        @Nullable String path = left.poll();
        while (path != null) {
            try {
                runtime.compile(path);
            } catch (ServletException | IOException | RuntimeException | Error e) {
                // Also an error of the virtual machine: a page may be nested so deeply that the
                // stack of the compiler overflows.
                fault(path, PageFaults.text(path, e));
            }
            path = left.poll();
        }
    }

    private void fault(String path, String text) {
        if (included.contains(path)) {
            app.log().log(INFO, "A part of other pages is no page of its own: " + text);
        } else {
            faults.add(text);
        }
    }

    private String text() {
        List<String> all = faults.stream().sorted().toList();
        String shown = String.join("\n  ", all.subList(0, Math.min(SHOWN_MAX, all.size())));
        String more =
                all.size() <= SHOWN_MAX ? "" : "\n  and " + (all.size() - SHOWN_MAX) + " more";
        return all.size() == 1
                ? "A page cannot be compiled: " + shown
                : all.size() + " pages cannot be compiled:\n  " + shown + more;
    }
}
