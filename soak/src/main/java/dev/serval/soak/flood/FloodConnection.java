package dev.serval.soak.flood;

import dev.serval.bench.client.AnswerReader;
import dev.serval.bench.client.Conversation;
import dev.serval.bench.client.LoadConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Drives one connection of a flood. It is opened again whenever it ends. Owned by the flood's
/// thread.
final class FloodConnection implements Conversation {

    private static final byte DRIP = 'a';

    private final FloodLoad load;
    private final AnswerReader answers = AnswerReader.dropping();
    private @Nullable LoadConnection connection;
    private ByteBuffer request = ByteBuffer.allocate(0);
    private boolean drips;

    FloodConnection(FloodLoad load) {
        this.load = load;
    }

    @Override
    public void connected(LoadConnection opened) throws IOException {
        answers.reset();
        drips = false;
        connection = opened;
        load.countConnect();
        if (!load.flood().then().reads()) {
            opened.stopReading();
        }
        request = load.nextRequest();
        opened.send(request);
    }

    @Override
    public void sent() throws IOException {
        LoadConnection open = connection;
        if (open == null || drips) {
            return;
        }
        load.countRequest();
        switch (load.flood().then()) {
            case DRIP -> drips = true;
            case RESET -> {
                open.reset();
                ended(null);
            }
            case WRITE_ON -> open.sendLater(request.rewind());
            case HOLD, UNTIL_CLOSED, ANSWERED_ONCE, ASK_AGAIN, READ_NOTHING -> {}
        }
    }

    /// Sends one more byte if the connection has sent its first bytes.
    void drip() {
        LoadConnection open = connection;
        if (open == null || !drips) {
            return;
        }
        try {
            open.send(ByteBuffer.wrap(new byte[] {DRIP}));
        } catch (IOException e) {
            open.close();
            ended(e);
        }
    }

    @Override
    public void received(ByteBuffer in) throws IOException {
        LoadConnection open = connection;
        Flood.Then then = load.flood().then();
        if (open == null || (then != Flood.Then.ASK_AGAIN && then != Flood.Then.ANSWERED_ONCE)) {
            return;
        }
        int whole = 0;
        while (answers.take(in)) {
            whole++;
        }
        load.countAnswers(whole);
        if (whole > 0 && then == Flood.Then.ANSWERED_ONCE) {
            open.close();
            ended(null);
        } else if (whole > 0) {
            request = load.nextRequest();
            open.send(request);
        }
    }

    @Override
    public void ended(@Nullable IOException cause) {
        if (connection == null) {
            load.failed(this);
        } else {
            connection = null;
            load.ended(this);
        }
    }
}
