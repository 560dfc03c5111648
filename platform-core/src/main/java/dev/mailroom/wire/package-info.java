/** Encoding of parameters and mapping of rows for frequent statements. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.wire;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
