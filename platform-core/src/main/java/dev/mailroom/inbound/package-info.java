/**
 * Received mail for the domains of accounts, and the routes that decide on it. Read
 * {@code ReceivedMails} first.
 */
@ApplicationModule(allowedDependencies = { "account", "audit", "blob", "database", "domain", "event", "mail.accept",
		"mail.draft", "secret", "tracking" })
@NullMarked
@Core.Tables(writes = { "inbound_email", "inbound_content", "inbound_attachment", "inbound_day", "inbound_route",
		"forward_hour", "forward_target" }, functions = { "inbound_rules", "receives_here" })
package dev.mailroom.inbound;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
