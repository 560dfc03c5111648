/** Counts of the whole platform over time. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
@Core.Tables("traffic")
package dev.mailroom.traffic;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
