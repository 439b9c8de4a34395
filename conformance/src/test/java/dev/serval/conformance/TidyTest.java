package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.app.AppLimits;
import dev.serval.http.FieldName;
import dev.serval.log.AccessLogLimits;
import dev.serval.lrwp.peer.PeerLimits;
import dev.serval.policy.Limits;
import dev.serval.servlet.archive.ArchiveLimits;
import dev.serval.servlet.archive.WorkLimits;
import dev.serval.servlet.log.LogLimits;
import dev.serval.servlet.multipart.MultipartBounds;
import dev.serval.servlet.parameter.ParameterLimits;
import dev.serval.servlet.password.SecurityLimits;
import dev.serval.servlet.scan.ScanLimits;
import dev.serval.servlet.session.SessionLimits;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks rules of the house style that the compiler and its plug-ins cannot check.
final class TidyTest {
    private static final SourceTree TREE = SourceTree.read();
    private static final int PACKAGE_FILES_MAX = 30;
    private static final int README_TOP_LINES = 40;

    private static final Pattern HOT_PACKAGES =
            Pattern.compile("dev\\.serval\\.(loop|net|http|http1|http2|hpack|conn|route|file)");
    private static final Pattern THROW = Pattern.compile("\\bthrow\\s+new\\b[^;]*;");
    private static final Pattern WORD = Pattern.compile("[A-Z]+(?![a-z])|[A-Z][a-z0-9]*");

    private static final Set<String> BANNED_WORDS =
            Set.of(
                    "Abstract",
                    "Base",
                    "Impl",
                    "Default",
                    "Manager",
                    "Helper",
                    "Util",
                    "Utils",
                    "Common",
                    "Data",
                    "Info",
                    "Wrapper",
                    "Support",
                    "Processor");

    /// The sources that may name `java.util.logging`. A `javax.sql.DataSource` and a
    /// `java.sql.Driver` must have a method that returns such a logger. The others initialise, set,
    /// break or read the logging of the JDK, which System.Logger gives no access to.
    private static final List<String> USES_LOGGING_OF_THE_JDK =
            List.of(
                    "PlainSource",
                    "HelidonServer",
                    "LogLevels",
                    "LogDefaults",
                    "LineFormatter",
                    "LineFormatterTest",
                    "SlowDiskTest",
                    "LeakReportTest",
                    "AccessLogsTest",
                    "PooledSourcesTest",
                    "LostCommitDriver",
                    "LoggingRehearsal",
                    "BrokenLog",
                    "ReportLogTest",
                    "FailureLogTest",
                    "TlsTroubleServerTest");

    /// A banned call, the sources in which it is banned, and its replacement.
    record Ban(String call, Predicate<JavaSource> where, String instead) {
        @Override
        public String toString() {
            return call;
        }
    }

    private static boolean anywhere(JavaSource source) {
        return !source.code().isEmpty();
    }

    private static boolean engine(JavaSource source) {
        return source.main() && source.module().equals("engine");
    }

    private static boolean hot(JavaSource source) {
        return engine(source) && HOT_PACKAGES.matcher(source.packageName()).matches();
    }

    private static boolean timed(JavaSource source) {
        return engine(source) && !source.name().equals("Clock");
    }

    /// Returns whether the source must not read the environment. `EpollNetwork` is excluded: the
    /// operating system is a fact, not a setting.
    private static boolean configured(JavaSource source) {
        return engine(source) && !source.name().equals("EpollNetwork");
    }

    /// Returns whether the source is a library. Main, the demo, benchmarks, soaks, examples and
    /// `./serval verify` are programs, which own the standard streams.
    private static boolean library(JavaSource source) {
        return source.main()
                && !source.file().endsWith("/server/Main.java")
                && !source.file().endsWith("/demo/DemoPeer.java")
                && !source.file().endsWith("/verify/Verify.java")
                && !measures(source)
                && !source.module().startsWith("examples/");
    }

    /// Returns whether the source must log by System.Logger.
    private static boolean logsBySystemLogger(JavaSource source) {
        return !USES_LOGGING_OF_THE_JDK.contains(source.name());
    }

    /// Returns whether the source must not sleep. Tests wait with the testkit's Await.
    private static boolean waiting(JavaSource source) {
        return !source.name().equals("Await") && !measures(source);
    }

    private static boolean measures(JavaSource source) {
        return source.module().matches("bench(/.*)?|soak");
    }

    static List<Ban> bans() {
        return List.of(
                new Ban("System\\.(out|err)\\b", TidyTest::library, "System.Logger"),
                new Ban("\\.printStackTrace\\(", TidyTest::anywhere, "System.Logger"),
                new Ban("java\\.util\\.logging", TidyTest::logsBySystemLogger, "System.Logger"),
                new Ban(
                        "Thread\\.sleep\\(",
                        TidyTest::waiting,
                        "wait for the event itself (a latch, a line read, testkit's Await)"),
                new Ban(
                        "System\\.(currentTimeMillis|nanoTime)\\(|Instant\\.now\\(",
                        TidyTest::timed,
                        "the Clock that the constructor receives"),
                new Ban(
                        "System\\.get(Property|env)\\(|(Integer|Long)\\.getInteger\\(|Boolean\\.getBoolean\\(",
                        TidyTest::configured,
                        "a setting that the constructor receives"),
                new Ban(
                        "Math\\.random\\(|new Random\\(",
                        TidyTest::engine,
                        "a generator that the constructor receives"),
                new Ban(
                        "String\\.format\\(|\\.formatted\\(",
                        TidyTest::hot,
                        "a StringBuilder, or bytes"),
                new Ban("\\.parallelStream\\(|\\.parallel\\(\\)", TidyTest::anywhere, "a loop"),
                new Ban("System\\.exit\\(|\\.halt\\(", TidyTest::engine, "an answer to the caller"),
                new Ban("assertTimeout", TidyTest::anywhere, "an assertion about order"),
                new Ban(
                        "^import [\\w.]+\\.\\*;|^import static [\\w.]+\\.\\*;",
                        TidyTest::anywhere,
                        "names"));
    }

    @ParameterizedTest
    @MethodSource("bans")
    @DisplayName("no source calls")
    void noSourceUsesBannedCall(Ban ban) {
        Pattern call = Pattern.compile(ban.call, Pattern.MULTILINE);
        List<String> found = new ArrayList<>();
        for (JavaSource source : TREE.java()) {
            if (ban.where.test(source)) {
                // Code that only builds an exception's message may be slow.
                String code = THROW.matcher(source.code()).replaceAll(TidyTest::blanked);
                Matcher matcher = call.matcher(code);
                while (matcher.find()) {
                    found.add(source.file() + ":" + source.line(matcher.start()));
                }
            }
        }
        assertThat(found).as("instead: " + ban.instead).isEmpty();
    }

    private static String blanked(MatchResult found) {
        return found.group().replaceAll("[^\n]", " ");
    }

    /// Reads the text, because tests also compile sources that stand in literals.
    @Test
    void noTestParksForATime() {
        Pattern call = Pattern.compile("\\bpark(Nanos|Until)\\(");
        List<String> found = new ArrayList<>();
        for (JavaSource source : TREE.java()) {
            boolean ofTests = !source.main() || source.module().equals("testkit");
            Matcher matcher = call.matcher(source.text());
            while (ofTests && !source.name().equals("SlowCode") && matcher.find()) {
                found.add(source.file() + ":" + source.line(matcher.start()));
            }
        }
        assertThat(found)
                .as("instead: testkit's Await, or its SlowCode for what a test needs to be slow")
                .isEmpty();
    }

    @Test
    void noTypeHasAMeaninglessName() {
        List<String> found = new ArrayList<>();
        for (JavaSource source : TREE.java()) {
            for (String type : source.types()) {
                Matcher word = WORD.matcher(type);
                while (word.find()) {
                    if (BANNED_WORDS.contains(word.group())) {
                        found.add(source.file() + ": " + type);
                    }
                }
            }
        }
        assertThat(found).as("say what it is or does").isEmpty();
    }

    @Test
    void noTodoRemains() {
        // The marks are concatenated, so that this line is not found.
        Pattern mark = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X|HA" + "CK)\\b");
        List<String> found = new ArrayList<>();
        for (JavaSource source : TREE.java()) {
            Matcher matcher = mark.matcher(source.text());
            while (matcher.find()) {
                found.add(source.file() + ":" + source.line(matcher.start()));
            }
        }
        assertThat(found).as("do it, or explain in a document why not").isEmpty();
    }

    @Test
    void disabledTestHasAReason() {
        Pattern disabled = Pattern.compile("@Disabled\\b(?!\\s*\\(\\s*(value\\s*=\\s*)?\")");
        List<String> found = new ArrayList<>();
        for (JavaSource source : TREE.java()) {
            // A mark in a comment does not count. The text is searched, because the reason is a
            // literal.
            Matcher matcher = disabled.matcher(source.text());
            while (matcher.find()) {
                if (source.code().startsWith("@Disabled", matcher.start())) {
                    found.add(source.file() + ":" + source.line(matcher.start()));
                }
            }
        }
        assertThat(found).as("@Disabled(\"why\")").isEmpty();
    }

    @Test
    void accessorsHaveNoGet() {
        Pattern accessor =
                Pattern.compile(
                        "(?<!@Override|\\s)\\s+public\\s+(?!static)[\\w<>\\[\\]., @?]+\\sget[A-Z]\\w*\\(\\)");
        List<String> found = new ArrayList<>();
        TREE.main()
                .filter(source -> source.module().equals("engine"))
                .forEach(source -> {
                    Matcher matcher = accessor.matcher(source.code());
                    while (matcher.find()) {
                        found.add(source.file() + ":" + source.line(matcher.end()));
                    }
                });
        assertThat(found).as("name() instead of getName()").isEmpty();
    }

    @Test
    void everyPackageIsDescribedAndNullMarked() {
        Map<String, JavaSource> described = new TreeMap<>();
        Set<String> packages = new HashSet<>();
        TREE.main()
                .filter(source -> !source.name().equals("module-info"))
                .forEach(source -> {
                    String folder = source.module() + ":" + source.packageName();
                    packages.add(folder);
                    if (source.name().equals("package-info")) {
                        described.put(folder, source);
                    }
                });
        assertThat(described.keySet()).as("package-info.java").containsAll(packages);
        described.forEach((folder, source) -> {
            assertThat(source.text()).as(folder + " begins with its purpose").startsWith("///");
            // The testkit needs only the JDK.
            if (!source.module().equals("testkit")) {
                assertThat(source.code()).as(folder).contains("@NullMarked");
            }
        });
    }

    @Test
    void noPackageHasTooManyFiles() {
        Map<String, Long> files =
                TREE.main()
                        .filter(source -> !source.name().equals("package-info"))
                        .collect(
                                Collectors.groupingBy(
                                        source -> source.module() + ":" + source.packageName(),
                                        Collectors.counting()));
        files.values().removeIf(count -> count <= PACKAGE_FILES_MAX);
        assertThat(files).as("more than " + PACKAGE_FILES_MAX).isEmpty();
    }

    @Test
    void noPackageIsInTwoModules() {
        Map<String, Set<String>> modules = new TreeMap<>();
        for (JavaSource source : TREE.java()) {
            if (source.main() && !source.packageName().isEmpty()) {
                modules.computeIfAbsent(source.packageName(), _ -> new TreeSet<>())
                        .add(source.module());
            }
        }
        modules.values().removeIf(found -> found.size() == 1);
        assertThat(modules).isEmpty();
    }

    @Test
    void testsAreNamedAfterTheirType() {
        Pattern test =
                Pattern.compile("@(Test|ParameterizedTest|TestFactory|RepeatedTest|FuzzTest)\\b");
        List<String> found = new ArrayList<>();
        for (JavaSource source : TREE.java()) {
            if (!source.main()
                    && test.matcher(source.code()).find()
                    && !source.name().matches("\\w+(Test|Fuzz)")) {
                found.add(source.file());
            }
        }
        assertThat(found).as("<Type>Test, <Type>Fuzz").isEmpty();
    }

    // Documents

    @Test
    void readmeBeginsWithTheTwoCommands() {
        List<String> rows =
                TREE.document("README.md")
                        .lines()
                        .limit(README_TOP_LINES)
                        .filter(line -> line.startsWith("| `./serval "))
                        .toList();
        for (String command : List.of("./serval run", "./serval verify")) {
            assertThat(rows)
                    .as("what " + command + " does and needs, and how long it takes")
                    .anyMatch(row ->
                            row.startsWith("| `" + command + "` | ")
                                    && row.split("\\|").length == 5);
        }
    }

    @Test
    void continuousIntegrationRunsTheSecondCommand() {
        assertThat(TREE.document(".ci/run").lines()).contains("./serval verify --strict");
    }

    @Test
    void mapShowsEveryPackageWithItsModule() {
        Map<String, String> modules = modulesOnTheMap();
        Set<String> wrong = new TreeSet<>();
        TREE.main()
                .filter(source -> !source.packageName().isEmpty())
                .forEach(source -> {
                    String rows = modules.getOrDefault(onTheMap(source.packageName()), "");
                    if (!rows.contains("**" + source.module().replaceFirst("/.*", "") + "**")) {
                        wrong.add(source.packageName() + " of module " + source.module());
                    }
                });
        assertThat(wrong).as("not in ARCHITECTURE.md, or below another module").isEmpty();
    }

    @Test
    void mapShowsNoOtherPackage() {
        Set<String> packages =
                TREE.java().stream()
                        .map(source -> onTheMap(source.packageName()))
                        .collect(Collectors.toSet());
        assertThat(packages).containsAll(modulesOnTheMap().keySet());
    }

    /// Returns each package of the map with the row of its module, which begins with `| **`.
    private static Map<String, String> modulesOnTheMap() {
        String document = TREE.document("ARCHITECTURE.md");
        String map = document.substring(document.indexOf("\n## Map\n"));
        Map<String, String> modules = new HashMap<>();
        String module = "";
        for (String row : map.substring(0, map.indexOf("\n## ", 1)).lines().toList()) {
            if (row.startsWith("| **")) {
                module = row;
            } else if (row.startsWith("| `")) {
                Matcher name =
                        Pattern.compile("`([^`]+)`").matcher(row.substring(0, row.indexOf('|', 1)));
                while (name.find()) {
                    modules.put(name.group(1), module);
                }
            }
        }
        return modules;
    }

    private static String onTheMap(String packageName) {
        return packageName.replaceFirst("^dev\\.serval\\.", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ARCHITECTURE.md", "README.md", "CONTRIBUTING.md", "SECURITY.md"})
    void documentsNameOnlyTypesThatExist(String document) {
        Set<String> types =
                TREE.java().stream()
                        .flatMap(source -> source.types().stream())
                        .collect(Collectors.toSet());
        Matcher name =
                Pattern.compile("`([A-Z]\\w*[a-z]\\w*)((?:[.#][\\w.#]+)?(?:\\([^`]*\\))?)`")
                        .matcher(TREE.document(document));
        List<String> unknown = new ArrayList<>();
        while (name.find()) {
            String type = name.group(1);
            // A field such as `Date` looks like a type.
            if (!types.contains(type) && FieldName.of(type) == null && !ofTheJdk(type)) {
                unknown.add(name.group());
            }
        }
        assertThat(unknown).as("no such type").isEmpty();
    }

    private static boolean ofTheJdk(String type) {
        List<String> packages =
                List.of(
                        "java.lang",
                        "java.io",
                        "java.net",
                        "java.nio",
                        "java.nio.channels",
                        "java.nio.file",
                        "java.util",
                        "java.util.concurrent");
        return packages.stream()
                .anyMatch(name ->
                        ClassLoader.getPlatformClassLoader()
                                        .getResource(name.replace('.', '/') + "/" + type + ".class")
                                != null);
    }

    @Test
    void everyLimitIsDocumented() {
        String security = TREE.document("SECURITY.md");
        List<String> missing = new ArrayList<>();
        for (RecordComponent group : Limits.class.getRecordComponents()) {
            for (RecordComponent limit : group.getType().getRecordComponents()) {
                String name = group.getName() + "." + limit.getName();
                if (!security.contains("| `" + name + "` |")) {
                    missing.add(name);
                }
            }
        }
        assertThat(missing).as("rows missing from SECURITY.md").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                AppLimits.class,
                ArchiveLimits.class,
                MultipartBounds.class,
                ParameterLimits.class,
                ScanLimits.class,
                SecurityLimits.class,
                SessionLimits.class,
                WorkLimits.class,
                LogLimits.class,
                AccessLogLimits.class,
                PeerLimits.class
            })
    void everyLimitOfApplicationsIsDocumented(Class<?> limits) {
        String rows =
                TREE.document("SECURITY.md")
                        .lines()
                        .filter(line -> line.startsWith("| "))
                        .collect(Collectors.joining("\n"));
        List<String> missing = new ArrayList<>();
        for (RecordComponent limit : limits.getRecordComponents()) {
            if (!rows.contains("`" + limit.getName() + "`")) {
                missing.add(limit.getName());
            }
        }
        assertThat(missing).as("rows missing from SECURITY.md").isEmpty();
    }

    static List<Record> limitsWithTheirDefaults() {
        return List.of(AccessLogLimits.STANDARD, LogLimits.STANDARD, PeerLimits.STANDARD);
    }

    @ParameterizedTest
    @MethodSource("limitsWithTheirDefaults")
    void everyDefaultIsDocumented(Record limits) throws ReflectiveOperationException {
        Map<String, Set<String>> documented = documentedDefaults();
        List<String> wrong = new ArrayList<>();
        for (RecordComponent limit : limits.getClass().getRecordComponents()) {
            String value = String.valueOf(limit.getAccessor().invoke(limits));
            String shown = withUnit(limit.getName(), Long.parseLong(value));
            if (!documented.getOrDefault(limit.getName(), Set.of()).contains(shown)) {
                wrong.add(limit.getName() + " is " + shown);
            }
        }
        assertThat(wrong).as("rows of SECURITY.md say something else").isEmpty();
    }

    /// Returns the defaults of each name in SECURITY.md. Limits of several types may have one name. The
    /// second name of a row has its second default, and so on.
    private static Map<String, Set<String>> documentedDefaults() {
        Map<String, Set<String>> defaults = new HashMap<>();
        for (String row : TREE.document("SECURITY.md").lines().toList()) {
            String[] cells = row.split(" \\| ", 3);
            if (!row.startsWith("| `") || cells.length < 3) {
                continue;
            }
            String[] values = cells[1].split(", ", -1);
            Matcher name = Pattern.compile("`(\\w+)`").matcher(cells[0]);
            for (int i = 0; i < values.length && name.find(); i++) {
                defaults.computeIfAbsent(name.group(1), _ -> new HashSet<>()).add(values[i]);
            }
        }
        return defaults;
    }

    private static String withUnit(String name, long value) {
        if (name.endsWith("Nanos") || name.endsWith("Millis")) {
            long millis = name.endsWith("Nanos") ? value / 1_000_000 : value;
            return millis % 1_000 == 0 ? millis / 1_000 + " s" : millis + " ms";
        }
        if (name.endsWith("Bytes")) {
            return value % (1 << 20) == 0 ? (value >> 20) + " MiB" : (value >> 10) + " KiB";
        }
        return String.format(Locale.ROOT, "%,d", value);
    }

    @Test
    void everyDocumentedLimitExists() {
        Set<String> limits = new HashSet<>();
        for (RecordComponent group : Limits.class.getRecordComponents()) {
            for (RecordComponent limit : group.getType().getRecordComponents()) {
                limits.add(group.getName() + "." + limit.getName());
            }
        }
        Matcher row =
                Pattern.compile("^\\| `(\\w+\\.\\w+)` \\|", Pattern.MULTILINE)
                        .matcher(TREE.document("SECURITY.md"));
        List<String> unknown = new ArrayList<>();
        while (row.find()) {
            if (!limits.contains(row.group(1))) {
                unknown.add(row.group(1));
            }
        }
        assertThat(unknown).as("rows of SECURITY.md without a limit").isEmpty();
    }
}
