package dev.serval.gateway.lrwp;

import dev.serval.gateway.cgi.OutputLimits;
import dev.serval.gateway.cgi.OutputMode;
import dev.serval.gateway.cgi.OutputParser;
import dev.serval.gateway.cgi.VariableBuffer;
import dev.serval.gateway.cgi.VariableForm;
import dev.serval.gateway.spool.Collecting;
import dev.serval.gateway.spool.SpoolQuota;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// What the LRWP requests of one loop share: buffers and parsers, which one request after another
/// uses. Owned by the loop.
final class LrwpLoop {
    private static final int SPARE_MAX = 64;

    private final LrwpSettings settings;
    private final Collecting collecting;
    private final VariableBuffer variables = new VariableBuffer(VariableForm.ASSIGNMENTS);
    private final ArrayDeque<OutputParser> parsers = new ArrayDeque<>();
    private Piece piece = new Piece();

    LrwpLoop(LrwpSettings settings, SpoolQuota quota) {
        this.settings = settings;
        // LrwpSettings.Contents limits the whole answer, whatever waits of it.
        this.collecting = new Collecting(quota, true, Long.MAX_VALUE);
    }

    LrwpSettings settings() {
        return settings;
    }

    /// Returns an empty buffer for variables, to be used at once.
    VariableBuffer variables() {
        variables.clear();
        return variables;
    }

    /// Lends a parser, ready for a new output.
    OutputParser lendParser() {
        @Nullable OutputParser spare = parsers.pollLast();
        OutputParser parser =
                spare != null ? spare : new OutputParser(OutputLimits.DEFAULT, OutputMode.LENIENT);
        parser.reset();
        return parser;
    }

    void giveBack(OutputParser parser) {
        if (parsers.size() < SPARE_MAX) {
            parsers.addLast(parser);
        }
    }

    /// Returns a buffer that no response borrows at present.
    Piece piece() {
        if (piece.isBorrowed()) {
            piece = new Piece();
        }
        return piece;
    }

    /// Returns what decides which content waits in this server: all of a request, and what a slow
    /// client does not take.
    Collecting collecting() {
        return collecting;
    }
}
