package dev.serval.conn;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A test of the contract between connections and handlers. It runs with every protocol and every
/// transport, and takes the [ContractMode] as its parameter.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@ParameterizedTest
@EnumSource(ContractMode.class)
@interface ContractTest {}
