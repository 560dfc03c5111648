/**
 * Policies of recipients' domains about TLS, which they publish by MTA-STS (RFC 8461).
 * Read {@code StsPolicy} first; the worker looks them up and applies them.
 */
@ApplicationModule(allowedDependencies = { "database" })
@NullMarked
@Core.Tables(writes = { "mta_sts_policy" })
package dev.mailroom.tlspolicy;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
