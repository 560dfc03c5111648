/**
 * How receivers take what accounts send: counts kept as mails settle, and what they say.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
@Core.Tables({ "reputation_day", "reputation_cause" })
package dev.mailroom.reputation;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
