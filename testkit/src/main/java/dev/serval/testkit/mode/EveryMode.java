package dev.serval.testkit.mode;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.ClassTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/// Runs the tests of a class in each [Mode], or in one of them in turn, as [ModeChoice] says. The tests
/// that `modes.txt` lists do not run in the modes that it names.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ClassTemplate
@ExtendWith(ModeChoice.class)
public @interface EveryMode {}
