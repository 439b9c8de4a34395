package dev.serval.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

final class ReasonTest {
    @Test
    void pathAloneIsNoReason() {
        assertThat(Reason.of(new AccessDeniedException("/srv/acme")))
                .startsWith("This user may not use /srv/acme: change the owner or the rights");
        assertThat(Reason.of(new NoSuchFileException("/srv/acme")))
                .isEqualTo("/srv/acme or its folder does not exist: create it");
        assertThat(Reason.of(new FileAlreadyExistsException("/srv/acme")))
                .isEqualTo("/srv/acme exists already, and is no folder");
        assertThat(Reason.of(new FileSystemLoopException("/srv/acme")))
                .isEqualTo("java.nio.file.FileSystemLoopException: /srv/acme");
    }

    @Test
    void messageIsTheReasonOtherwise() {
        assertThat(Reason.of(new FileSystemException("/srv/acme", null, "No space left")))
                .isEqualTo("/srv/acme: No space left");
        assertThat(Reason.of(new IOException("It is full"))).isEqualTo("It is full");
        assertThat(Reason.of(new IllegalStateException()))
                .isEqualTo("java.lang.IllegalStateException");
    }
}
