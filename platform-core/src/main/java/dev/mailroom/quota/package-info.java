/**
 * Quotas of mails in a day and in a month, counted exactly.
 */
@ApplicationModule(allowedDependencies = { "account", "event", "wire" })
@NullMarked
@Core.Tables("quota_use")
package dev.mailroom.quota;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
