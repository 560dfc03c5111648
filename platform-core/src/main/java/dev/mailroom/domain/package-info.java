/**
 * Sending domains: their names, their keys, the records they publish, and whether DNS has
 * them.
 */
@ApplicationModule(allowedDependencies = { "account", "event", "seal" })
@NullMarked
@Core.Tables(value = { "domain", "dkim_key" }, functions = "domain_that_receives")
package dev.mailroom.domain;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
