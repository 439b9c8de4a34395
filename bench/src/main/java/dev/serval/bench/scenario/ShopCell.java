package dev.serval.bench.scenario;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Protocol;
import dev.serval.bench.report.Published;
import dev.serval.bench.report.Verdict;
import java.util.List;

/// Lets browsers use the example shop on each server, and searches for the most users of whom a share
/// have their answer in time.
///
/// @param protocol by which the browsers ask, HTTP/1.1 in the clear or over TLS
/// @param mix what the users do
/// @param database where the shop keeps its rows
/// @param thinkSeconds the mean time between an answer and the next interaction
/// @param thinkMaxSeconds the longest such time; 0 for none
/// @param workThousands thousands of steps that each page calculates in addition, each of about 2 ns
/// @param connections of a browser
/// @param answerSeconds the time for a page with all its images
/// @param share of the interactions that must have their answer in that time
/// @param firstUsers the users with which the search begins
/// @param usersMax the most users that are tried
/// @param quick the extent of a quick run
/// @param usual the extent by default
/// @param paper the extent in the paper's form
/// @param gates the limits of the verdict
/// @param published figures of a paper
public record ShopCell(
        String name,
        String title,
        List<String> peers,
        Protocol protocol,
        Mix mix,
        Store database,
        double thinkSeconds,
        double thinkMaxSeconds,
        int workThousands,
        int connections,
        double answerSeconds,
        double share,
        int firstUsers,
        int usersMax,
        Extent quick,
        Extent usual,
        Extent paper,
        Gates gates,
        List<Published> published)
        implements Cell.OfServers {
    /// What users do, by the published shares.
    public enum Mix {
        BROWSING,
        SHOPPING,
        ORDERING
    }

    /// The shop's database.
    public enum Store {
        /// A server on the client's CPUs.
        POSTGRESQL,
        /// A library in the web server's process.
        H2
    }

    /// What the subject must keep.
    ///
    /// @param users the lowest users of the subject ÷ the best other server's; 0 for no limit
    /// @param aimUsers the same ratio that we want to reach; 0 for none
    /// @param p90 of the time in which 90 % of the interactions have their answer
    /// @param memory of the resident memory
    public record Gates(double users, double aimUsers, Limit p90, Limit memory) {}

    /// A limit of the subject's figure ÷ that of another server with the same users.
    ///
    /// @param gate the highest ratio; 0 for no limit
    /// @param spread the share by which a single trial may be beyond the gate by chance
    /// @param aim the ratio that we want to reach
    public record Limit(double gate, double spread, double aim) {
        /// Compares two figures of which the lower is the better one.
        public Verdict verdict(double own, double other) {
            if (own > gate * (1 + spread) * other) {
                return gate == 0 ? Verdict.NONE : Verdict.FAIL;
            }
            return own > aim * other ? Verdict.MISS : Verdict.PASS;
        }
    }

    /// How much and how long.
    ///
    /// @param sessionSeconds the mean length of a session; none is longer than four times that
    /// @param warmUpSeconds between a new number of users and the measurement
    /// @param seconds of a measurement
    /// @param halvings measurements between the last number of users that passed and the first that
    ///     did not
    public record Extent(
            int books,
            int customers,
            int sessionSeconds,
            int warmUpSeconds,
            int seconds,
            int halvings) {
        /// Rejects an extent that cannot be measured.
        public Extent {
            boolean positive = books >= 10 && customers > 0 && sessionSeconds > 0 && seconds > 0;
            if (!positive || warmUpSeconds < 0 || halvings < 0) {
                throw new BenchFailure("the extent of a shop must be positive, with 10 books");
            }
        }
    }

    /// Rejects users that cannot be made.
    public ShopCell {
        boolean patient = thinkSeconds > 0 && thinkMaxSeconds >= 0 && answerSeconds > 0;
        boolean counted = connections > 0 && firstUsers > 0 && usersMax >= firstUsers;
        if (!patient || !counted || workThousands < 0 || !(share > 0 && share <= 1)) {
            throw new BenchFailure(name + ": counts and times must be positive, a share up to 1");
        }
        BenchFailure.require(
                !protocol.hasStreams(), name + ": the browsers do not speak " + protocol.key());
    }

    /// Returns the extent of a run with these settings.
    public Extent extent(Settings settings) {
        if (settings.paper()) {
            return paper;
        }
        return settings.seconds() < Settings.FULL.seconds() ? quick : usual;
    }
}
