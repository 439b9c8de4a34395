package dev.serval.log;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Writes messages and stack traces for logs that people read. A text may come from a client or an
/// application: a line break in it cannot begin a line that looks like another message, and no control
/// character reaches a terminal. Stateless.
public final class MessageText {
    private static final int CAUSES_MAX = 64;
    private static final StackTraceElement[] NO_FRAMES = {};

    private MessageText() {}

    /// Adds a message. Its further lines are indented.
    public static void add(StringBuilder text, String message) {
        for (int i = 0; i < message.length(); i++) {
            char c = message.charAt(i);
            if (c == '\n') {
                text.append("\n    ");
            } else if (c != '\r' && c != '\t' && Character.isISOControl(c)) {
                text.append("\\u").append("%04x".formatted((int) c));
            } else if (c != '\r') {
                text.append(c);
            }
        }
    }

    /// Adds the stack trace of an exception and of its causes, in the form of the JDK, and a line break. It
    /// throws nothing if the methods of an application's exception do.
    public static void addTrace(StringBuilder text, Throwable thrown) {
        Set<Throwable> shown = Collections.newSetFromMap(new IdentityHashMap<>());
        try {
            addTrace(text, "", NO_FRAMES, thrown, shown);
        } catch (Throwable e) { // any Error, too
            text.append(thrown.getClass().getName())
                    .append(" [which cannot be shown: its methods throw ")
                    .append(e.getClass().getName())
                    .append("]\n");
        }
    }

    private static void addTrace(
            StringBuilder text,
            String indent,
            StackTraceElement[] around,
            Throwable first,
            Set<Throwable> shown) {
        String label = "";
        StackTraceElement[] outer = around;
        for (@Nullable Throwable one = first; one != null; one = one.getCause()) {
            text.append(indent).append(label);
            if (shown.size() >= CAUSES_MAX || !shown.add(one)) {
                text.append("[an exception that is shown above]\n");
                return;
            }
            add(text, one.toString());
            text.append('\n');
            StackTraceElement[] frames = one.getStackTrace();
            addFrames(text, indent, frames, outer);
            for (Throwable suppressed : one.getSuppressed()) {
                text.append(indent).append("\tSuppressed:\n");
                addTrace(text, indent + "\t", frames, suppressed, shown);
            }
            label = "Caused by: ";
            outer = frames;
        }
    }

    /// Adds the frames that the exception around it does not have.
    private static void addFrames(
            StringBuilder text,
            String indent,
            StackTraceElement[] frames,
            StackTraceElement[] around) {
        int own = frames.length;
        int other = around.length;
        while (own > 0 && other > 0 && frames[own - 1].equals(around[other - 1])) {
            own--;
            other--;
        }
        for (int i = 0; i < own; i++) {
            text.append(indent).append("\tat ").append(frames[i]).append('\n');
        }
        if (own < frames.length) {
            text.append(indent).append("\t... ").append(frames.length - own).append(" more\n");
        }
    }
}
