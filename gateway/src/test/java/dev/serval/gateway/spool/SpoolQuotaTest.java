package dev.serval.gateway.spool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SpoolQuotaTest {
    private final SpoolQuota quota = new SpoolQuota(SpoolLimits.DEFAULT.withDiskMaxBytes(100));

    @Test
    void answersLeaveAQuarterToContents() {
        assertThat(quota.takeDiskOfAnswer(75)).isTrue();
        assertThat(quota.takeDiskOfAnswer(1)).isFalse();
        assertThat(quota.takeDisk(25)).isTrue();
        assertThat(quota.takeDisk(1)).isFalse();
        quota.giveDiskOfAnswer(75);
        assertThat(quota.diskBytes()).isEqualTo(25);
        assertThat(quota.takeDiskOfAnswer(75)).isTrue();
    }

    @Test
    void contentsMayTakeAll() {
        assertThat(quota.takeDisk(100)).isTrue();
        assertThat(quota.takeDiskOfAnswer(1)).isFalse();
    }

    @Test
    void answerThatIsRefusedTakesNothing() {
        assertThat(quota.takeDisk(100)).isTrue();
        assertThat(quota.takeDiskOfAnswer(75)).isFalse();
        quota.giveDisk(100);
        assertThat(quota.takeDiskOfAnswer(75)).isTrue();
    }
}
