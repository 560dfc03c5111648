package dev.mailroom.upkeep;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Retention periods; 0 disables the removal.
 *
 * @param body content of mails, with their attachments
 * @param metadata mails, deliveries, attempts and events
 * @param links targets of links, since the last mail that contained them
 * @param audit entries of the audit log; those of the last 30 days remain in any case
 */
@ConfigurationProperties("mailroom.retention")
record RetentionSettings(@DefaultValue("30d") Duration body, @DefaultValue("90d") Duration metadata,
		@DefaultValue("365d") Duration links, @DefaultValue("730d") Duration audit) {
}
