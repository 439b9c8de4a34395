/// An application of Spring MVC that uses what real ones do: views, validation, uploads, sessions,
/// asynchronous answers, events and JSON. It has no descriptor: Spring's initializer finds
/// [dev.serval.applications.spring.Startup].
@NullMarked
package dev.serval.applications.spring;

import org.jspecify.annotations.NullMarked;
