package dev.serval.soak.whole;

import dev.serval.soak.subject.ServletKind;
import dev.serval.soak.subject.SoakRequest;
import dev.serval.soak.war.Pattern;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Makes requests of every kind that the server of the soak answers. Immutable.
final class Asks {
    /// The kinds of requests to the application. Others answer late on purpose, or depend on earlier
    /// requests; the soak of servlets has them.
    private static final List<ServletKind> APPLICATION =
            List.of(
                    ServletKind.APP_FILE,
                    ServletKind.PAGE,
                    ServletKind.STREAM_SUM,
                    ServletKind.LISTEN_SUM,
                    ServletKind.ASYNC_COMPLETE,
                    ServletKind.ASYNC_DISPATCH,
                    ServletKind.RELAY_FORWARD,
                    ServletKind.RELAY_INCLUDE,
                    ServletKind.FORM,
                    ServletKind.PARTS,
                    ServletKind.COOKIES,
                    ServletKind.FAIL_SEND,
                    ServletKind.ABSENT);

    private static final int SMALL_FILES = 4;
    private static final int CONTENT_MAX = 20_000;
    private static final long SEED_MAX = 1_000_000_000;

    private final List<byte[]> small = new ArrayList<>();
    private final byte[] large;

    /// Reads the files of the document root, those of the floods.
    Asks(Path root) throws IOException {
        for (int i = 0; i < SMALL_FILES; i++) {
            small.add(Files.readAllBytes(root.resolve("good-" + i)));
        }
        large = Files.readAllBytes(root.resolve("flood-8m"));
    }

    /// Returns a request of any kind but the large file.
    Ask next(SplittableRandom random) {
        long seed = random.nextLong(1, SEED_MAX);
        int number = random.nextInt(SMALL_FILES);
        return switch (random.nextInt(12)) {
            case 0, 1 -> file(number);
            case 2 -> range(random);
            case 3 -> Ask.empty("unchanged", "/good-" + number, "If-None-Match: *\r\n", 304);
            case 4 ->
                    Ask.get("turn", "/turn/good-" + number, "", 200, small.get(number))
                            .with(SoakSite.TURN_FIELD + ": ");
            case 5 -> Ask.get("near/page", "/near/page/" + seed, "", 200, Pattern.page(seed));
            case 6 -> Ask.get("near/chunks", "/near/chunks/" + seed, "", 200, Pattern.stream(seed));
            case 7 -> sum("/near/sum", random, seed);
            case 8 -> Ask.get("dial/page", "/dial/page/" + seed, "", 200, Pattern.page(seed));
            case 9 -> sum("/dial/sum", random, seed);
            default -> application(random, seed);
        };
    }

    /// Returns a request for a small file.
    Ask file(int number) {
        return Ask.get("file", "/good-" + number, "", 200, small.get(number));
    }

    /// Returns a request for the large file.
    Ask large() {
        return Ask.get("large", "/flood-8m", "", 200, large);
    }

    private Ask range(SplittableRandom random) {
        int length = random.nextInt(1, Ask.SMALL_MAX);
        int first = random.nextInt(large.length - length);
        int last = first + length - 1;
        return Ask.get(
                        "range",
                        "/flood-8m",
                        "Range: bytes=" + first + "-" + last + "\r\n",
                        206,
                        large)
                .part(first, last + 1)
                .with("bytes " + first + "-" + last + "/" + large.length);
    }

    private static Ask sum(String path, SplittableRandom random, long seed) {
        byte[] content = Pattern.bytes(seed, random.nextInt(CONTENT_MAX));
        return Ask.post(path.substring(1), path, content, Pattern.receipt(Pattern.sum(content)));
    }

    private static Ask application(SplittableRandom random, long seed) {
        ServletKind kind = APPLICATION.get(random.nextInt(APPLICATION.size()));
        SoakRequest request = SoakRequest.of(kind, seed);
        while (request.waits()) {
            request = SoakRequest.of(kind, request.seed() + 1); // no 100 (Continue) here
        }
        return Ask.of(kind.name(), request.bytes(), kind.status(request.seed()), request.answer())
                .with(request.head().contains("Mark: ") ? mark(kind, request) : "");
    }

    /// Returns what the application's answers have from the request. Errors of the container have
    /// nothing of it.
    private static String mark(ServletKind kind, SoakRequest request) {
        return kind.status(request.seed()) >= 400 ? "" : "Mark: " + request.mark();
    }
}
