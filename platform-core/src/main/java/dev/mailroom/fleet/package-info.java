/** The running workers, as they report themselves. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
@Core.Tables("worker")
package dev.mailroom.fleet;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
