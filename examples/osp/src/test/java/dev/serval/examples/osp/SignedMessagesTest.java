package dev.serval.examples.osp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.examples.osp.call.TokenKey;
import dev.serval.lrwp.peer.ScriptedAgent;
import dev.serval.lrwp.peer.ScriptedAgent.Line;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoGeneratorBuilder;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Signed messages and signed answers of the whole server.
@Timeout(120)
final class SignedMessagesTest {
    private static final String TYPE =
            "multipart/signed; protocol=\"application/pkcs7-signature\"; micalg=sha1; boundary=bar";

    @TempDir Path folder;
    private ScriptedAgent agent;
    private Path routes;

    /// A key with its certificate.
    private record Signer(PrivateKey key, X509Certificate certificate) {
        static Signer of(TokenKey key) {
            return new Signer(key.privateKey(), key.certificate());
        }

        /// Signs without the content inside, as the toolkit does.
        byte[] sign(byte[] content, String algorithm) throws Exception {
            CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
            generator.addSignerInfoGenerator(
                    new JcaSimpleSignerInfoGeneratorBuilder()
                            .setDirectSignature(true)
                            .build(algorithm, key, certificate));
            generator.addCertificate(new JcaX509CertificateHolder(certificate));
            return generator.generate(new CMSProcessableByteArray(content), false).getEncoded();
        }
    }

    @BeforeEach
    void listen() throws IOException {
        agent = new ScriptedAgent();
        routes = Files.writeString(folder.resolve("routes.txt"), "route 1678 [1.1.1.1]\n");
    }

    @AfterEach
    void close() throws IOException {
        agent.close();
    }

    private OspServer start(String... more) throws IOException {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--agent",
                                "127.0.0.1:" + agent.port(),
                                "--routes",
                                routes.toString(),
                                "--state",
                                folder.resolve("state").toString(),
                                "--connections",
                                "1",
                                "--tokens",
                                "text"));
        arguments.addAll(List.of(more));
        return OspServer.start(arguments);
    }

    private TokenKey key(String name, TokenKey.Kind kind) throws IOException {
        return TokenKey.open(folder.resolve(name), kind, new SecureRandom(), Instant.now());
    }

    private Path certificate(String name) {
        return folder.resolve(name).resolve("token-certificate.pem");
    }

    private static byte[] message(int id) {
        return ("<?xml version=\"1.0\"?><Message messageId=\""
                        + id
                        + "\" random=\"1\"><AuthorizationRequest componentId=\"76\"><CallId"
                        + " encoding=\"base64\">MQ==</CallId><SourceInfo type=\"e164\">1404"
                        + "</SourceInfo><DestinationInfo type=\"e164\">1678</DestinationInfo>"
                        + "</AuthorizationRequest></Message>")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /// Returns a body as the toolkit writes it.
    private static byte[] body(byte[] message, byte[] signature) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        part(out, "text/plain", message);
        part(out, "application/pkcs7-signature", signature);
        out.writeBytes("\r\n--bar--\r\n".getBytes(StandardCharsets.US_ASCII));
        return out.toByteArray();
    }

    private static void part(ByteArrayOutputStream out, String type, byte[] content) {
        String head =
                "\r\n--bar\r\nContent-Type: "
                        + type
                        + "\r\nContent-Length: "
                        + content.length
                        + "\r\n\r\n";
        out.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(content);
        out.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] ask(Line line, String type, byte[] body) throws IOException {
        line.send(
                ScriptedAgent.request(
                        Map.of(
                                "REQUEST_METHOD",
                                "POST",
                                "CONTENT_TYPE",
                                type,
                                "REMOTE_ADDR",
                                "127.0.0.1"),
                        body));
        return line.answer();
    }

    /// An answer of the server.
    @SuppressWarnings("ArrayRecordComponent") // never changed
    private record Answer(String type, byte[] body) {
        static Answer of(byte[] output) {
            String text = new String(output, StandardCharsets.ISO_8859_1);
            int end = text.indexOf("\r\n\r\n");
            String type =
                    text.substring(0, end)
                            .lines()
                            .filter(line -> line.startsWith("Content-Type: "))
                            .map(line -> line.substring("Content-Type: ".length()))
                            .findFirst()
                            .orElseThrow();
            return new Answer(type, text.substring(end + 4).getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static String signedAnswer(Line line, byte[] body) throws IOException {
        Answer answer = Answer.of(ask(line, TYPE, body));
        return text(
                Objects.requireNonNull(SignedBody.read(answer.type(), answer.body())).message());
    }

    @Test
    void signedMessageGetsASignedAnswerAlsoIfNothingIsChecked() throws Exception {
        byte[] placeholder = "Signature placeholder".getBytes(StandardCharsets.US_ASCII);
        try (OspServer _ = start();
                Line line = agent.acceptAndRegister()) {
            for (int i = 0; i < 300; i++) { // one signature of 43 ends with white space
                Answer answer = Answer.of(ask(line, TYPE, body(message(i), placeholder)));
                assertThat(answer.type()).startsWith("multipart/signed; protocol=\"application/");
                SignedBody signed =
                        Objects.requireNonNull(SignedBody.read(answer.type(), answer.body()));
                assertThat(text(signed.message()))
                        .contains("<Message messageId=\"" + i + "\"", "<Code>200</Code>")
                        .endsWith("</Message>");
                byte last = signed.signature()[signed.signature().length - 1];
                assertThat(" \t\n\u000b\f\r").doesNotContain(String.valueOf((char) (last & 0xFF)));
                assertVerifies(signed);
            }
        }
    }

    private void assertVerifies(SignedBody signed) throws Exception {
        X509Certificate server =
                (X509Certificate)
                        CertificateFactory.getInstance("X.509")
                                .generateCertificate(
                                        new ByteArrayInputStream(
                                                Files.readAllBytes(certificate("state"))));
        CMSSignedData data = new CMSSignedData(signed.signature());
        ByteArrayOutputStream inside = new ByteArrayOutputStream();
        Objects.requireNonNull(data.getSignedContent()).write(inside);
        assertThat(inside.toByteArray()).isEqualTo(signed.message());
        for (SignerInformation signer : data.getSignerInfos()) {
            assertThat(signer.verify(new JcaSimpleSignerInfoVerifierBuilder().build(server)))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"MD5withRSA", "SHA1withRSA", "SHA256withRSA", "SHA512withRSA"})
    void signatureOfAKnownClientIsRight(String algorithm) throws Exception {
        Signer client = Signer.of(key("client", TokenKey.Kind.RSA));
        try (OspServer _ =
                        start(
                                "--signatures",
                                "required",
                                "--client-certificates",
                                certificate("client").toString());
                Line line = agent.acceptAndRegister()) {
            byte[] message = message(1);
            byte[] right = body(message, client.sign(message, algorithm));
            assertThat(signedAnswer(line, right)).contains("<Code>200</Code>");
            byte[] other = body(message(2), client.sign(message, algorithm));
            assertThat(signedAnswer(line, other)).contains("<Code>421</Code>");
        }
    }

    @Test
    void wrongSignaturesHaveTheirStatus() throws Exception {
        key("client", TokenKey.Kind.EC);
        Signer stranger = Signer.of(key("stranger", TokenKey.Kind.EC));
        byte[] message = message(1);
        byte[] placeholder = "Signature placeholder".getBytes(StandardCharsets.US_ASCII);
        try (OspServer server =
                        start(
                                "--signatures",
                                "checked",
                                "--client-certificates",
                                certificate("client").toString());
                Line line = agent.acceptAndRegister()) {
            byte[] foreign = body(message, stranger.sign(message, "SHA256withECDSA"));
            assertThat(signedAnswer(line, foreign))
                    .contains("<AuthorizationResponse componentId=\"76\">", "<Code>423</Code>")
                    .doesNotContain("<Destination>");
            assertThat(signedAnswer(line, body(message, placeholder))).contains("<Code>420</Code>");
            assertThat(text(ask(line, "text/plain", message(2))))
                    .as("a message without a signature")
                    .contains("<Code>200</Code>");
            assertThat(server.messages()).isEqualTo(3);
        }
    }

    @Test
    void messageWithoutASignatureIsRefusedIfOneIsRequired() throws Exception {
        key("client", TokenKey.Kind.EC);
        try (OspServer _ =
                        start(
                                "--signatures",
                                "required",
                                "--client-certificates",
                                certificate("client").toString());
                Line line = agent.acceptAndRegister()) {
            assertThat(text(ask(line, "text/plain", message(2))))
                    .startsWith("Content-Type: text/plain")
                    .contains("<Code>420</Code>", "the message must be signed");
        }
    }

    /// S/MIME (RFC 8551 §3.5) signs the whole part.
    @Test
    void signatureMayCoverTheFieldsOfThePart() throws Exception {
        Signer client = Signer.of(key("client", TokenKey.Kind.EC));
        byte[] message = message(1);
        String part = "Content-Type: text/plain\r\nContent-Length: " + message.length + "\r\n\r\n";
        ByteArrayOutputStream signed = new ByteArrayOutputStream();
        signed.writeBytes(part.getBytes(StandardCharsets.US_ASCII));
        signed.writeBytes(message);
        byte[] signature = client.sign(signed.toByteArray(), "SHA256withECDSA");
        try (OspServer _ =
                        start(
                                "--signatures",
                                "checked",
                                "--client-certificates",
                                certificate("client").toString());
                Line line = agent.acceptAndRegister()) {
            assertThat(signedAnswer(line, body(message, signature))).contains("<Code>200</Code>");
        }
    }

    @Test
    void certificateThatAnAuthorityHasIssuedIsTrustedWhileItIsValid() throws Exception {
        TokenKey authority = key("authority", TokenKey.Kind.EC);
        Instant now = Instant.now();
        Signer valid = issued(authority, now.plus(Duration.ofDays(1)));
        Signer over = issued(authority, now.minus(Duration.ofMinutes(1)));
        byte[] message = message(1);
        try (OspServer _ =
                        start(
                                "--signatures",
                                "checked",
                                "--client-certificates",
                                certificate("authority").toString());
                Line line = agent.acceptAndRegister()) {
            byte[] right = body(message, valid.sign(message, "SHA256withECDSA"));
            assertThat(signedAnswer(line, right)).contains("<Code>200</Code>");
            byte[] late = body(message, over.sign(message, "SHA256withECDSA"));
            assertThat(signedAnswer(line, late)).contains("<Code>423</Code>");
        }
    }

    private static Signer issued(TokenKey authority, Instant until) throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
        X509Certificate certificate =
                new JcaX509CertificateConverter()
                        .getCertificate(
                                new JcaX509v3CertificateBuilder(
                                                authority.holder().getSubject(),
                                                BigInteger.TWO,
                                                Date.from(until.minus(Duration.ofDays(2))),
                                                Date.from(until),
                                                new X500Name("CN=gateway"),
                                                pair.getPublic())
                                        .build(
                                                new JcaContentSignerBuilder("SHA256withECDSA")
                                                        .build(authority.privateKey())));
        return new Signer(pair.getPrivate(), certificate);
    }

    @Test
    void whatIsNoSignedMessageGetsAnHttpStatus() throws Exception {
        try (OspServer _ = start();
                Line line = agent.acceptAndRegister()) {
            assertThat(text(ask(line, TYPE, message(1)))).startsWith("Status: 400 ");
            assertThat(text(ask(line, "multipart/mixed; boundary=bar", message(1))))
                    .startsWith("Status: 415 ");
        }
    }

    @Test
    void wrongCertificateFilesAreExplained() throws Exception {
        Path file = Files.writeString(folder.resolve("none.pem"), "");
        assertThatThrownBy(
                        () -> start("--signatures", "checked", "--client-certificates", file + ""))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none.pem has no certificate");
        Files.writeString(file, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        assertThatThrownBy(
                        () -> start("--signatures", "checked", "--client-certificates", file + ""))
                .hasMessageContaining("none.pem cannot be read");
        Files.delete(file);
        assertThatThrownBy(
                        () -> start("--signatures", "checked", "--client-certificates", file + ""))
                .hasMessageContaining("none.pem does not exist: create it.");
    }

    /// The toolkit builds a signed request and verifies the signed answer. Debian's build signs by a
    /// placeholder.
    @Test
    void realToolkitVerifiesTheAnswerToItsSignedMessage() throws Exception {
        ToolkitClient toolkit = ToolkitClient.compile(folder, "osp_signed");
        TokenKey server = key("state", TokenKey.Kind.RSA);
        Path authority =
                Files.write(folder.resolve("server.der"), server.certificate().getEncoded());
        Path message = Files.write(folder.resolve("message.xml"), message(77));
        Path request = folder.resolve("request");
        ToolkitClient.Run signing =
                toolkit.signed(authority, "sign", message.toString(), request.toString());
        assertThat(signing.exit()).as(signing.out()).isZero();
        try (OspServer _ = start();
                Line line = agent.acceptAndRegister()) {
            Answer answer = Answer.of(ask(line, TYPE, Files.readAllBytes(request)));
            assertThat(answer.type()).startsWith("multipart/signed");
            Path body = Files.write(folder.resolve("answer"), answer.body());
            Path proven = folder.resolve("proven.xml");
            ToolkitClient.Run check =
                    toolkit.signed(
                            authority, "check", body.toString(), proven.toString(), answer.type());
            assertThat(check.out()).contains("SignatureVerify 0\n");
            assertThat(check.exit()).isZero();
            assertThat(Files.readString(proven))
                    .contains("<Message messageId=\"77\"", "<Code>200</Code>");
        }
    }
}
