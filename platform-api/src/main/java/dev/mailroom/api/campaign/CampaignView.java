package dev.mailroom.api.campaign;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.campaign.Campaign;
import org.jspecify.annotations.Nullable;

/** A campaign in a response. */
record CampaignView(UUID id, String name, String status, String from, String fromEmail, List<String> replyTo,
		String subject, UUID contactBookId, String contactBookName, @Nullable UUID templateId,
		@Nullable String htmlContent, @Nullable String textContent, @Nullable Instant sendAt,
		@Nullable Instant startedAt, @Nullable String pausedReason, long totalContacts, long sentCount,
		long deliveredCount, long openedCount, long clickedCount, Instant createdAt, Instant updatedAt) {

	static CampaignView of(Campaign it) {
		return new CampaignView(it.id(), it.name(), it.status().wire(), it.sender(), it.fromEmail(), it.replyTo(),
				it.subject(), it.contactBookId(), it.contactBookName(), it.templateId(), it.htmlContent(),
				it.textContent(), it.sendAt(), it.startedAt(), it.pausedReason(), it.totalContacts(), it.sentCount(),
				it.deliveredCount(), it.openedCount(), it.clickedCount(), it.createdAt(), it.updatedAt());
	}

	/** A campaign in a list. */
	record Item(UUID id, String name, String status, String fromEmail, String subject, String contactBookName,
			long totalContacts, long sentCount, long deliveredCount, long openedCount, long clickedCount,
			Instant createdAt) {

		static Item of(Campaign.Listed it) {
			return new Item(it.id(), it.name(), it.status().wire(), it.fromEmail(), it.subject(), it.contactBookName(),
					it.totalContacts(), it.sentCount(), it.deliveredCount(), it.openedCount(), it.clickedCount(),
					it.createdAt());
		}

	}

	/** The response to a pause: the id and the status only. */
	record Paused(UUID id, String status) {

		static Paused of(Campaign it) {
			return new Paused(it.id(), it.status().wire());
		}

	}

}
