package dev.mailroom;

import java.util.Set;

/**
 * Violations of {@link HouseRules} that are known and being removed. Each entry is
 * deleted with the change that removes it; nothing is added.
 */
final class OpenViolations {

	/**
	 * Undeclared dependencies through SQL, as {@link SqlRules#violations()} names them.
	 */
	static final Set<String> SQL = Set.of("accept.AcceptStore uses account of account",
			"autopause.AutoPauseStore uses account of account", "campaign.TransitionStore uses account of account",
			"contact.ContactBookStore uses account of account", "contact.ContactBookStore uses plan of account",
			"domain.DomainStore uses account of account", "domain.DomainStore uses plan of account",
			"domain.RecheckStore uses account of account", "outcome.AttemptStore uses delivery of accept",
			"outcome.DeadLetterStore uses delivery of accept", "outcome.DeadLetterStore uses email_content of accept",
			"outcome.FeedbackStore uses delivery of accept", "outcome.FeedbackStore uses email of accept",
			"outcome.MessageIdStore uses delivery of accept", "outcome.OutcomeStore uses delivery of accept",
			"outcome.OutcomeStore uses email of accept", "queue.MailStore uses attachment of accept",
			"queue.MailStore uses email of accept", "queue.MailStore uses email_content of accept",
			"queue.QueueStore uses account of account", "queue.QueueStore uses contact of contact",
			"queue.QueueStore uses delivery of accept", "queue.QueueStore uses domain of domain",
			"queue.QueueStore uses email of accept", "quota.QuotaStore uses account of account",
			"quota.QuotaStore uses plan of account", "retention.RetentionStore uses attachment of accept",
			"retention.RetentionStore uses dead_letter of outcome", "retention.RetentionStore uses delivery of accept",
			"retention.RetentionStore uses delivery_attempt of outcome",
			"retention.RetentionStore uses email of accept", "retention.RetentionStore uses email_content of accept",
			"retention.RetentionStore uses event of event",
			"retention.RetentionStore uses idempotency_key of idempotency",
			"retention.RetentionStore uses inbound_attachment of inbound",
			"retention.RetentionStore uses inbound_content of inbound",
			"retention.RetentionStore uses inbound_email of inbound",
			"retention.RetentionStore uses one_time_token of account",
			"retention.RetentionStore uses session of account",
			"retention.RetentionStore uses tracked_link of tracking",
			"retention.RetentionStore uses webhook_delivery of webhook",
			"tracking.EngagementStore uses delivery of accept", "tracking.EngagementStore uses email of accept",
			"usage.UsageStore uses account of account", "usage.UsageStore uses contact_book of contact",
			"usage.UsageStore uses domain of domain", "usage.UsageStore uses plan of account");

	/**
	 * Kinds whose feature does not exist yet: the end of a campaign and the thresholds of
	 * the quota.
	 */
	static final Set<String> KINDS_WITHOUT_PRODUCER = Set.of("CAMPAIGN_SENT", "QUOTA_WARNING", "QUOTA_REACHED");

	/** Packages that are still to be reduced to 20 types. */
	static final Set<String> LARGE_PACKAGES = Set.of("dev.mailroom.accept", "dev.mailroom.account",
			"dev.mailroom.domain", "dev.mailroom.outcome", "dev.mailroom.worker.inbound", "dev.mailroom.worker.smtpd",
			"dev.mailroom.worker.transport");

	/** Source files that are still to be reduced to 250 lines. */
	static final Set<String> LONG_FILES = Set.of("dev/mailroom/worker/send/LaneQueue.java");

	private OpenViolations() {
	}

}
