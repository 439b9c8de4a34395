package dev.serval.conformance;

import dev.serval.Folder;
import dev.serval.handler.Handler;
import dev.serval.policy.Limits;
import dev.serval.testkit.TempTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// The server of the tables: known files at `/`, and a few handlers. Its limits are those of the
/// promises, except that content is limited to 64 KiB, so that rows stay small.
final class Site implements AutoCloseable {
    /// Limit of request content in bytes.
    static final int CONTENT_MAX_BYTES = 64 << 10;

    /// The time of the last change of four files: `Thu, 02 Jan 2020 03:04:05 GMT`.
    static final Instant CHANGED = Instant.parse("2020-01-02T03:04:05Z");

    private final TempTree tree = TempTree.create();
    private final TempTree outside = TempTree.create();
    private final AtomicInteger smuggled = new AtomicInteger();
    private final Served server;

    Site() {
        files();
        Limits limits = Limits.DEFAULT.with(draft -> draft.content.maxBytes = CONTENT_MAX_BYTES);
        server =
                Served.with(b ->
                        b.listen(Served.tls())
                                .limits(limits)
                                .mount("/", Folder.of(tree.root()))
                                .mount("/echo", Answers::echo)
                                .mount("/head", Answers::head)
                                .mount("/target", Answers::target)
                                .mount("/every", Handler.ofEveryMethod(Answers::head))
                                .mount("/ignore", Answers::ignore)
                                .mount("/chunked", Answers::unknownLength)
                                .mount("/hints", Answers::hints)
                                .mount("/nothing", Answers::nothing)
                                .mount("/short", Answers::tooShort)
                                .mount("/long", Answers::tooLong)
                                .mount(
                                        "/throw",
                                        x -> {
                                            throw new IllegalStateException("detail");
                                        })
                                .mount("/inject", Answers::inject)
                                .mount("/tunnel", Answers::tunnel)
                                .mount("/blocking", Answers::blocking)
                                .mount("/passed", x -> x.pass())
                                .mount(
                                        "/smuggled",
                                        x -> {
                                            smuggled.incrementAndGet();
                                            Answers.text(x, "smuggled");
                                        }));
    }

    Served server() {
        return server;
    }

    TempTree tree() {
        return tree;
    }

    /// Returns how many requests have reached `/smuggled`.
    int smuggled() {
        return smuggled.get();
    }

    @Override
    public void close() {
        server.close();
        tree.close();
        outside.close();
    }

    private void files() {
        tree.file("index.html", "root");
        tree.file("digits.txt", "0123456789");
        tree.file("hello.html", "<p>Hello</p>\n");
        tree.file("empty.txt", "");
        tree.file("large.bin", 300_000);
        tree.file("with space.txt", "space");
        tree.file("\u00fcber.txt", "umlaut");
        tree.file("plus+.txt", "plus");
        tree.file("100%.txt", "percent");
        tree.file("semi;colon.txt", "semicolon");
        tree.file("tilde~.txt", "tilde");
        tree.file("style.css", "p{}");
        tree.file("script.js", "1");
        tree.file("image.svg", "<svg/>");
        tree.file("unknown.serval-unknown", "?");
        tree.file("a/b/deep.txt", "deep");
        tree.file("folder/index.html", "index");
        tree.file("folder/page.html", "page");
        tree.file("bare/file.txt", "file");
        tree.file(".secret", "secret");
        tree.file(".git/config", "secret");
        tree.file("a/.hidden/file.txt", "secret");
        tree.file(".well-known/security.txt", "well-known");
        tree.file("WEB-INF/web.xml", "secret");
        tree.file("META-INF/MANIFEST.MF", "secret");
        tree.file("a/WEB-INF/classes/x.class", "secret");
        tree.file("page.jsp", "secret");
        tree.file("page.jspx", "secret");
        tree.file("a/fragment.jspf", "secret");
        tree.link("out.txt", outside.file("outside.txt", "secret"));
        tree.link("outside", outside.root());
        tree.link("in.txt", tree.path("digits.txt"));
        for (String name : List.of("digits.txt", "hello.html", "empty.txt", "large.bin")) {
            change(tree.path(name), CHANGED);
        }
    }

    private static void change(Path file, Instant changed) {
        try {
            Files.setLastModifiedTime(file, FileTime.from(changed));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
