/**
 * DNS lookups that block, for libraries that require them. Read {@code BlockingResolver}
 * first.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.worker.dns;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
