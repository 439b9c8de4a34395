package dev.serval.examples.osp.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.examples.osp.message.MessageLimits;
import dev.serval.examples.osp.message.MessageReader;
import dev.serval.examples.osp.message.OspStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TokensTest {
    private static final TokenContent CONTENT =
            new TokenContent(
                    "14048724799", "1678", "MQ==", 1000, 2000, Long.MIN_VALUE + 5, 14_400, "net");
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

    @TempDir Path folder;

    private SignedTokens signed(Path state, TokenKey.Kind kind) throws IOException {
        return new SignedTokens(
                TokenKey.open(state, kind, new SecureRandom(), NOW),
                new MessageReader(MessageLimits.STANDARD));
    }

    @ParameterizedTest
    @EnumSource(TokenKey.Kind.class)
    void signedTokenIsReadBack(TokenKey.Kind kind) throws IOException {
        SignedTokens tokens = signed(folder, kind);
        Tokens.Checked checked = tokens.check(tokens.issue(CONTENT));
        assertThat(checked.status()).isEqualTo(OspStatus.SUCCESS);
        assertThat(checked.content()).isEqualTo(CONTENT);
    }

    @Test
    void keyIsKeptAndPrivate() throws IOException {
        String token = signed(folder, TokenKey.Kind.EC).issue(CONTENT);
        assertThat(signed(folder, TokenKey.Kind.RSA).check(token).status())
                .isEqualTo(OspStatus.SUCCESS);
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(folder.resolve("token-key.pem"))))
                .isEqualTo("rw-------");
    }

    @Test
    void damagedKeyIsExplained() throws IOException {
        signed(folder, TokenKey.Kind.EC);
        Files.writeString(folder.resolve("token-key.pem"), "-----BEGIN PRIVATE KEY-----\nAAAA\n");
        assertThatThrownBy(() -> signed(folder, TokenKey.Kind.EC))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("remove token-key.pem");
    }

    @Test
    void tokenOfAnotherKeyIsRefused(@TempDir Path other) throws IOException {
        String token = signed(other, TokenKey.Kind.EC).issue(CONTENT);
        assertThat(signed(folder, TokenKey.Kind.EC).check(token).status())
                .isEqualTo(OspStatus.CERTIFICATE_INVALID);
    }

    @Test
    void changedTokenIsRefused() throws IOException {
        SignedTokens tokens = signed(folder, TokenKey.Kind.RSA);
        byte[] token = Base64.getDecoder().decode(tokens.issue(CONTENT));
        String text = new String(token, StandardCharsets.ISO_8859_1);
        int at = text.indexOf("1678");
        assertThat(at).isPositive();
        token[at] = '9';
        assertThat(tokens.check(Base64.getEncoder().encodeToString(token)).status())
                .isEqualTo(OspStatus.SIGNATURE_INVALID);
    }

    @Test
    void randomChangesNeverGiveAnotherContent() throws IOException {
        SignedTokens tokens = signed(folder, TokenKey.Kind.EC);
        byte[] token = Base64.getDecoder().decode(tokens.issue(CONTENT));
        Random random = new Random(1);
        for (int i = 0; i < 500; i++) {
            byte[] changed = token.clone();
            changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
            Tokens.Checked checked = tokens.check(Base64.getEncoder().encodeToString(changed));
            if (checked.status() == OspStatus.SUCCESS) {
                assertThat(checked.content()).isEqualTo(CONTENT);
            } else {
                assertThat(checked.content()).isNull();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "!", "MQ==", "VjoxCg=="})
    void whatIsNoTokenIsRefused(String base64) throws IOException {
        assertThat(signed(folder, TokenKey.Kind.EC).check(base64).content()).isNull();
        assertThat(new TextTokens(new Random(1)).check(base64).status())
                .isEqualTo(OspStatus.SECURITY_PROBLEM);
    }

    @Test
    void textTokenHasTheLinesOfItsForm() {
        TextTokens tokens = new TextTokens(new Random(1));
        String token = tokens.issue(CONTENT);
        assertThat(new String(Base64.getDecoder().decode(token), StandardCharsets.UTF_8).lines())
                .contains(
                        "V=1",
                        "c=14048724799",
                        "C=1678",
                        "i=MQ==",
                        "a=1970-01-01T00:16:40Z",
                        "u=1970-01-01T00:33:20Z",
                        "I=9223372036854775813",
                        "A=14400",
                        "e=net");
        assertThat(tokens.check(token).content()).isEqualTo(CONTENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x=1\n", "V=1\nC=1\n", "C=1\na=x\nu=x\n", "no equals", "C=1\nI=x\n"})
    void textTokenWithUnknownOrMissingLinesIsRefused(String text) {
        String base64 = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        assertThat(new TextTokens(new Random(1)).check(base64).content()).isNull();
    }

    @Test
    void unsignedTokenIsRefusedWhereSignedOnesAreUsed() throws IOException {
        String text = new TextTokens(new Random(1)).issue(CONTENT);
        assertThat(signed(folder, TokenKey.Kind.EC).check(text).content()).isNull();
    }
}
