package dev.serval.examples.osp.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/// The digest by which a component is recognised if its client sends it again. It covers who sent
/// the component, its ids and all that was read of it.
public final class ComponentDigest {
    private final MessageDigest digest;

    private ComponentDigest() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    /// Returns the SHA-256 of a component as base64 for addresses, without padding.
    ///
    /// @param client the address that sent it
    public static String of(String client, String messageId, Component component) {
        ComponentDigest made = new ComponentDigest();
        made.add(client);
        made.add(messageId);
        made.add(component.id());
        made.add(component.kind().name());
        made.add(component.fault());
        component.element().addTo(made);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(made.digest.digest());
    }

    /// Adds a text after its length, so that no two lists of texts have the same bytes.
    void add(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        add(bytes.length);
        digest.update(bytes);
    }

    void add(int number) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, number));
    }
}
