package dev.serval.servlet.webxml;

import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.scan.ScanCache;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/// Checks descriptors against their schemas, each content once: to load a schema takes longer than
/// all the rest of a small application's start. Owned by one thread.
public final class DescriptorCheck {
    private static final Logger LOG = System.getLogger(DescriptorCheck.class.getName());

    /// Changes if the check does, so that older results do not count.
    private static final String KEY_PREFIX = "descriptor-1-";

    private final DescriptorSchemas schemas;
    private final ScanCache cache;

    public DescriptorCheck(DescriptorSchemas schemas, ScanCache cache) {
        this.schemas = schemas;
        this.cache = cache;
    }

    /// Checks a descriptor if its version has to follow a schema.
    ///
    /// @return warnings about what does not follow its schema
    /// @throws DescriptorException if it cannot be checked
    public List<String> check(byte[] bytes, String file, String root, DescriptorVersion version)
            throws DescriptorException {
        if (!version.checked()) {
            return List.of();
        }
        String key = KEY_PREFIX + sha256(bytes);
        if (isKnown(key)) {
            return List.of();
        }
        List<String> warnings = schemas.check(bytes, file, root, version);
        if (!warnings.isEmpty()) {
            return warnings; // each start says so again
        }
        try {
            cache.write(key, new byte[0]);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "The check of " + file + " cannot be cached: " + e);
        }
        return List.of();
    }

    private boolean isKnown(String key) {
        try {
            return cache.read(key) != null;
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "The cached check " + key + " cannot be read: " + e);
            return false;
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
