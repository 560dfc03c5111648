/** The running workers and the destinations they contact, as they report them. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
@Core.Tables({ "destination_report", "worker" })
package dev.mailroom.fleet;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
