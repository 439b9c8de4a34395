package dev.serval.bench.war;

/// The object that [MessageServlet] answers with.
public record Message(String message) {
    /// The text of the object.
    public static final String TEXT = "Hello, World!";
}
