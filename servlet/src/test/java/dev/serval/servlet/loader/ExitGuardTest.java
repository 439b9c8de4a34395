package dev.serval.servlet.loader;

import static dev.serval.servlet.loader.TestApp.compiled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Calls that would end the process, in classes compiled in the test.
final class ExitGuardTest {
    private static final String BRANCHES =
            """
            long sum = 7L;
            double half = 0.5;
            for (int i = 0; i < 3; i++) {
                try {
                    switch (i) {
                        case 0 -> sum += i;
                        case 1 -> half *= i;
                        default -> { if (sum > 0) { %s } else { sum = (long) half; } }
                    }
                } catch (IllegalStateException e) {
                    sum--;
                } finally {
                    half += sum;
                }
            }
            return String.valueOf(sum + half);
            """;

    private final TestApp app = new TestApp();

    @AfterEach
    void delete() {
        app.close();
    }

    private static String type(String body) {
        return "package com.x; public class A implements java.util.function.Supplier<String> {"
                + " public String get() { "
                + body
                + " } static void exit(int code) {} static void halt(int code) {} }";
    }

    private Supplier<?> loaded(String body) throws IOException, ReflectiveOperationException {
        app.source("com.x.A", type(body));
        AppClassLoader loader = app.open();
        return (Supplier<?>) loader.loadClass("com.x.A").getConstructor().newInstance();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "System.exit(1);|System.exit",
                "Runtime.getRuntime().exit(1);|Runtime.exit",
                "Runtime.getRuntime().halt(1);|Runtime.halt",
                "java.util.stream.IntStream.of(1).forEach(System::exit);|System.exit",
                "java.util.stream.IntStream.of(1).forEach(Runtime.getRuntime()::exit);|Runtime.exit",
                "java.util.stream.IntStream.of(1).forEach(Runtime.getRuntime()::halt);|Runtime.halt",
                "((Runnable) () -> System.exit(1)).run();|System.exit",
                "Runtime r = Runtime.getRuntime(); if (sum > 9) r.halt(2); r.exit(1);|Runtime.exit",
            })
    void callThrowsAndNamesTheApplication(String call, String named)
            throws IOException, ReflectiveOperationException {
        Supplier<?> code = loaded(BRANCHES.formatted(call));

        assertThatThrownBy(code::get)
                .isInstanceOf(SecurityException.class)
                .hasMessageContaining("The application /shop called " + named);
    }

    @Test
    void ownMethodsOfTheSameNameAreCalled() throws IOException, ReflectiveOperationException {
        assertThat(loaded("exit(1); halt(2); return \"done\";").get()).isEqualTo("done");
    }

    @Test
    void severalClassesShareOneSubstitute() throws IOException, ReflectiveOperationException {
        String other = type("System.exit(0); return null;").replace("class A", "class B");
        app.jar("b.jar", Map.of("com/x/B.class", compiled("com.x.B", other)));
        app.source("com.x.A", type("System.exit(0); return null;"));
        AppClassLoader loader = app.open();
        for (String name : new String[] {"com.x.A", "com.x.B"}) {
            Object code = loader.loadClass(name).getConstructor().newInstance();
            assertThatThrownBy(((Supplier<?>) code)::get).isInstanceOf(SecurityException.class);
        }
    }

    @Test
    void fileWithoutSuchCallsIsNotCopied() {
        byte[] file = compiled("com.x.A", type("return \"exit\" + Runtime.getRuntime();"));
        assertThat(ExitGuard.guarded(file)).isSameAs(file);
    }

    @Test
    void damagedFilesAreLeftToTheJvm() {
        byte[] file =
                compiled("com.x.A", type(BRANCHES.formatted("Runtime.getRuntime().halt(1);")));
        assertThat(ExitGuard.guarded(file)).hasSizeGreaterThan(file.length);
        for (int length = 0; length < file.length; length++) {
            byte[] cut = Arrays.copyOf(file, length);
            assertThat(ExitGuard.guarded(cut).length).isGreaterThanOrEqualTo(length);
        }
        for (int i = 0; i < file.length; i++) {
            byte[] wrong = file.clone();
            wrong[i] ^= (byte) 0xff;
            assertThat(ExitGuard.guarded(wrong).length).isGreaterThanOrEqualTo(file.length);
        }
    }
}
