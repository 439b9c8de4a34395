package dev.serval.servlet.vault;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Turns the attributes of a session into bytes and back, by Java serialisation. Runs code of the
/// application (`writeObject`, `readObject`), so its caller holds no lock.
///
/// Both directions apply the [ClassRules], so that a class which could not be read is reported when
/// it is stored. Reading also limits depth, references, and the length of arrays, which cannot be
/// longer than the bytes. Attributes with so many objects that they may be beyond these limits are
/// read once when they are written. Any thread.
public final class AttributeCodec {
    private static final int ARRAY_MIN = 4_096; // a small map may have a larger table

    private final ClassLoader loader;
    private final ClassRules rules;
    private final VaultLimits limits;

    /// Creates the codec of an application.
    ///
    /// @param loader of the application
    public AttributeCodec(ClassLoader loader, ClassRules rules, VaultLimits limits) {
        this.loader = loader;
        this.rules = rules;
        this.limits = limits;
    }

    /// Returns the bytes of attributes, which other threads may change meanwhile.
    ///
    /// @throws UnkeepableException if an attribute is not serialisable, not allowed, or too large
    public byte[] write(Map<String, Object> attributes) throws UnkeepableException {
        if (attributes.isEmpty()) {
            return new byte[0];
        }
        // A copy of the map: its size must fit what follows.
        Map<String, Object> present = new LinkedHashMap<>(attributes);
        BoundedBytes bytes = new BoundedBytes(limits.sessionMaxBytes());
        @Nullable String name = null;
        int objects;
        try (Writer out = new Writer(bytes, rules)) {
            out.writeInt(present.size());
            for (Map.Entry<String, Object> each : present.entrySet()) {
                name = each.getKey();
                out.writeUTF(name);
                out.writeObject(each.getValue());
            }
            objects = out.objects;
        } catch (IOException | RuntimeException | StackOverflowError | LinkageError e) {
            throw unkeepable(present, name, e);
        }
        byte[] written = bytes.toBytes();
        if (objects > limits.depthMax()) { // fewer cannot be too deep
            checkReadable(written);
        }
        return written;
    }

    private void checkReadable(byte[] bytes) throws UnkeepableException {
        try {
            Map<String, Object> _ = read(bytes);
        } catch (DamagedSessionException e) {
            String why = String.valueOf(e.getMessage());
            throw new UnkeepableException(
                    why, "The session could be written but not read: " + why, true, e);
        }
    }

    private UnkeepableException unkeepable(
            Map<String, Object> attributes, @Nullable String name, Throwable cause) {
        @Nullable Object value = name == null ? null : attributes.get(name);
        String type = value == null ? "none" : value.getClass().getName();
        String attribute = "The session attribute \"" + name + "\" of class " + type;
        return switch (cause) {
            case NotSerializableException e ->
                    new UnkeepableException(
                            String.valueOf(e.getMessage()),
                            attribute
                                    + " holds an object of class "
                                    + e.getMessage()
                                    + ", which does not implement java.io.Serializable: let it"
                                    + " implement it, or declare the field transient",
                            true,
                            e);
            case InvalidClassException e when e.classname != null ->
                    new UnkeepableException(
                            e.classname,
                            attribute
                                    + " holds an object of class "
                                    + e.classname
                                    + ", which sessions must not hold outside memory: "
                                    + ClassRules.advice(e.classname),
                            true,
                            e);
            case BoundedBytes.LimitException e ->
                    new UnkeepableException(
                            type,
                            "The session has "
                                    + e.getMessage()
                                    + " with "
                                    + attribute.substring(4)
                                    + ": keep less in the session",
                            true,
                            e);
            default ->
                    new UnkeepableException(
                            type,
                            attribute + " cannot be written (" + cause + ")",
                            cause instanceof StackOverflowError,
                            cause);
        };
    }

    /// Returns the attributes of bytes that [#write] returned.
    ///
    /// @throws DamagedSessionException if they cannot be read
    public Map<String, Object> read(byte[] bytes) throws DamagedSessionException {
        Map<String, Object> attributes = new LinkedHashMap<>();
        if (bytes.length == 0) {
            return attributes;
        }
        Filter filter = new Filter(rules, limits, Math.max(ARRAY_MIN, bytes.length));
        try (Reader in = new Reader(new ByteArrayInputStream(bytes), loader, filter)) {
            int count = in.readInt();
            for (int i = 0; i < count; i++) {
                String name = in.readUTF();
                @Nullable Object value = in.readObject();
                if (value != null) {
                    attributes.put(name, value);
                }
            }
            return attributes;
        } catch (InvalidClassException e) {
            throw new DamagedSessionException(refusal(filter, e), e);
        } catch (IOException
                | ClassNotFoundException
                | RuntimeException
                | StackOverflowError
                | LinkageError e) {
            throw new DamagedSessionException("its attributes cannot be read (" + e + ")", e);
        }
    }

    private static String refusal(Filter filter, InvalidClassException e) {
        if (filter.refused != null) {
            return "it holds an object of class "
                    + filter.refused
                    + ", which sessions must not hold outside memory: "
                    + ClassRules.advice(filter.refused);
        }
        if (filter.limit != null) {
            return "it is beyond a limit: " + filter.limit;
        }
        return "a class has changed since it was stored (" + e.getMessage() + ")";
    }

    /// Checks each class when its description is written.
    private static final class Writer extends ObjectOutputStream {
        private final ClassRules rules;
        private int objects;

        Writer(OutputStream out, ClassRules rules) throws IOException {
            super(out);
            this.rules = rules;
            boolean _ = enableReplaceObject(true);
        }

        /// Counts an object when it is written for the first time.
        @Override
        protected Object replaceObject(Object object) {
            objects++;
            return object;
        }

        @Override
        protected void annotateClass(Class<?> type) throws IOException {
            if (!rules.allows(type)) {
                throw new InvalidClassException(
                        ClassRules.element(type).getName(), "is not allowed in a session");
            }
        }

        @Override
        protected void annotateProxyClass(Class<?> type) throws IOException {
            annotateClass(type);
        }
    }

    /// Finds classes by the application's loader.
    private static final class Reader extends ObjectInputStream {
        private final ClassLoader loader;

        Reader(InputStream in, ClassLoader loader, ObjectInputFilter filter) throws IOException {
            super(in);
            this.loader = loader;
            setObjectInputFilter(filter);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description)
                throws IOException, ClassNotFoundException {
            try {
                return Class.forName(description.getName(), /* initialize */ false, loader);
            } catch (ClassNotFoundException e) {
                // A primitive type, or the server's principal: the loader of this class.
                return super.resolveClass(description);
            }
        }

        @Override
        protected Class<?> resolveProxyClass(String[] interfaces) throws IOException {
            throw new InvalidClassException("java.lang.reflect.Proxy", "is not allowed");
        }
    }

    /// Applies the rules and limits to one stream, and remembers why it refused.
    private static final class Filter implements ObjectInputFilter {
        private final ClassRules rules;
        private final VaultLimits limits;
        private final int arrayMax;
        private @Nullable String refused;
        private @Nullable String limit;

        Filter(ClassRules rules, VaultLimits limits, int arrayMax) {
            this.rules = rules;
            this.limits = limits;
            this.arrayMax = arrayMax;
        }

        @Override
        public Status checkInput(FilterInfo info) {
            if (info.depth() > limits.depthMax()) {
                limit = "objects hold each other " + info.depth() + " deep";
                return Status.REJECTED;
            }
            if (info.references() > limits.referencesMax()) {
                limit = "it has more than " + limits.referencesMax() + " objects";
                return Status.REJECTED;
            }
            if (info.arrayLength() > arrayMax) {
                limit = "an array of " + info.arrayLength() + " elements is longer than the bytes";
                return Status.REJECTED;
            }
            @Nullable Class<?> type = info.serialClass();
            if (type != null && !rules.allows(type)) {
                refused = ClassRules.element(type).getName();
                return Status.REJECTED;
            }
            return type == null ? Status.UNDECIDED : Status.ALLOWED;
        }
    }
}
