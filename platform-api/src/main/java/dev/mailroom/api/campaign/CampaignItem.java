package dev.mailroom.api.campaign;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.campaign.Campaign;

/** A campaign as lists show it. */
record CampaignItem(UUID id, String name, String status, String fromEmail, String subject, String contactBookName,
		long totalContacts, long sentCount, long deliveredCount, long openedCount, long clickedCount,
		Instant createdAt) {

	static CampaignItem of(Campaign.Listed it) {
		return new CampaignItem(it.id(), it.name(), it.status(), it.fromEmail(), it.subject(), it.contactBookName(),
				it.totalContacts(), it.sentCount(), it.deliveredCount(), it.openedCount(), it.clickedCount(),
				it.createdAt());
	}

}
