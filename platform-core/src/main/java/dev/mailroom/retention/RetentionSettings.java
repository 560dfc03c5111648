package dev.mailroom.retention;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long things are kept; 0 keeps them for ever.
 *
 * @param body what a mail said, with its files
 * @param metadata a mail, its deliveries, its attempts and its events
 * @param links where a link leads, from the last mail on that had it
 */
@ConfigurationProperties("mailroom.retention")
record RetentionSettings(@DefaultValue("30d") Duration body, @DefaultValue("90d") Duration metadata,
		@DefaultValue("365d") Duration links) {
}
