/**
 * Sending domains: their names, DKIM keys and DNS records, and the verification of the
 * records.
 */
@ApplicationModule(allowedDependencies = { "account", "audit", "crypto", "event", "seal", "wire" })
@NullMarked
@Core.Tables(value = { "domain", "dkim_key" }, functions = "domain_that_receives")
package dev.mailroom.domain;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
