package dev.mailroom.campaign;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How campaigns are run.
 *
 * @param maxLateness how long behind its time a scheduled campaign still starts by itself
 */
@ConfigurationProperties("mailroom.campaign")
record CampaignSettings(@DefaultValue("24h") Duration maxLateness) {
}
