package dev.serval.examples.osp.call;

import dev.serval.examples.osp.message.OspStatus;
import org.jspecify.annotations.Nullable;

/// Makes the tokens that a source gateway shows to the destination, and checks them. Immutable.
public sealed interface Tokens permits SignedTokens, TextTokens {
    /// The result of a check.
    ///
    /// @param status success, or why the token is refused
    /// @param content what the token says; null if it was refused
    record Checked(OspStatus status, @Nullable TokenContent content) {
        static Checked refused(OspStatus status) {
            return new Checked(status, null);
        }
    }

    /// Returns a token as base64.
    String issue(TokenContent content);

    /// Reads a token and checks its signature, if it has one. The caller compares the content with
    /// the call.
    Checked check(String base64);

    /// Returns the name of the form for people.
    String form();
}
