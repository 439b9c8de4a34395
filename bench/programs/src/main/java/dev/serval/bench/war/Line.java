package dev.serval.bench.war;

/// The content of the shortest pages: 93 bytes, as many as the servlet of a paper of 2003 wrote.
public final class Line {
    /// The page, which `line.jsp` also has.
    public static final String TEXT =
            "<html><head><title>A line</title></head><body>"
                    + "<p>It is a page without code.</p></body></html>";

    private Line() {}
}
