/**
 * Readiness of a domain for the rules that large providers have for bulk senders. Read
 * {@code Readiness} first.
 */
@ApplicationModule(
		allowedDependencies = { "addresscheck", "dmarc", "dmarcreport", "domain", "mail.outcome", "trackingdomain" })
@NullMarked
package dev.mailroom.readiness;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
