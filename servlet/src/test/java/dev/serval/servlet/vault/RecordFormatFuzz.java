package dev.serval.servlet.vault;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Bytes of a session's file are refused or read, and what is read is written as it was.
final class RecordFormatFuzz {
    @FuzzTest(maxDuration = "10s")
    void readsOrRefuses(byte[] bytes) {
        try {
            RecordFormat.Found found = RecordFormat.newest(bytes);
            byte[] file = RecordFormat.file(found.session());
            StoredSession again = RecordFormat.newest(file).session();
            if (!Arrays.equals(again.attributes(), found.session().attributes())
                    || !again.id().equals(found.session().id())) {
                throw new AssertionError("written differently");
            }
        } catch (DamagedSessionException e) {
            // refused
        }
    }

    @FuzzTest(maxDuration = "10s")
    void attributesAreReadOrRefused(byte[] bytes) {
        ClassLoader loader = RecordFormatFuzz.class.getClassLoader();
        AttributeCodec codec =
                new AttributeCodec(loader, new ClassRules(loader, List.of()), VaultLimits.STANDARD);
        try {
            Map<String, Object> _ = codec.read(bytes);
        } catch (DamagedSessionException e) {
            // refused
        }
    }
}
