package dev.serval.soak.subject;

/// The kinds of requests to the application of package `war`. The first word is the servlet, the
/// rest the way in which it answers.
public enum ServletKind {
    FILE,
    APP_FILE,
    PAGE,
    PAGE_HEAD,
    STREAM_SEND,
    STREAM_ECHO,
    STREAM_SUM,
    LISTEN_SEND,
    LISTEN_ECHO,
    LISTEN_SUM,
    ASYNC_COMPLETE,
    ASYNC_START,
    ASYNC_THREAD,
    ASYNC_DISPATCH,
    ASYNC_LATER,
    ASYNC_TWICE,
    ASYNC_RACE,
    ASYNC_FAIL,
    ASYNC_TIMEOUT,
    ASYNC_TIMEOUT_DISPATCH,
    ASYNC_TIMEOUT_ERROR,
    FAIL_SEND,
    FAIL_EXCEPTION,
    FAIL_COMMITTED,
    RELAY_FORWARD,
    RELAY_INCLUDE,
    RELAY_NAMED,
    RELAY_REDIRECT,
    ABSENT,
    FORM,
    PARTS,
    COOKIES,
    SESSION;

    /// Returns whether the request has content.
    public boolean uploads() {
        return switch (this) {
            case STREAM_ECHO, STREAM_SUM, LISTEN_ECHO, LISTEN_SUM, FORM, PARTS -> true;
            default -> false;
        };
    }

    /// Returns whether the answer may begin before the request has ended.
    public boolean echoes() {
        return this == STREAM_ECHO || this == LISTEN_ECHO;
    }

    /// Returns whether the connection ends in the middle of the right answer.
    public boolean breaks() {
        return this == FAIL_COMMITTED;
    }

    /// Returns the status of the right answer.
    public int status(long seed) {
        return switch (this) {
            case FAIL_SEND -> (int) (400 + seed % 18);
            case FAIL_EXCEPTION, ASYNC_FAIL, ASYNC_TIMEOUT_ERROR -> 500;
            case RELAY_REDIRECT -> 302;
            case ABSENT -> 404;
            default -> 200;
        };
    }
}
