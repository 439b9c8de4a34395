package dev.serval.servlet.run;

/// What the code of the application has done to its request so far. Immutable.
sealed interface Outcome {
    /// It has thrown nothing that counts.
    Outcome FINE = new Fine();

    /// It has thrown, and its client gets an answer all the same.
    Outcome ANSWERED = new Answered();

    /// The kind of [#FINE].
    record Fine() implements Outcome {}

    /// The kind of [#ANSWERED].
    record Answered() implements Outcome {}

    /// The engine must learn of the exception, because the client has gone or must see that its
    /// response is incomplete.
    record Fatal(Throwable thrown) implements Outcome {}
}
