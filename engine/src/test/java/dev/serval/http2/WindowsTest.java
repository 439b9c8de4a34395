package dev.serval.http2;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checks windows, settings and states of streams.
final class WindowsTest {
    @Test
    void windowIsSpentAndGranted() {
        FlowWindow window = new FlowWindow(10);
        assertThat(window.spend(10)).isTrue();
        assertThat(window.spend(1)).isFalse();
        assertThat(window.grant(3)).isTrue();
        assertThat(window.left()).isEqualTo(2);
        assertThat(window.grant(-5)).isTrue();
        assertThat(window.left()).isEqualTo(-3);
        assertThat(window.grant(FlowWindow.MAX)).isTrue();
        assertThat(window.grant(4)).isFalse();
    }

    @Test
    void receivedBytesAreGrantedAgainByTheQuarter() {
        ReceiveWindow window = new ReceiveWindow(100, 1000);
        assertThat(window.spend(100)).isTrue();
        assertThat(window.take(24, false)).isZero();
        assertThat(window.take(1, false)).isEqualTo(25);
        assertThat(window.spend(25)).isTrue();
        assertThat(window.spend(1)).isFalse();
        window.reset(40, 40);
        assertThat(window.spend(10)).isTrue();
        assertThat(window.take(9, false)).isZero();
        assertThat(window.take(1, false)).isEqualTo(10);
    }

    /// A reader that keeps up leaves at most a quarter unread.
    @Test
    void windowGrowsIfItsReaderKeepsUp() {
        ReceiveWindow window = new ReceiveWindow(100, 350);
        window.spend(50);
        assertThat(window.take(25, false)).isEqualTo(125); // 25 unread, of a window of 200 now
        assertThat(window.size()).isEqualTo(200);
        window.spend(175);
        assertThat(window.take(50, false)).isEqualTo(50); // 150 unread: no growth
        assertThat(window.size()).isEqualTo(200);
        assertThat(window.take(150, false))
                .isEqualTo(300); // all was read: the most that it may have
        assertThat(window.size()).isEqualTo(350);
        assertThat(window.spend(350)).isTrue();
        assertThat(window.take(350, false)).isEqualTo(350);
        assertThat(window.spend(350)).isTrue();
        assertThat(window.spend(1)).isFalse();
    }

    @Test
    void windowShrinksWhileMemoryIsShort() {
        ReceiveWindow window = new ReceiveWindow(100, 400);
        window.spend(100);
        assertThat(window.take(100, true)).isEqualTo(100); // never below its first size
        window.spend(100);
        assertThat(window.take(100, false)).isEqualTo(200);
        window.spend(50);
        assertThat(window.take(50, true)).isZero(); // the client has 150
        assertThat(window.size()).isEqualTo(150);
        window.spend(100);
        assertThat(window.take(100, true)).isEqualTo(50);
        assertThat(window.size()).isEqualTo(100);
    }

    @Test
    void onlyTheLastResetsAreRemembered() {
        RecentResets resets = new RecentResets(200);
        assertThat(resets.has(0, true)).isFalse();
        resets.add(1, true);
        resets.add(3, false);
        assertThat(resets.has(1, true)).isTrue();
        assertThat(resets.has(1, false)).isFalse();
        assertThat(resets.has(3, false)).isTrue();
        for (int i = 0; i < 199; i++) {
            resets.add(5 + 2 * i, true);
        }
        assertThat(resets.has(1, true)).isFalse();
        assertThat(resets.has(3, false)).isTrue();
    }

    @ParameterizedTest(name = "RFC 9113 §6.5.2: {0}={1}")
    @CsvSource({
        "1, 4294967295, none",
        "2, 0, none",
        "2, 1, none",
        "2, 2, PROTOCOL_ERROR",
        "4, 2147483647, none",
        "4, 2147483648, FLOW_CONTROL_ERROR",
        "5, 16383, PROTOCOL_ERROR",
        "5, 16384, none",
        "5, 16777215, none",
        "5, 16777216, PROTOCOL_ERROR",
        "8, 2, PROTOCOL_ERROR",
        "9, 2, PROTOCOL_ERROR",
        "99, 7, none"
    })
    void settingsHaveBounds(int id, long value, String expected) {
        FrameError wrong = new PeerSettings().set(id, value);
        assertThat(wrong == null ? "none" : wrong.code().toString()).isEqualTo(expected);
    }

    @Test
    void settingsApply() {
        PeerSettings settings = new PeerSettings();
        assertThat(settings.window()).isEqualTo(65_535);
        assertThat(settings.tableBytes()).isEqualTo(4096);
        settings.set(Setting.INITIAL_WINDOW_SIZE, 5);
        settings.set(Setting.HEADER_TABLE_SIZE, 4_294_967_295L);
        assertThat(settings.window()).isEqualTo(5);
        assertThat(settings.tableBytes()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void streamsCloseInBothOrders() {
        assertThat(StreamState.OPEN.remoteEnded().localEnded()).isEqualTo(StreamState.CLOSED);
        assertThat(StreamState.OPEN.localEnded().remoteEnded()).isEqualTo(StreamState.CLOSED);
        assertThat(StreamState.OPEN.remoteEnded().isRemoteOpen()).isFalse();
        assertThat(StreamState.OPEN.localEnded().isRemoteOpen()).isTrue();
    }

    @Test
    void prefaceIsCompared() {
        byte[] preface = Preface.bytes();
        assertThat(Preface.same(preface, 0, preface.length)).isEqualTo(24);
        assertThat(Preface.same(preface, 0, 10)).isEqualTo(10);
        preface[20] ^= 1;
        assertThat(Preface.same(preface, 0, preface.length)).isEqualTo(20);
    }
}
