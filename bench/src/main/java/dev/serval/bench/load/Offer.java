package dev.serval.bench.load;

/// What an [OpenLoad] offers to a server for a time: so many requests per second at planned instants,
/// or so many users, each of whom sends its next request when the last one has ended.
///
/// @param perSecond mean rate of an open loop; 0 for users
/// @param users users of a closed loop; 0 for an open loop
public record Offer(double perSecond, int users, long nanos) {
    /// Rejects an offer of neither or both.
    public Offer {
        if (perSecond > 0 == users > 0) {
            throw new IllegalArgumentException("An offer has a rate or users");
        }
    }

    /// Returns an offer at planned instants.
    public static Offer open(double perSecond, double seconds) {
        return new Offer(perSecond, 0, Math.round(seconds * 1e9));
    }

    /// Returns an offer of users.
    public static Offer closed(int users, double seconds) {
        return new Offer(0, users, Math.round(seconds * 1e9));
    }

    /// Returns the time in seconds.
    public double seconds() {
        return nanos / 1e9;
    }
}
