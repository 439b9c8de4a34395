/// An application of Jakarta Faces with CDI: a form, validation, Ajax and state in a session.
@NullMarked
package dev.serval.applications.faces;

import org.jspecify.annotations.NullMarked;
