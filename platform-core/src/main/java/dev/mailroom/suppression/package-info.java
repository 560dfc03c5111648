/** Suppression lists: addresses that an account does not send to. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
@Core.Tables("suppression")
package dev.mailroom.suppression;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
