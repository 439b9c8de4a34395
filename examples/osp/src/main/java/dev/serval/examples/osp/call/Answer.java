package dev.serval.examples.osp.call;

import dev.serval.examples.osp.message.AnswerWriter;
import dev.serval.examples.osp.message.Component;
import dev.serval.examples.osp.message.OspStatus;

/// The answer to a component. Immutable.
///
/// @param xml the whole answer component
/// @param lastSecond the last second since 1970 in which a repetition gets this answer
record Answer(OspStatus status, String xml, long lastSecond) {
    /// Creates an answer that does not expire.
    Answer(OspStatus status, String xml) {
        this(status, xml, Long.MAX_VALUE);
    }

    /// Returns an answer with a time and a status only.
    ///
    /// @param detail is added to the description
    static Answer refuse(Component component, String time, OspStatus status, String detail) {
        StringBuilder out = AnswerWriter.begin(component, time, status, detail);
        AnswerWriter.end(out, component);
        return new Answer(status, out.toString());
    }
}
