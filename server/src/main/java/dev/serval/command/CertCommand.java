package dev.serval.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// `serval cert dev`: makes a certificate for development with the JDK's keytool. Used once, by the main
/// thread.
///
/// @param names in addition to those of this machine
record CertCommand(List<String> names) implements Invocation {
    private static final String CERTIFICATE = "cert.pem";
    private static final String KEY = "key.pem";
    private static final String ALIAS = "dev";
    private static final String PASSPHRASE = "SERVAL_STORE_PASSPHRASE";
    private static final int PASSPHRASE_BYTES = 24;
    private static final int PATIENCE_SECONDS = 60;

    /// Copies the names.
    CertCommand {
        names = List.copyOf(names);
    }

    @Override
    public int carryOut(PrintStream out, PrintStream err) {
        return carryOut(Path.of("").toAbsolutePath(), out, err);
    }

    /// Makes the files in a folder.
    int carryOut(Path folder, PrintStream out, PrintStream err) {
        Path certificate = folder.resolve(CERTIFICATE);
        Path key = folder.resolve(KEY);
        try {
            for (Path file : List.of(certificate, key)) {
                if (Files.exists(file)) {
                    throw new FileAlreadyExistsException(file.toString());
                }
            }
            make(certificate, key);
        } catch (FileAlreadyExistsException e) {
            err.println(
                    "serval: "
                            + e.getFile()
                            + " exists: remove it first, or go to another folder.");
            return ENVIRONMENT;
        } catch (FileSystemException e) {
            String reason =
                    e.getReason() == null // it is in the class of the exception
                            ? "its folder does not exist, or this user may not write there"
                            : e.getReason();
            err.println("serval: " + e.getFile() + " cannot be written: " + reason + ".");
            return ENVIRONMENT;
        } catch (IOException | GeneralSecurityException e) {
            err.println("serval: The certificate cannot be made: " + e.getMessage());
            return ENVIRONMENT;
        }
        out.println("Made " + CERTIFICATE + " and " + KEY + ", for " + String.join(", ", all()));
        out.println("Only this user can read " + KEY + ". The certificate is valid for a year.");
        out.println("Try it: serval run --tls " + CERTIFICATE + "," + KEY);
        return OK;
    }

    private List<String> all() {
        List<String> all = new ArrayList<>(List.of("localhost", "127.0.0.1", "::1"));
        names.stream().filter(name -> !all.contains(name)).forEach(all::add);
        return all;
    }

    private void make(Path certificate, Path key) throws IOException, GeneralSecurityException {
        Path folder = Files.createTempDirectory("serval-cert");
        Path store = folder.resolve("store.p12");
        try {
            byte[] random = new byte[PASSPHRASE_BYTES];
            new SecureRandom().nextBytes(random);
            String passphrase = Base64.getUrlEncoder().encodeToString(random);
            keytool(store, passphrase);
            write(store, passphrase.toCharArray(), certificate, key);
        } finally {
            Files.deleteIfExists(store);
            Files.delete(folder);
        }
    }

    private void keytool(Path store, String passphrase) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-validity",
                        "365",
                        "-dname",
                        "CN=Serval development",
                        "-ext",
                        "san=" + alternativeNames(),
                        "-ext",
                        "eku=serverAuth",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass:env",
                        PASSPHRASE);
        builder.environment().put(PASSPHRASE, passphrase);
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException("keytool of the JDK says: " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("it was interrupted", e);
        }
    }

    private String alternativeNames() {
        List<String> parts = new ArrayList<>();
        for (String name : all()) {
            boolean address = name.contains(":") || name.matches("[0-9.]+");
            parts.add((address ? "ip:" : "dns:") + name);
        }
        return String.join(",", parts);
    }

    private static void write(Path store, char[] passphrase, Path certificate, Path key)
            throws IOException, GeneralSecurityException {
        KeyStore opened = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            opened.load(in, passphrase);
        }
        @Nullable Key secret = opened.getKey(ALIAS, passphrase);
        if (secret == null) {
            throw new IOException("keytool of the JDK has made no key");
        }
        write(key, "PRIVATE KEY", secret.getEncoded(), "rw-------");
        write(certificate, "CERTIFICATE", opened.getCertificate(ALIAS).getEncoded(), "rw-r--r--");
    }

    /// Writes a PEM block (RFC 7468) to a new file, which has its permissions from the start.
    private static void write(Path file, String label, byte[] bytes, String permissions)
            throws IOException {
        FileAttribute<?> mode =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
        String text =
                "-----BEGIN "
                        + label
                        + "-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
                        + "\n-----END "
                        + label
                        + "-----\n";
        try (var channel =
                        Files.newByteChannel(
                                file,
                                Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                                mode);
                OutputStream out = Channels.newOutputStream(channel)) {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        }
    }
}
