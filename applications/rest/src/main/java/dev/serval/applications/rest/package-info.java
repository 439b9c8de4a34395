/// An application of Jakarta REST: JSON, asynchronous answers, server-sent events and errors. It has
/// no descriptor: Jersey's initializer finds [dev.serval.applications.rest.RestApplication].
@NullMarked
package dev.serval.applications.rest;

import org.jspecify.annotations.NullMarked;
