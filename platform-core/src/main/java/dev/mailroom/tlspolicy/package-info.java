/**
 * Demands of recipients' domains about TLS, which they publish by MTA-STS (RFC 8461) or
 * DANE (RFC 7672). Read {@code StsPolicy} and {@code DaneDomains} first; the worker looks
 * them up and applies them.
 */
@ApplicationModule(allowedDependencies = { "database" })
@NullMarked
@Core.Tables(writes = { "dane_seen", "mta_sts_policy" })
package dev.mailroom.tlspolicy;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
