/**
 * Readiness of a domain for the rules that large providers have for bulk senders. Read
 * {@code Readiness} first.
 */
@ApplicationModule(allowedDependencies = { "addresscheck", "database", "dmarc", "dmarcreport", "domain", "mail.outcome",
		"trackingdomain" })
@NullMarked
@Core.Tables(writes = "bimi_check")
package dev.mailroom.readiness;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
