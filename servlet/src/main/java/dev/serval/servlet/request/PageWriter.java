package dev.serval.servlet.request;

import java.io.PrintWriter;
import java.io.Writer;

/// The writer of a response, which an included servlet cannot close (Servlet 6.1 §9.3).
final class PageWriter extends PrintWriter {
    private final AppResponse response;

    PageWriter(Writer below, AppResponse response) {
        super(below);
        this.response = response;
    }

    @Override
    public void close() {
        if (!response.isIncluding()) {
            super.close();
        }
    }
}
