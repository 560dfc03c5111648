/**
 * Reading of mail for people: search, and the deliveries, attempts and content of many
 * mails at once.
 */
@ApplicationModule(allowedDependencies = { "accept", "account", "apikey", "audit", "blob", "campaign", "email",
		"member", "outcome", "reputation", "template", "wire" })
@NullMarked
package dev.mailroom.maillog;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
