package dev.mailroom.standalone.demo;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A delivered mail.
 *
 * @param domain name of the sending domain
 * @param campaignId campaign of the mail; null if it belongs to none, as the two after it
 */
record Delivered(UUID account, UUID id, String subject, String domain, @Nullable UUID campaignId,
		@Nullable String campaign, @Nullable UUID contact) {

	/** A number below 1000; recipients open, click and unsubscribe at low ones. */
	int rank() {
		return Math.floorMod(this.id.hashCode(), 1000);
	}

}
