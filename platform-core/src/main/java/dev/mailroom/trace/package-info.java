/** The trace that a request belongs to, which is stored with its mails. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.trace;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
