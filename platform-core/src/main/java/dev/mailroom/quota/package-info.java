/**
 * What a plan allows: how many mails in a day and in a month, exactly, and how far it is
 * used.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
@Core.Tables("quota_use")
package dev.mailroom.quota;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
