/// The one name of JavaTest that the Pages suite needs in order to load, see
/// [com.sun.javatest.Status]. Entry type: none; no code calls it. Depends on nothing.
@NullMarked
package com.sun.javatest;

import org.jspecify.annotations.NullMarked;
