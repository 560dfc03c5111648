/**
 * Names of accounts for the links in mails: their checks, their certificates, and the
 * accounts whose links work below a name. And policies about TLS that are served below
 * such names. Read {@code TrackingDomains} and {@code HostedPolicies} first.
 */
@ApplicationModule(
		allowedDependencies = { "account", "audit", "database", "domain", "event", "secret", "tlspolicy", "tlsreport" })
@NullMarked
@Core.Tables(writes = { "acme_account", "acme_challenge", "acme_order", "hosted_policy", "inbound_certificate",
		"tracking_domain" })
package dev.mailroom.trackingdomain;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
