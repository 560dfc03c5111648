/**
 * Names of accounts for the links in mails: their checks, their certificates, and the
 * accounts whose links work below a name. Read {@code TrackingDomains} first.
 */
@ApplicationModule(allowedDependencies = { "account", "audit", "database", "domain", "event", "secret" })
@NullMarked
@Core.Tables(writes = { "acme_account", "acme_challenge", "acme_order", "tracking_domain" })
package dev.mailroom.trackingdomain;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
