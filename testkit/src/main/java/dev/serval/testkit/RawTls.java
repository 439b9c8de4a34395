package dev.serval.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// The client's side of TLS 1.3 (RFC 8446) that a test can let break every rule: it seals any message
/// into any record. It offers one suite and one group, and does not check the certificate. A test moves
/// its bytes. Owned by the thread of its test.
///
/// Legal order: [#hello], [#receive] until [#isAgreed], then the rest.
public final class RawTls {
    /// The longest content of a record.
    public static final int CONTENT_MAX_BYTES = 1 << 14;

    /// The types of records (§5.1).
    public static final byte HANDSHAKE = 22;

    /// The type of records with content.
    public static final byte CONTENT = 23;

    private static final byte SERVER_HELLO = 2;
    private static final byte FINISHED = 20;
    private static final byte KEY_UPDATE = 24;
    private static final int HEADER_BYTES = 5;
    private static final int MESSAGE_HEADER_BYTES = 4;
    private static final int HASH_BYTES = 32;
    private static final byte[] ZEROS = new byte[HASH_BYTES];

    /// What comes before a public key of X25519 in its encoded form (RFC 8410 §4).
    private static final byte[] X25519 = HexFormat.of().parseHex("302a300506032b656e032100");

    /// The extensions supported_groups (x25519), signature_algorithms (ECDSA, RSA-PSS and Ed25519),
    /// supported_versions (1.3), and the begin of key_share.
    private static final byte[] EXTENSIONS =
            HexFormat.of()
                    .parseHex(
                            "000a00040002001d"
                                    + "000d00080006040308040807"
                                    + "002b0003020304"
                                    + "003300260024001d0020");

    private final KeyPair pair;
    private final ByteArrayOutputStream transcript = new ByteArrayOutputStream();
    private final ByteArrayOutputStream toSend = new ByteArrayOutputStream();
    private final ByteArrayOutputStream messages = new ByteArrayOutputStream(); // not used yet
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private byte[] received = {};
    private byte[] handshakeSecret = {};
    private Keys own = Keys.NONE;
    private Keys peer = Keys.NONE;
    private boolean agreed;
    private int updates;

    /// Makes a client with a key of its own.
    public RawTls() {
        try {
            pair = KeyPairGenerator.getInstance("X25519").generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The JDK lacks what TLS 1.3 needs", e);
        }
    }

    /// Sends the first message.
    public RawTls hello() {
        byte[] encoded = pair.getPublic().getEncoded();
        int extensions = EXTENSIONS.length + HASH_BYTES;
        ByteBuffer body = ByteBuffer.allocate(2 + HASH_BYTES + 1 + 4 + 2 + 2 + extensions);
        body.putShort((short) 0x0303).put(new byte[HASH_BYTES]).put((byte) 0); // no session
        body.putShort((short) 2).putShort((short) 0x1301); // AES-128-GCM with SHA-256
        body.put((byte) 1).put((byte) 0).putShort((short) extensions);
        body.put(EXTENSIONS).put(encoded, X25519.length, HASH_BYTES);
        byte[] hello = message((byte) 1, body.array());
        transcript.writeBytes(hello);
        toSend.writeBytes(new byte[] {HANDSHAKE, 3, 1, 0, (byte) hello.length});
        toSend.writeBytes(hello);
        return this;
    }

    /// Takes bytes that the server has sent.
    public void receive(byte[] bytes) {
        byte[] all = Arrays.copyOf(received, received.length + bytes.length);
        System.arraycopy(bytes, 0, all, received.length, bytes.length);
        int at = 0;
        while (all.length - at >= HEADER_BYTES && all.length - at >= length(all, at)) {
            int end = at + length(all, at);
            open(Arrays.copyOfRange(all, at, end));
            at = end;
        }
        received = Arrays.copyOfRange(all, at, all.length);
    }

    /// Returns the bytes for the server, and discards them.
    public byte[] toSend() {
        byte[] bytes = toSend.toByteArray();
        toSend.reset();
        return bytes;
    }

    /// Returns whether the handshake is complete on this side.
    public boolean isAgreed() {
        return agreed;
    }

    /// Returns how often the server has changed its keys.
    public int updates() {
        return updates;
    }

    /// Returns the content that has arrived, and discards it.
    public byte[] take() {
        byte[] bytes = content.toByteArray();
        content.reset();
        return bytes;
    }

    // What it sends after the handshake

    /// Sends one record.
    ///
    /// @param type such as [#HANDSHAKE]
    /// @param padding zeros after the content
    public RawTls record(byte type, byte[] bytes, int padding) {
        byte[] plain = Arrays.copyOf(bytes, bytes.length + 1 + padding);
        plain[bytes.length] = type;
        toSend.writeBytes(own.seal(plain));
        return this;
    }

    /// Sends content in one record.
    public RawTls send(byte[] bytes) {
        return record(CONTENT, bytes, 0);
    }

    /// Returns the message KeyUpdate (§4.6.3).
    ///
    /// @param asks whether the server is to change its keys, too
    public static byte[] keyUpdate(boolean asks) {
        return message(KEY_UPDATE, new byte[] {(byte) (asks ? 1 : 0)});
    }

    /// Sends a change of keys, and uses the next.
    ///
    /// @param asks whether the server is to change its keys, too
    public RawTls update(boolean asks) {
        return update(asks, 1);
    }

    /// Sends several changes of keys in one record, which is not legal (§5.1), and uses the last.
    public RawTls update(boolean asks, int times) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < times; i++) {
            all.writeBytes(keyUpdate(asks));
        }
        record(HANDSHAKE, all.toByteArray(), 0);
        for (int i = 0; i < times; i++) {
            nextKeys();
        }
        return this;
    }

    /// Uses the next keys for what it sends from now on, as after a change of them.
    public RawTls nextKeys() {
        own = own.next();
        return this;
    }

    // What it receives

    private static int length(byte[] bytes, int at) {
        return HEADER_BYTES + ((bytes[at + 3] & 0xff) << 8) + (bytes[at + 4] & 0xff);
    }

    private void open(byte[] record) {
        if (record[0] == HANDSHAKE) {
            messages.write(record, HEADER_BYTES, record.length - HEADER_BYTES);
        } else if (record[0] == CONTENT) {
            byte[] plain = peer.open(record);
            int end = plain.length - 1;
            while (plain[end] == 0) {
                end--;
            }
            (plain[end] == HANDSHAKE ? messages : content).write(plain, 0, end);
        }
        readMessages();
    }

    private void readMessages() {
        byte[] all = messages.toByteArray();
        messages.reset();
        int at = 0;
        int end = messageEnd(all, at);
        while (end > at) {
            read(Arrays.copyOfRange(all, at, end));
            at = end;
            end = messageEnd(all, at);
        }
        messages.write(all, at, all.length - at);
    }

    private static int messageEnd(byte[] all, int at) {
        if (all.length - at < MESSAGE_HEADER_BYTES) {
            return at;
        }
        int end = at + MESSAGE_HEADER_BYTES + (ByteBuffer.wrap(all).getInt(at) & 0xffffff);
        return end <= all.length ? end : at;
    }

    private void read(byte[] message) {
        if (agreed) {
            if (message[0] == KEY_UPDATE) {
                updates++;
                peer = peer.next();
            }
            return;
        }
        transcript.writeBytes(message);
        if (message[0] == SERVER_HELLO) {
            readHello(message);
        } else if (message[0] == FINISHED) {
            finish();
        }
    }

    /// Takes the key from the last extension that holds one (§4.2.8).
    private void readHello(byte[] message) {
        ByteBuffer hello = ByteBuffer.wrap(message);
        hello.position(MESSAGE_HEADER_BYTES + 2 + HASH_BYTES);
        hello.position(hello.position() + 1 + hello.get(hello.position()) + 3 + 2);
        byte[] key = {};
        while (hello.hasRemaining()) {
            int type = hello.getShort();
            byte[] extension = new byte[hello.getShort()];
            hello.get(extension);
            if (type == 51) {
                key = Arrays.copyOfRange(extension, 4, extension.length);
            }
        }
        byte[] early = hmac(ZEROS, ZEROS);
        handshakeSecret = hmac(derived(early, "derived", hash(new byte[0])), shared(key));
        byte[] hash = hash(transcript.toByteArray());
        own = Keys.of(derived(handshakeSecret, "c hs traffic", hash));
        peer = Keys.of(derived(handshakeSecret, "s hs traffic", hash));
    }

    private byte[] shared(byte[] key) {
        try {
            byte[] encoded = Arrays.copyOf(X25519, X25519.length + key.length);
            System.arraycopy(key, 0, encoded, X25519.length, key.length);
            KeyAgreement agreement = KeyAgreement.getInstance("X25519");
            agreement.init(pair.getPrivate());
            agreement.doPhase(
                    KeyFactory.getInstance("X25519")
                            .generatePublic(new X509EncodedKeySpec(encoded)),
                    true);
            return agreement.generateSecret();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The server has sent no key of X25519", e);
        }
    }

    /// Sends the last message of the handshake, and continues with the keys for content.
    private void finish() {
        byte[] hash = hash(transcript.toByteArray());
        byte[] key = expanded(own.secret, "finished", new byte[0], HASH_BYTES);
        record(HANDSHAKE, message(FINISHED, hmac(key, hash)), 0);
        byte[] salt = derived(handshakeSecret, "derived", hash(new byte[0]));
        byte[] master = hmac(salt, ZEROS);
        own = Keys.of(derived(master, "c ap traffic", hash));
        peer = Keys.of(derived(master, "s ap traffic", hash));
        agreed = true;
    }

    private static byte[] message(byte type, byte[] body) {
        return ByteBuffer.allocate(MESSAGE_HEADER_BYTES + body.length)
                .putInt(type << 24 | body.length)
                .put(body)
                .array();
    }

    // The key schedule (§7.1)

    private static byte[] derived(byte[] secret, String label, byte[] hash) {
        return expanded(secret, label, hash, HASH_BYTES);
    }

    private static byte[] expanded(byte[] secret, String label, byte[] context, int bytes) {
        byte[] name = ("tls13 " + label).getBytes(StandardCharsets.US_ASCII);
        ByteBuffer info = ByteBuffer.allocate(2 + 1 + name.length + 1 + context.length + 1);
        info.putShort((short) bytes).put((byte) name.length).put(name);
        info.put((byte) context.length).put(context).put((byte) 1); // the first block is enough
        return Arrays.copyOf(hmac(secret, info.array()), bytes);
    }

    private static byte[] hmac(byte[] key, byte[] bytes) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The JDK lacks what TLS 1.3 needs", e);
        }
    }

    private static byte[] hash(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The JDK lacks what TLS 1.3 needs", e);
        }
    }

    /// The keys of one direction, and the number of its next record (§5.3).
    private static final class Keys {
        static final Keys NONE = of(ZEROS);

        private final byte[] secret;
        private final byte[] key;
        private final byte[] iv;
        private long number;

        private Keys(byte[] secret, byte[] key, byte[] iv) {
            this.secret = secret;
            this.key = key;
            this.iv = iv;
        }

        static Keys of(byte[] secret) {
            return new Keys(
                    secret,
                    expanded(secret, "key", new byte[0], 16),
                    expanded(secret, "iv", new byte[0], 12));
        }

        /// Returns the keys after these (§7.2).
        Keys next() {
            return of(derived(secret, "traffic upd", new byte[0]));
        }

        byte[] seal(byte[] plain) {
            int length = plain.length + 16;
            byte[] header = {CONTENT, 3, 3, (byte) (length >> 8), (byte) length};
            byte[] sealed = crypt(Cipher.ENCRYPT_MODE, header, plain);
            byte[] record = Arrays.copyOf(header, HEADER_BYTES + sealed.length);
            System.arraycopy(sealed, 0, record, HEADER_BYTES, sealed.length);
            return record;
        }

        byte[] open(byte[] record) {
            byte[] header = Arrays.copyOf(record, HEADER_BYTES);
            byte[] sealed = Arrays.copyOfRange(record, HEADER_BYTES, record.length);
            return crypt(Cipher.DECRYPT_MODE, header, sealed);
        }

        private byte[] crypt(int mode, byte[] header, byte[] bytes) {
            ByteBuffer nonce = ByteBuffer.wrap(iv.clone());
            nonce.putLong(4, nonce.getLong(4) ^ number++);
            try {
                Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
                cipher.init(
                        mode,
                        new SecretKeySpec(key, "AES"),
                        new GCMParameterSpec(128, nonce.array()));
                cipher.updateAAD(header);
                return cipher.doFinal(bytes);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("A record does not fit its keys", e);
            }
        }
    }
}
