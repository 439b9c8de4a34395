package dev.serval.http1;

/// A row of a table test: a rule of an RFC, input bytes, and the expected result.
///
/// @param section the rule's place, such as `RFC 9112 §2.2`
/// @param says what the row shows
/// @param sample the input, in the notation of [Cuts]
/// @param expected the result in words, or the status of the refusal
record Rule(String section, String says, String sample, String expected) {
    @Override
    public String toString() {
        return section + ": " + says;
    }
}
