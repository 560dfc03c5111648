/**
 * Acceptance of mail: valid drafts become rows of the queue, many requests in one commit.
 */
@ApplicationModule(allowedDependencies = { "account", "blob", "domain", "event", "idempotency", "pool", "quota",
		"suppression", "trace", "wire" })
@NullMarked
@Core.Tables({ "email", "email_content", "attachment", "delivery", "queue", "lease", "delivery_state" })
package dev.mailroom.accept;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
