/**
 * Sending domains: names, DKIM keys and DNS records, their verification, and the warm-up
 * of new domains. Read {@code Domains} first.
 */
@ApplicationModule(allowedDependencies = { "account", "audit", "database", "directory", "dmarc", "event", "secret" })
@NullMarked
@Core.Tables(writes = { "domain", "dkim_key", "domain_warmup", "warmup_today" }, functions = { "domain_that_receives" })
package dev.mailroom.domain;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
