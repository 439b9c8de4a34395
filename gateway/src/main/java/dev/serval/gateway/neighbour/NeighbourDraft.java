package dev.serval.gateway.neighbour;

import dev.serval.gateway.peer.PoolLimits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The settings of a neighbour while they are chosen, at first the usual ones: for programs and
/// configuration files. [NeighbourSyntax] fills it from an address with options. [#build] checks
/// all, and names each setting that is wrong. Used by one thread.
///
/// ```java
/// var http = new KindDraft.Http();
/// http.check = "/health";
/// var draft = new NeighbourDraft(http);
/// draft.addresses.add(new NeighbourDraft.Address("10.0.0.1:9000").weight(3));
/// draft.addresses.add(new NeighbourDraft.Address("10.0.0.2:9000"));
/// NeighbourDraft.Result result = draft.build();
/// ```
public final class NeighbourDraft {
    /// The protocol and its settings.
    public final KindDraft kind;

    /// At least one address, all of the same application.
    public final List<Address> addresses = new ArrayList<>();

    /// How the neighbour is called for people; null for its addresses.
    public @Nullable String text;

    /// Open connections to each address; null for the usual number of the protocol.
    public @Nullable Integer connections;

    public int queue = PoolLimits.DIAL_OUT.queueMax();
    public long queueNanos = PoolLimits.DIAL_OUT.queueNanos();
    public long connectNanos = PoolLimits.DIAL_OUT.connectNanos();
    public long answerNanos = PoolLimits.DIAL_OUT.answerNanos();
    public long idleNanos = PoolLimits.DIAL_OUT.idleNanos();
    public boolean halfClose;

    /// Creates the draft of a neighbour without addresses.
    public NeighbourDraft(KindDraft kind) {
        this.kind = kind;
    }

    /// An address with its part of the requests. Immutable.
    ///
    /// @param text `HOST:PORT`, or `unix:FILE`; for HTTP also `HOST`
    /// @param weight from 0 to 1000; 0 for no new requests
    /// @param backup whether it is used only while no other address is up
    /// @param route the end of the application's session ids, such as Tomcat's jvmRoute; null for none
    public record Address(String text, int weight, boolean backup, @Nullable String route) {
        /// Creates an address with the weight 1.
        public Address(String text) {
            this(text, 1, false, null);
        }

        /// Returns a copy with another weight.
        public Address weight(int next) {
            return new Address(text, next, backup, route);
        }

        /// Returns a copy that is a backup.
        public Address asBackup() {
            return new Address(text, weight, true, route);
        }

        /// Returns a copy with a route.
        public Address route(String next) {
            return new Address(text, weight, backup, next);
        }
    }

    /// What building gives.
    public sealed interface Result {}

    /// Settings that are right.
    public record Built(Neighbour neighbour) implements Result {}

    /// Settings of which at least one is wrong.
    public record Refused(List<Problem> problems) implements Result {}

    /// Checks the settings. Reads the name service, and the folders that settings name.
    public Result build() {
        return build(new Problems());
    }

    /// Checks the settings.
    ///
    /// @param problems that were found before
    Result build(Problems problems) {
        @Nullable Neighbour built = new NeighbourCheck(this, problems).build();
        return built != null ? new Built(built) : new Refused(problems.all());
    }
}
