package dev.serval.boringssl;

import dev.serval.tls.Credential;
import io.netty.internal.tcnative.SSL;
import io.netty.internal.tcnative.SSLCredential;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;

/// The native form of a credential. Handshakes share it. Any thread.
///
/// @param address where it is
/// @param order its place among others for the same name: the cheapest for a server is first
record KeyMaterial(long address, int order) {
    /// What BoringSSL can sign with, the cheapest first.
    private static final List<String> ALGORITHMS = List.of("EC", "EdDSA", "RSA");

    private static final Base64.Encoder LINES =
            Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    private static int order(Credential credential) throws IOException {
        int order = ALGORITHMS.indexOf(credential.key().getAlgorithm());
        if (order < 0) {
            throw new IOException(
                    "BoringSSL cannot sign with the key of the certificate in "
                            + credential.source()
                            + ", whose kind is "
                            + credential.key().getAlgorithm()
                            + ": use an EC key, or the provider jdk");
        }
        return order;
    }

    /// Makes the native form.
    ///
    /// @throws IOException if BoringSSL cannot use the key or the chain; the message names the file
    static KeyMaterial of(Credential credential) throws IOException {
        int order = order(credential);
        long chain = 0;
        long key = 0;
        long made = 0;
        boolean complete = false;
        try {
            chain = chain(credential.chain());
            key = key(credential.key().getEncoded());
            made = SSLCredential.newX509();
            SSLCredential.setCertChain(made, chain);
            SSLCredential.setPrivateKey(made, key);
            complete = true;
            return new KeyMaterial(made, order);
        } catch (Exception e) { // the binding declares no other
            throw new IOException(
                    "BoringSSL cannot use the key and the certificate in "
                            + credential.source()
                            + ": "
                            + e.getMessage(),
                    e);
        } finally {
            free(chain, key);
            if (!complete && made != 0) {
                free(made);
            }
        }
    }

    private static void free(long chain, long key) {
        if (chain != 0) {
            SSL.freeX509Chain(chain);
        }
        if (key != 0) {
            SSL.freePrivateKey(key);
        }
    }

    /// Frees a native form at an address.
    static void free(long address) {
        try {
            SSLCredential.free(address);
        } catch (Exception e) { // as above
            throw new IllegalStateException("BoringSSL cannot free a key", e);
        }
    }

    private static long chain(List<X509Certificate> certificates) throws Exception {
        long source = pem(certificates);
        try {
            return SSL.parseX509Chain(source);
        } finally {
            SSL.freeBIO(source);
        }
    }

    private static long key(byte[] encoded) throws Exception {
        long source = source(block("PRIVATE KEY", encoded));
        try {
            return SSL.parsePrivateKey(source, null);
        } finally {
            SSL.freeBIO(source);
        }
    }

    /// Returns the address of a native source that has the certificates as PEM, which [SSL#freeBIO]
    /// frees.
    static long pem(List<X509Certificate> certificates) throws Exception {
        StringBuilder text = new StringBuilder();
        for (X509Certificate each : certificates) {
            text.append(block("CERTIFICATE", encoded(each)));
        }
        return source(text.toString());
    }

    private static byte[] encoded(X509Certificate certificate) throws CertificateEncodingException {
        return certificate.getEncoded();
    }

    private static String block(String label, byte[] bytes) {
        return "-----BEGIN "
                + label
                + "-----\n"
                + LINES.encodeToString(bytes)
                + "\n-----END "
                + label
                + "-----\n";
    }

    private static long source(String text) throws Exception {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        long source = SSL.newMemBIO();
        if (SSL.bioWrite(source, Memory.address(buffer), bytes.length) != bytes.length) {
            SSL.freeBIO(source);
            throw new IOException("no memory is left");
        }
        return source;
    }
}
