package dev.serval.gateway.fastcgi;

/// The types of records that an application server and a web server exchange (FastCGI 1.0 §8).
final class RecordType {
    static final int BEGIN_REQUEST = 1;
    static final int ABORT_REQUEST = 2;
    static final int END_REQUEST = 3;
    static final int PARAMS = 4;
    static final int STDIN = 5;
    static final int STDOUT = 6;
    static final int STDERR = 7;

    private RecordType() {}
}
