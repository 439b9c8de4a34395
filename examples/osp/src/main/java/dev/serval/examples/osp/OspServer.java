package dev.serval.examples.osp;

import dev.serval.examples.osp.call.CallService;
import dev.serval.examples.osp.call.CallSettings;
import dev.serval.examples.osp.call.Duplicates;
import dev.serval.examples.osp.call.RouteFileException;
import dev.serval.examples.osp.call.RouteReader;
import dev.serval.examples.osp.call.RouteTable;
import dev.serval.examples.osp.call.SignedTokens;
import dev.serval.examples.osp.call.TextTokens;
import dev.serval.examples.osp.call.TokenKey;
import dev.serval.examples.osp.call.Tokens;
import dev.serval.examples.osp.call.Transactions;
import dev.serval.examples.osp.message.MessageLimits;
import dev.serval.examples.osp.message.MessageReader;
import dev.serval.examples.osp.message.OspTime;
import dev.serval.examples.osp.record.DatabaseStore;
import dev.serval.examples.osp.record.FileStore;
import dev.serval.examples.osp.record.RecordStore;
import dev.serval.examples.osp.record.RecordWriter;
import dev.serval.lrwp.peer.LrwpPeer;
import dev.serval.lrwp.peer.PeerLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// A running OSP server. [#close] answers the requests in progress, stores their records and leaves.
public final class OspServer implements AutoCloseable {
    /// The most records that wait to be stored.
    static final int WAITING_RECORDS_MAX = 10_000;

    /// The records that the page shows.
    static final int RECENT_RECORDS = 50;

    /// The answers that are kept to recognise repeated messages.
    static final int DUPLICATES_MAX = 100_000;

    /// The characters of these answers.
    static final long DUPLICATES_MAX_CHARS = 32L << 20;

    /// The authorisations that are kept for ReauthorizationRequest.
    static final int TRANSACTIONS_MAX = 50_000;

    private final LrwpPeer peer;
    private final RecordWriter records;
    private final CallCounts counts;

    private OspServer(LrwpPeer peer, RecordWriter records, CallCounts counts) {
        this.peer = peer;
        this.records = records;
        this.counts = counts;
    }

    /// Starts a server with the options of a command line.
    ///
    /// @param arguments as for the command line, such as `--routes FILE`
    /// @throws IllegalArgumentException if an option is wrong
    /// @throws IOException if a file or the database cannot be used; the message is for people
    public static OspServer start(List<String> arguments) throws IOException {
        return start(OspOptions.parse(arguments), Clock.systemUTC());
    }

    static OspServer start(OspOptions options, InstantSource clock) throws IOException {
        RouteTable routes = routes(options.routes());
        Files.createDirectories(options.state());
        MessageReader reader = new MessageReader(MessageLimits.STANDARD);
        RandomGenerator random = new SharedRandom();
        ClientSignatures clients =
                ClientSignatures.of(options.signatures(), options.clientCertificates(), clock);
        TokenKey key =
                TokenKey.open(options.state(), options.key(), new SecureRandom(), clock.instant());
        Tokens tokens =
                switch (options.tokens()) {
                    case SIGNED -> new SignedTokens(key, reader);
                    case TEXT -> new TextTokens(random);
                };
        OspTime time = new OspTime(clock);
        RecordWriter records =
                new RecordWriter(store(options), WAITING_RECORDS_MAX, RECENT_RECORDS);
        CallSettings standard = CallSettings.STANDARD;
        CallService service =
                new CallService(
                        new CallSettings(
                                options.validSeconds(),
                                standard.toleranceSeconds(),
                                options.timestampMaxSeconds(),
                                standard.destinationsMax(),
                                standard.storeMaxMillis()),
                        time,
                        routes,
                        new CallService.Memory(
                                new Duplicates(DUPLICATES_MAX, DUPLICATES_MAX_CHARS),
                                new Transactions(TRANSACTIONS_MAX, time.second(), random),
                                random),
                        tokens,
                        records);
        CallCounts counts = new CallCounts(records::written);
        counts.start();
        StatusPage page = new StatusPage(routes, records, counts, tokens.form());
        OspHandler handler =
                new OspHandler(
                        reader,
                        service,
                        counts,
                        page,
                        new OspHandler.Signatures(clients, new AnswerSigner(key, random)),
                        random);
        try {
            return new OspServer(peer(options, handler), records, counts);
        } catch (IOException | RuntimeException e) {
            records.close(); // unlocks the file
            counts.close();
            throw e;
        }
    }

    private static LrwpPeer peer(OspOptions options, OspHandler handler) throws IOException {
        LrwpPeer.Builder builder =
                LrwpPeer.builder()
                        .agent(options.agentHost(), options.agentPort())
                        .register(options.name())
                        .host(options.host())
                        .connections(options.connections())
                        .limits(
                                PeerLimits.STANDARD.with(draft ->
                                        draft.bodyMemoryMaxBytes =
                                                MessageLimits.STANDARD.messageMaxBytes()))
                        .handler(handler);
        Path passphrase = options.passphraseFile();
        if (passphrase != null) {
            builder.passphrase(passphrase(passphrase));
        }
        return builder.start();
    }

    /// Returns the first line of a file as it is, as the agent of Serval reads it.
    private static byte[] passphrase(Path file) throws IOException {
        byte[] all;
        try {
            all = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new IOException("The passphrase file " + file + " does not exist.", e);
        }
        int end = 0;
        while (end < all.length && all[end] != '\n' && all[end] != '\r') {
            end++;
        }
        if (end == 0) {
            throw new IOException(
                    "The first line of the passphrase file " + file + " has no passphrase.");
        }
        return Arrays.copyOf(all, end);
    }

    private static RouteTable routes(Path file) throws IOException {
        try {
            return RouteReader.read(file);
        } catch (RouteFileException e) {
            throw new IOException(e.getMessage(), e);
        } catch (NoSuchFileException e) {
            throw new IOException("The route file " + file + " does not exist: create it.", e);
        }
    }

    private static RecordStore store(OspOptions options) throws IOException {
        String database = options.database();
        return database == null
                ? new FileStore(options.state().resolve("records.tsv"), options.sync())
                : new DatabaseStore(database);
    }

    /// Returns the connections to the agent.
    public LrwpPeer peer() {
        return peer;
    }

    /// Returns the number of messages since the start.
    public long messages() {
        return counts.totals().messages();
    }

    /// Returns the number of records that were stored since the start.
    public long recordsWritten() {
        return records.written();
    }

    /// Returns the counts since the start as a line of the log.
    String summary() {
        return CallCounts.line(new CallCounts.Totals(0, 0, 0, 0), counts.totals())
                .replace("calls per minute", "calls in all");
    }

    @Override
    public void close() {
        peer.close();
        records.close();
        counts.close();
    }
}
