package dev.serval.gateway.spool;

import static org.assertj.core.api.Assertions.assertThat;

/// Stands for contents of other requests that wait. Stateless.
public final class OtherContents {
    private OtherContents() {}

    /// Takes so many bytes of the space for files.
    public static void fill(SpoolQuota quota, long bytes) {
        assertThat(quota.takeDisk(bytes)).as("there was space").isTrue();
    }

    /// Gives bytes back that [#fill] took.
    public static void free(SpoolQuota quota, long bytes) {
        quota.giveDisk(bytes);
    }
}
