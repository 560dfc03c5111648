/**
 * Names of accounts for the links in mails: their checks, and the accounts whose links
 * work below a name. Read {@code TrackingDomains} first.
 */
@ApplicationModule(allowedDependencies = { "account", "audit", "database", "domain", "event", "secret" })
@NullMarked
@Core.Tables(writes = { "tracking_domain" })
package dev.mailroom.trackingdomain;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
