package dev.serval.examples.osp.record;

/// The fields of a call detail record, in the order of the file and of the table.
public enum Field {
    RECEIVED("received"),
    CLIENT("client"),
    MESSAGE("message_id"),
    COMPONENT("component_id"),
    ROLE("call_role"),
    TRANSACTION("transaction_id"),
    CALL("call_id"),
    CALLING("calling"),
    CALLED("called"),
    SOURCE("source_address"),
    DESTINATION("destination_address"),
    CUSTOMER("customer_id"),
    DEVICE("device_id"),
    GROUP("group_id"),
    SERVICE("service"),
    AMOUNT("amount"),
    INCREMENT("amount_increment"),
    UNIT("unit"),
    START("start_time"),
    END("end_time"),
    CAUSE("cause_code"),
    POST_DIAL_DELAY("post_dial_delay"),
    RELEASE_SOURCE("release_source");

    private final String column;

    Field(String column) {
        this.column = column;
    }

    /// Returns the name in the first line of the file, and of the column.
    public String column() {
        return column;
    }
}
