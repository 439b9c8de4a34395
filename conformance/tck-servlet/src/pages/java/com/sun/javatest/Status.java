package com.sun.javatest;

/// Stands for the class of that name in JavaTest, which is not on the public Maven repository. The
/// helper classes of the Pages suite name it in signatures of methods that no test calls.
public final class Status {
    private Status() {}
}
