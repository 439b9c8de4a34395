package dev.serval.servlet.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A stream in front of a standard stream.
final class RoutedStreamTest {
    /// A loader of an application.
    private static final class OwnLoader extends ClassLoader implements LogOwner {
        private final AppLog log;

        OwnLoader(AppLog log) {
            super(RoutedStreamTest.class.getClassLoader());
            this.log = log;
        }

        @Override
        public @Nullable AppLog log() {
            return log;
        }
    }

    @TempDir private Path folder;
    private final ByteArrayOutputStream real = new ByteArrayOutputStream();
    private final PrintStream routed = new RoutedStream(new PrintStream(real, true, UTF_8));
    private final Thread thread = Thread.currentThread();
    private final @Nullable ClassLoader before = thread.getContextClassLoader();
    private AppLogs logs;
    private AppLog shop;

    @BeforeEach
    void open() throws IOException {
        logs = new AppLogs(folder, LogLimits.STANDARD, null, false);
        shop = logs.open("shop");
    }

    @AfterEach
    void close() throws IOException {
        thread.setContextClassLoader(before);
        shop.close();
        logs.close();
    }

    private void assertShopHas(String text) throws IOException {
        shop.close();
        assertThat(Files.readString(folder.resolve("shop.log"))).isEqualTo(text);
    }

    @Test
    void everyMethodWritesToTheLogOfTheContextClassLoader() throws IOException {
        thread.setContextClassLoader(new OwnLoader(shop));
        routed.write('a');
        routed.write("b".getBytes(UTF_8));
        routed.writeBytes("c".getBytes(UTF_8));
        routed.write("xdx".getBytes(UTF_8), 1, 1);
        routed.print(true);
        routed.print('e');
        routed.print(1);
        routed.print(2L);
        routed.print(1.5f);
        routed.print(2.5d);
        routed.print(new char[] {'f'});
        routed.print("g");
        routed.print((Object) "h");
        routed.println();
        routed.println(true);
        routed.println('e');
        routed.println(1);
        routed.println(2L);
        routed.println(1.5f);
        routed.println(2.5d);
        routed.println(new char[] {'f'});
        routed.println("g");
        routed.println((Object) "h");
        routed.printf("%d ", 7).printf(Locale.ROOT, "%d ", 8).format("%s", "i").append('j');
        routed.format(Locale.ROOT, "%s", "k").append("l").append("xmx", 1, 2).append(null);
        routed.flush();
        assertThat(routed.checkError()).isFalse();
        routed.close(); // an application cannot close the stream of the server
        routed.print("n");
        assertThat(real.size()).isZero();
        assertShopHas("abcdtruee121.52.5fgh\ntrue\ne\n1\n2\n1.5\n2.5\nf\ng\nh\n7 8 ijklmnulln");
    }

    @Test
    void noMethodOfPrintStreamIsForgotten() {
        assertThat(PrintStream.class.getDeclaredMethods())
                .filteredOn(method -> Modifier.isPublic(method.getModifiers()))
                .filteredOn(method -> !method.getName().equals("charset"))
                .allMatch(RoutedStreamTest::isOverridden);
    }

    private static boolean isOverridden(Method method) {
        return Arrays.stream(RoutedStream.class.getDeclaredMethods())
                .anyMatch(own ->
                        own.getName().equals(method.getName())
                                && Arrays.equals(
                                        own.getParameterTypes(), method.getParameterTypes()));
    }

    @Test
    void childOfTheLoaderBelongsToTheApplication() throws IOException {
        thread.setContextClassLoader(new URLClassLoader(new URL[0], new OwnLoader(shop)));
        routed.print("page");
        assertShopHas("page");
    }

    @Test
    void threadsThatAnApplicationStartsBelongToIt() throws Exception {
        thread.setContextClassLoader(new OwnLoader(shop));
        Thread.ofPlatform().start(() -> routed.print("platform ")).join();
        Thread.ofVirtual().start(() -> routed.print("virtual")).join();
        assertShopHas("platform virtual");
    }

    @Test
    void otherThreadsAndAStoppedApplicationUseTheRealStream() throws IOException {
        thread.setContextClassLoader(null);
        routed.print("server ");
        thread.setContextClassLoader(new OwnLoader(shop));
        shop.close();
        routed.print("late");
        assertThat(real.toString(UTF_8)).isEqualTo("server late");
        assertShopHas("");
    }
}
