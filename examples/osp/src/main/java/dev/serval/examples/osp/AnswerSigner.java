package dev.serval.examples.osp;

import dev.serval.examples.osp.call.TokenKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoGeneratorBuilder;
import org.bouncycastle.operator.OperatorCreationException;

/// Signs answers, because a client that signs its messages takes only signed answers. Safe for
/// several threads.
final class AnswerSigner {
    private static final int BOUNDARY_BYTES = 12;
    private static final int ATTEMPTS_MAX = 16;
    private static final int VERTICAL_TAB = 0x0B;

    private final TokenKey key;
    private final RandomGenerator random;

    AnswerSigner(TokenKey key, RandomGenerator random) {
        this.key = key;
        this.random = random;
    }

    /// A signed answer.
    ///
    /// @param type its media type with the boundary
    @SuppressWarnings("ArrayRecordComponent") // never changed
    record Signed(String type, byte[] body) {}

    /// Signs a message.
    ///
    /// The OSP toolkit verifies by the content inside the signature, and removes white space from
    /// the end of each part. So the signature contains the message, and a signature that ends with a
    /// byte of white space is made again of another message.
    ///
    /// @param messages returns the message, each time with another attribute `random`
    Signed sign(Supplier<byte[]> messages) {
        for (int i = 0; i < ATTEMPTS_MAX; i++) {
            byte[] message = withoutEnd(messages.get());
            byte[] signature = signature(message);
            if (!isSpace(signature[signature.length - 1])) {
                return multipart(message, signature);
            }
        }
        throw new IllegalStateException(
                "No signature without white space at its end in " + ATTEMPTS_MAX + " attempts");
    }

    private byte[] signature(byte[] message) {
        try {
            CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
            generator.addSignerInfoGenerator(
                    new JcaSimpleSignerInfoGeneratorBuilder()
                            .setDirectSignature(true)
                            .build(key.algorithm(), key.privateKey(), key.certificate()));
            generator.addCertificate(key.holder());
            return generator.generate(new CMSProcessableByteArray(message), true).getEncoded("DER");
        } catch (OperatorCreationException
                | CertificateEncodingException
                | CMSException
                | IOException e) {
            throw new IllegalStateException("an answer could not be signed", e);
        }
    }

    private Signed multipart(byte[] message, byte[] signature) {
        byte[] bytes = new byte[BOUNDARY_BYTES];
        random.nextBytes(bytes);
        String boundary = "osp-" + HexFormat.of().formatHex(bytes);
        ByteArrayOutputStream out =
                new ByteArrayOutputStream(message.length + signature.length + 400);
        part(out, boundary, "text/plain", message);
        part(out, boundary, "application/pkcs7-signature", signature);
        out.writeBytes(("\r\n--" + boundary + "--\r\n").getBytes(StandardCharsets.US_ASCII));
        return new Signed(
                "multipart/signed; protocol=\"application/pkcs7-signature\"; micalg=sha-256;"
                        + " boundary="
                        + boundary,
                out.toByteArray());
    }

    private static void part(
            ByteArrayOutputStream out, String boundary, String type, byte[] content) {
        String head =
                "\r\n--"
                        + boundary
                        + "\r\nContent-Type: "
                        + type
                        + "\r\nContent-Length: "
                        + content.length
                        + "\r\n\r\n";
        out.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(content);
        out.writeBytes(new byte[] {'\r', '\n'});
    }

    private static byte[] withoutEnd(byte[] message) {
        int end = message.length;
        while (end > 0 && isSpace(message[end - 1])) {
            end--;
        }
        return Arrays.copyOf(message, end);
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\n' || b == VERTICAL_TAB || b == '\f' || b == '\r';
    }
}
