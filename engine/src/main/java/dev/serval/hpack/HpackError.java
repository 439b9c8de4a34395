package dev.serval.hpack;

/// What is wrong with a header block. The state of the decoder is lost with it, so its connection
/// cannot continue (RFC 7541 §2.4, RFC 9113 §4.3).
public enum HpackError {
    /// An integer has more bits than any index or length may need.
    INTEGER("an integer of a header block is too large", "RFC 7541 §5.1"),
    /// An index names no entry.
    INDEX("an index of a header block is in neither table", "RFC 7541 §2.3.3"),
    /// A string is not the Huffman code of any bytes, or its padding is wrong.
    HUFFMAN("a string of a header block has a wrong Huffman code", "RFC 7541 §5.2"),
    /// The size of the dynamic table is changed where it must not, or to more than it may be.
    TABLE_SIZE("the dynamic table cannot have the size that a header block sets", "RFC 7541 §6.3"),
    /// The size of the dynamic table is not changed although its limit has sunk.
    TABLE_NOT_CUT("a header block ignores the lowered size of the dynamic table", "RFC 7541 §4.2"),
    /// The block ends within a field line.
    CUT_SHORT("a header block ends within a field line", "RFC 7541 §3.1"),
    /// The field lines are many times larger than they may be, so even reading them costs too much.
    BOMB("the field lines of a header block are far too large", "RFC 7541 §7.3");

    private final String what;
    private final String section;

    HpackError(String what, String section) {
        this.what = what;
        this.section = section;
    }

    /// Returns the fault in words, as a clause.
    public String what() {
        return what;
    }

    /// Returns the section of the RFC.
    public String section() {
        return section;
    }
}
