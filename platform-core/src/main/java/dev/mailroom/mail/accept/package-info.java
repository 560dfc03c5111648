/**
 * Acceptance of mail: a request becomes checked drafts, and these become rows of the
 * queue, many requests in one commit, with exact quotas and idempotency keys. Read
 * {@code Submissions}, then {@code GroupCommit}.
 */
@ApplicationModule(allowedDependencies = { "account", "blob", "database", "domain", "event", "mail.draft",
		"mail.outcome", "mail.queue", "template" })
@NullMarked
@Core.Tables(writes = { "idempotency_key", "quota_use" })
package dev.mailroom.mail.accept;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
