/** Received mail for the domains of accounts. Read {@code ReceivedMails} first. */
@ApplicationModule(allowedDependencies = { "blob", "database", "domain", "event", "secret" })
@NullMarked
@Core.Tables(writes = { "inbound_email", "inbound_content", "inbound_attachment", "inbound_day" })
package dev.mailroom.inbound;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
