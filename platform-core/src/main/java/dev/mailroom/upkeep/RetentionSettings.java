package dev.mailroom.upkeep;

import java.time.Duration;

import dev.mailroom.Allowed;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Retention periods of some days at least; 0 disables the removal. Mail and its events
 * are kept for longer than a campaign's retries and the calls of a webhook last.
 *
 * @param body content of mails, with their attachments
 * @param metadata mails, deliveries, attempts and events
 * @param links targets of links, since the last mail that contained them
 * @param audit entries of the audit log; those of the last 30 days remain in any case
 * @param partition whether months or days are dropped as a whole
 */
@ConfigurationProperties("mailroom.retention")
record RetentionSettings(@DefaultValue("30d") @Allowed(from = "1d", to = "36500d", or = "0") Duration body,
		@DefaultValue("90d") @Allowed(from = "7d", to = "36500d", or = "0") Duration metadata,
		@DefaultValue("365d") @Allowed(from = "7d", to = "36500d", or = "0") Duration links,
		@DefaultValue("730d") @Allowed(from = "30d", to = "36500d", or = "0") Duration audit,
		@DefaultValue("month") Unit partition) {

	/** Whether partitions are created by day. */
	boolean byDay() {
		return this.partition == Unit.DAY;
	}

	/** Time of a partition. */
	enum Unit {

		/** A month of UTC. */
		MONTH,

		/** A day of UTC. */
		DAY

	}

}
