package dev.mailroom.campaign;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of campaigns.
 *
 * @param maxLateness longest delay after which a missed campaign still starts; later it
 * is paused
 */
@ConfigurationProperties("mailroom.campaign")
record CampaignSettings(@DefaultValue("24h") Duration maxLateness) {

	CampaignSettings {
		if (maxLateness.isNegative()) {
			throw new IllegalArgumentException("mailroom.campaign.max-lateness must not be negative");
		}
	}

}
