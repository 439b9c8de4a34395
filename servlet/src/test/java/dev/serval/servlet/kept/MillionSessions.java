package dev.serval.servlet.kept;

import dev.serval.servlet.session.SessionFacade;
import dev.serval.servlet.session.SessionFixture;
import dev.serval.servlet.session.SessionLimits;
import dev.serval.servlet.session.SessionStore;
import dev.serval.servlet.vault.AttributeCodec;
import dev.serval.servlet.vault.ClassRules;
import dev.serval.servlet.vault.FileVault;
import dev.serval.servlet.vault.VaultLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;

/// Creates sessions whose clients return their cookie, and finds each with its content. A program,
/// because a million take minutes; run it with `-Xmx256m`, a number and an empty folder.
public final class MillionSessions {
    private static final int PRINTED_EVERY = 100_000;

    private MillionSessions() {}

    /// Runs the program.
    ///
    /// @param arguments the number of sessions and a folder
    public static void main(String[] arguments) throws IOException {
        int count = Integer.parseInt(arguments[0]);
        ClassLoader loader = MillionSessions.class.getClassLoader();
        VaultLimits limits = VaultLimits.STANDARD;
        SessionLimits byHeap = SessionLimits.stored(Runtime.getRuntime().maxMemory());
        FileVault vault =
                FileVault.open(
                        Path.of(arguments[1]),
                        new FileVault.Mode(/* survives */ false, /* syncs */ false),
                        limits,
                        System.getLogger("million"),
                        System.currentTimeMillis());
        SessionFixture fixture =
                new SessionFixture(
                        byHeap,
                        /* timeoutMinutes */ 0,
                        null,
                        new KeptSessions(
                                new KeptSessions.Setup(
                                        vault,
                                        new AttributeCodec(
                                                loader, new ClassRules(loader, List.of()), limits),
                                        /* survives */ false,
                                        /* savesRequests */ false,
                                        /* checksAttributes */ false)));
        byte[] ids = new byte[count * Long.BYTES * 2]; // as the clients would hold them
        fill(fixture, ids, count);
        find(fixture, ids, count);
        guess(fixture);
        report("end", count, fixture);
        fixture.sessions.close();
    }

    private static void fill(SessionFixture fixture, byte[] ids, int count) {
        for (int i = 0; i < count; i++) {
            SessionFacade session = fixture.sessions.create();
            session.setAttribute("number", i);
            session.setAttribute("text", "session " + i);
            String id = session.getId();
            session.release();
            fixture.touch(id);
            System.arraycopy(Base64.getUrlDecoder().decode(id), 0, ids, i * 16, 16);
            fixture.events.clear();
            fixture.pass(1_000_000);
            if ((i + 1) % PRINTED_EVERY == 0) {
                report("created", i + 1, fixture);
            }
        }
    }

    private static void find(SessionFixture fixture, byte[] ids, int count) {
        byte[] id = new byte[16];
        for (int i = 0; i < count; i++) {
            System.arraycopy(ids, i * 16, id, 0, 16);
            SessionFacade session =
                    fixture.join(Base64.getUrlEncoder().withoutPadding().encodeToString(id));
            boolean right =
                    Integer.valueOf(i).equals(session.getAttribute("number"))
                            && ("session " + i).equals(session.getAttribute("text"));
            if (!right) {
                throw new AssertionError("session " + i + " has other content");
            }
            session.release();
            fixture.pass(1_000_000);
            if ((i + 1) % PRINTED_EVERY == 0) {
                report("found", i + 1, fixture);
            }
        }
    }

    /// Asks for ids that no session has.
    private static void guess(SessionFixture fixture) {
        SecureRandom random = new SecureRandom();
        byte[] id = new byte[16];
        long began = System.nanoTime();
        for (int i = 0; i < PRINTED_EVERY; i++) {
            random.nextBytes(id);
            String guess = Base64.getUrlEncoder().withoutPadding().encodeToString(id);
            if (fixture.sessions.join(guess) != null) {
                throw new AssertionError("an id was guessed");
            }
        }
        System.out.println(
                "guesses: "
                        + (System.nanoTime() - began) / PRINTED_EVERY
                        + " ns each, first byte "
                        + ByteBuffer.wrap(id).get());
    }

    private static void report(String what, int count, SessionFixture fixture) {
        Runtime runtime = Runtime.getRuntime();
        SessionStore.Figures figures = fixture.sessions.figures();
        System.out.printf(
                "%s %,d: active %,d, in memory %,d, on disk %,d (%,d MiB), heap %,d of %,d MiB%n",
                what,
                count,
                fixture.sessions.counters().active(),
                figures.inMemory(),
                figures.stored(),
                figures.storedBytes() >> 20,
                (runtime.totalMemory() - runtime.freeMemory()) >> 20,
                runtime.maxMemory() >> 20);
    }
}
