package dev.serval.access;

import dev.serval.servlet.password.SecurityLimits;
import dev.serval.servlet.password.Verifier;
import dev.serval.servlet.users.FileUsers;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;

/// The users of a file that `serval user add` writes, for all mounts that ask for them. These mounts
/// share what is known of right passwords and of failures, so that who guesses gains nothing by
/// asking at each of them. Any thread.
public final class SiteUsers {
    private final Verifier verifier;

    private SiteUsers(Verifier verifier) {
        this.verifier = verifier;
    }

    /// Reads a file of users. A later change of the file is noticed within two seconds.
    ///
    /// @throws IOException if it cannot be read, or a line is wrong; the message says where
    public static SiteUsers open(Path file) throws IOException {
        SecurityLimits limits = SecurityLimits.standard(Runtime.getRuntime().availableProcessors());
        return new SiteUsers(
                new Verifier(FileUsers.open(file, System::nanoTime), limits, new SecureRandom()));
    }

    /// Returns what checks their passwords.
    Verifier verifier() {
        return verifier;
    }
}
