/**
 * Warm-up of sending domains: a limit of campaign mails in a day, which grows.
 */
@ApplicationModule(allowedDependencies = { "audit", "domain", "wire" })
@NullMarked
@Core.Tables({ "domain_warmup", "warmup_today" })
package dev.mailroom.warmup;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
