/** DNS lookups that block, for libraries that require them. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.worker.dns;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
