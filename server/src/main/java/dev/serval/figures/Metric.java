package dev.serval.figures;

import java.util.List;

/// The metrics of a server. Names follow the conventions of Prometheus: base units, and `_total` for
/// what only grows. The names of `process_` and `jvm_` are those of Prometheus' own libraries, so that
/// their dashboards work.
public enum Metric {
    BUILD(
            "serval_build_info",
            Type.INFO,
            "The version of Serval and of its JVM.",
            "version",
            "java"),

    REQUESTS(
            "serval_requests_total",
            Type.COUNTER,
            "Requests that have ended, by mount and class of status (none: without an answer).",
            "mount",
            "status"),
    REQUEST_TIME(
            "serval_request_duration_seconds",
            Type.HISTOGRAM,
            "Time from the end of the request's head to the end of the response.",
            "mount"),
    PHASE_TIME(
            "serval_request_phase_seconds",
            Type.HISTOGRAM,
            "Time of a phase (head, queue, handler, write) of the requests that had it.",
            "mount",
            "phase"),
    HEADS("serval_request_heads_total", Type.COUNTER, "Request heads that were read."),
    RESPONSES(
            "serval_responses_total",
            Type.COUNTER,
            "Responses by class of status; interim responses are 1xx.",
            "status"),
    REFUSALS(
            "serval_refusals_total",
            Type.COUNTER,
            "Requests and connections that were refused, by reason.",
            "reason"),
    PROTOCOL_ERRORS(
            "serval_protocol_errors_total", Type.COUNTER, "Messages that violated the protocol."),
    TIMEOUTS(
            "serval_timeouts_total",
            Type.COUNTER,
            "Times that were over, by what was late.",
            "what"),
    TLS_HANDSHAKES(
            "serval_tls_handshakes_total",
            Type.COUNTER,
            "TLS handshakes by result: done, failed, or plain for clients that sent plain HTTP.",
            "result"),
    TLS_FAILURES(
            "serval_tls_handshake_failures_total",
            Type.COUNTER,
            "TLS handshakes that failed, by reason.",
            "reason"),
    CERTIFICATE_END(
            "serval_certificate_not_after_seconds",
            Type.GAUGE,
            "End of the automatic certificate of a host, in seconds since 1970; none before there is"
                    + " one.",
            "host"),
    CERTIFICATE_FAILURES(
            "serval_certificate_failures",
            Type.GAUGE,
            "Attempts in a row that got no new certificate for a host.",
            "host"),
    CERTIFICATE_ORDERS(
            "serval_certificate_orders_total",
            Type.COUNTER,
            "Orders of certificates for a host by result: issued or failed.",
            "host",
            "result"),
    CLIENTS_GONE(
            "serval_clients_gone_total",
            Type.COUNTER,
            "Requests whose client disconnected before the end of the response."),
    HANDLER_FAULTS(
            "serval_handler_faults_total",
            Type.COUNTER,
            "Exceptions of handlers, and responses that broke their own length."),
    ERRORS(
            "serval_errors_total",
            Type.COUNTER,
            "Errors that threads of the server survived, such as exhausted memory."),
    LOG_LINES_LOST(
            "serval_access_log_lines_lost_total",
            Type.COUNTER,
            "Lines of access logs that were dropped, because the disk was too slow or failed."),
    WITHOUT_EXECUTOR(
            "serval_requests_without_executor_total",
            Type.COUNTER,
            "Requests answered without their executor, because it was full."),

    LOAD_MODE(
            "serval_load_mode",
            Type.GAUGE,
            "1 for the load mode in force, 0 for the others.",
            "mode"),
    LOAD_DELAY(
            "serval_load_delay_seconds",
            Type.GAUGE,
            "Time that new requests wait for a thread of their application."),
    LOAD_CHANGES("serval_load_changes_total", Type.COUNTER, "Changes of the load mode."),
    CONNECTIONS("serval_connections", Type.GAUGE, "Open connections of clients."),
    CONNECTIONS_ACCEPTED(
            "serval_connections_accepted_total", Type.COUNTER, "Connections that were accepted."),
    CONNECTIONS_CLOSED(
            "serval_connections_closed_total", Type.COUNTER, "Connections that have ended."),
    CONNECTIONS_PREEMPTED(
            "serval_connections_preempted_total",
            Type.COUNTER,
            "Connections that were ended because all together held too much memory."),
    ACCEPT_PAUSES(
            "serval_accept_pauses_total",
            Type.COUNTER,
            "Times that accepting paused, for want of descriptors or because of the load.",
            "reason"),
    RECEIVED("serval_received_bytes_total", Type.COUNTER, "Bytes that were received."),
    SENT("serval_sent_bytes_total", Type.COUNTER, "Bytes that were sent."),

    LOOP_TURNS(
            "serval_loop_turn_seconds",
            Type.HISTOGRAM,
            "Time of the turns of an event loop, without the time that it waited.",
            "loop"),
    LOOP_BUSY(
            "serval_loop_busy_seconds_total",
            Type.COUNTER,
            "Time that an event loop did not wait.",
            "loop"),
    LOOP_LAG(
            "serval_loop_lag_seconds",
            Type.GAUGE,
            "Time that an event loop took to answer this reading.",
            "loop"),
    LOOP_CONNECTIONS(
            "serval_loop_connections",
            Type.GAUGE,
            "Open connections of an event loop, to clients and to other processes.",
            "loop"),
    LOOP_DEADLINES(
            "serval_loop_deadlines", Type.GAUGE, "Deadlines that an event loop has set.", "loop"),
    LOOP_WORKERS(
            "serval_loop_workers",
            Type.GAUGE,
            "Requests whose application code has not ended.",
            "loop"),
    LOOP_READY(
            "serval_loop_ready_workers",
            Type.GAUGE,
            "Requests whose application code waits for the loop.",
            "loop"),
    LOOP_MEMORY(
            "serval_loop_connection_memory_bytes",
            Type.GAUGE,
            "Memory that the connections of an event loop hold.",
            "loop"),
    WORKERS_STARTED(
            "serval_workers_started_total",
            Type.COUNTER,
            "Requests whose application code has been given a thread."),
    PREEMPTIONS(
            "serval_loop_preemptions_total",
            Type.COUNTER,
            "Times that an event loop got another thread, because application code kept its own."),
    MAPPING_MOVES(
            "serval_mapping_moves_total",
            Type.COUNTER,
            "Times that the code of a mapping moved to the pool, or back to the loops on trial.",
            "to"),
    KEPT_THREADS(
            "serval_kept_threads",
            Type.GAUGE,
            "Threads that application code keeps after a preemption."),
    COMPRESSIONS(
            "serval_compressions_total",
            Type.COUNTER,
            "Responses of applications and other servers that were compressed, or were sent as they"
                    + " are, because too many were being compressed.",
            "result"),
    EVENTS(
            "serval_events_total",
            Type.COUNTER,
            "Other events, which have no metric of their own.",
            "event"),

    APPLICATION_REQUESTS(
            "serval_application_requests_in_progress",
            Type.GAUGE,
            "Requests that are in a web application.",
            "application"),
    APPLICATION_FAULTS(
            "serval_application_faults_total",
            Type.COUNTER,
            "Requests that an error page answered, because the application threw.",
            "application"),
    SERVLET_TIME(
            "serval_servlet_duration_seconds",
            Type.SUMMARY,
            "Time of the requests of a servlet, from the creation of their thread to its end.",
            "application",
            "servlet"),
    SERVLET_LONGEST(
            "serval_servlet_longest_seconds",
            Type.GAUGE,
            "Time of the longest request of a servlet since the application started.",
            "application",
            "servlet"),
    SESSIONS(
            "serval_sessions",
            Type.GAUGE,
            "Sessions of a web application, in memory or in files.",
            "application",
            "place"),
    SESSIONS_REFUSED(
            "serval_sessions_refused_total",
            Type.COUNTER,
            "Sessions that could not be created because of a limit.",
            "application"),
    SESSIONS_ENDED_EARLY(
            "serval_sessions_ended_early_total",
            Type.COUNTER,
            "Sessions that ended because no client returned their id.",
            "application"),
    SESSIONS_LOST(
            "serval_sessions_lost_total",
            Type.COUNTER,
            "Sessions, or the changes of one request, that were lost.",
            "application"),
    SESSION_FAILURES(
            "serval_session_store_failures_total",
            Type.COUNTER,
            "Times that the store of sessions could not be used.",
            "application"),
    LOGINS(
            "serval_logins_total",
            Type.COUNTER,
            "Logins, and attempts at them, by result.",
            "result"),

    POOL_CONNECTIONS(
            "serval_pool_connections",
            Type.GAUGE,
            "Open connections to an application in other processes.",
            "pool",
            "kind"),
    POOL_BUSY("serval_pool_busy", Type.GAUGE, "Requests that are at a peer.", "pool", "kind"),
    POOL_QUEUED("serval_pool_queued", Type.GAUGE, "Requests that wait for a peer.", "pool", "kind"),
    POOL_TIME(
            "serval_pool_request_duration_seconds",
            Type.HISTOGRAM,
            "Time of the complete answers of an application in other processes.",
            "pool",
            "kind"),
    POOL_REFUSALS(
            "serval_pool_refusals_total",
            Type.COUNTER,
            "Requests that found no peer, by reason.",
            "pool",
            "kind",
            "reason"),
    POOL_FAILURES(
            "serval_pool_failures_total",
            Type.COUNTER,
            "Requests without a complete answer of their peer, by reason.",
            "pool",
            "kind",
            "reason"),
    UPSTREAM_UP(
            "serval_upstream_up",
            Type.GAUGE,
            "1 if requests are sent to the address, 0 while it rests after failures.",
            "pool",
            "upstream"),
    UPSTREAM_CONNECTIONS(
            "serval_upstream_connections",
            Type.GAUGE,
            "Open connections to the address.",
            "pool",
            "upstream"),
    UPSTREAM_BUSY(
            "serval_upstream_busy",
            Type.GAUGE,
            "Requests in progress at the address.",
            "pool",
            "upstream"),
    PEERS_REFUSED(
            "serval_peers_refused_total", Type.COUNTER, "Peers that dialled in and were refused."),

    PROCESS_CPU("process_cpu_seconds_total", Type.COUNTER, "Processor time of the process."),
    PROCESS_START(
            "process_start_time_seconds",
            Type.GAUGE,
            "Start of the process, in seconds since 1970."),
    PROCESS_FILES("process_open_fds", Type.GAUGE, "Open file descriptors."),
    PROCESS_FILES_MAX("process_max_fds", Type.GAUGE, "The limit of file descriptors."),
    PROCESS_RESIDENT(
            "process_resident_memory_bytes", Type.GAUGE, "Memory of the process in the machine's."),
    PROCESS_VIRTUAL("process_virtual_memory_bytes", Type.GAUGE, "Address space of the process."),
    JVM_USED("jvm_memory_used_bytes", Type.GAUGE, "Memory in use, by area.", "area"),
    JVM_COMMITTED(
            "jvm_memory_committed_bytes", Type.GAUGE, "Memory taken from the system.", "area"),
    JVM_MAX("jvm_memory_max_bytes", Type.GAUGE, "The limit of memory; none if missing.", "area"),
    JVM_BUFFERS(
            "jvm_buffer_pool_used_bytes",
            Type.GAUGE,
            "Memory of buffers outside of the heap.",
            "pool"),
    JVM_COLLECTIONS(
            "jvm_gc_collection_seconds",
            Type.SUMMARY,
            "Time of garbage collections, by collector.",
            "gc"),
    JVM_THREADS("jvm_threads_current", Type.GAUGE, "Platform threads."),
    JVM_CLASSES("jvm_classes_currently_loaded", Type.GAUGE, "Classes that are loaded."),

    DROPPED(
            "serval_metrics_dropped_series",
            Type.GAUGE,
            "Series that this reading left out, because their metric has too many.");

    /// The kinds of metrics.
    public enum Type {
        /// Only grows, from 0 at the start of the process.
        COUNTER,
        /// Grows and shrinks.
        GAUGE,
        /// Counts values up to bounds.
        HISTOGRAM,
        /// A number of values and their sum.
        SUMMARY,
        /// Always 1; the labels are what it tells.
        INFO
    }

    private final String text;
    private final Type type;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
    private final List<String> labels;

    Metric(String text, Type type, String help, String... labels) {
        this.text = text;
        this.type = type;
        this.help = help;
        this.labels = List.of(labels);
    }

    /// Returns the name.
    public String text() {
        return text;
    }

    /// Returns the kind.
    public Type type() {
        return type;
    }

    /// Returns what it measures, as a sentence.
    public String help() {
        return help;
    }

    /// Returns the keys of its labels, in the order of their values.
    public List<String> labels() {
        return labels;
    }
}
