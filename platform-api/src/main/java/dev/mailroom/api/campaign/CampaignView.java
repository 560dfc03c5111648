package dev.mailroom.api.campaign;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.campaign.CampaignResults;
import org.jspecify.annotations.Nullable;

/** A campaign in a response. */
record CampaignView(UUID id, String name, String status, String from, String fromEmail, List<String> replyTo,
		String subject, UUID contactBookId, String contactBookName, @Nullable UUID templateId,
		@Nullable String htmlContent, @Nullable String textContent, @Nullable Instant sendAt,
		@Nullable Instant startedAt, long totalContacts, long sentCount, long deliveredCount, long openedCount,
		long clickedCount, Instant createdAt, Instant updatedAt) {

	static CampaignView of(Campaign it) {
		return new CampaignView(it.id(), it.name(), it.status().contractName(), it.sender(), it.fromEmail(),
				it.replyTo(), it.subject(), it.contactBookId(), it.contactBookName(), it.templateId(), it.htmlContent(),
				it.textContent(), it.sendAt(), it.startedAt(), it.totalContacts(), it.sentCount(), it.deliveredCount(),
				it.openedCount(), it.clickedCount(), it.createdAt(), it.updatedAt());
	}

	/**
	 * A campaign with its results, as only GET /campaigns/:id shows it.
	 *
	 * @param filter null if all contacts are recipients
	 */
	record Detail(@JsonUnwrapped CampaignView campaign, @Nullable String pausedReason,
			@Nullable Map<String, Object> filter, @Nullable Integer pace, long bouncedCount, long complainedCount,
			long unsubscribedCount, long failedCount, long skippedCount) {

		static Detail of(Campaign it) {
			return new Detail(CampaignView.of(it), it.pausedReason(), it.filter().isEmpty() ? null : it.filter(),
					it.pace(), it.bouncedCount(), it.complainedCount(), it.unsubscribedCount(), it.failedCount(),
					it.skippedCount());
		}

	}

	/** Results of a campaign in an interval, in a series. */
	record SeriesPoint(Instant at, long sentCount, long deliveredCount, long bouncedCount, long complainedCount,
			long failedCount, long openedCount, long clickedCount, long unsubscribedCount, long skippedCount) {

		static SeriesPoint of(CampaignResults.Point it) {
			return new SeriesPoint(it.at(), it.sent(), it.delivered(), it.bounced(), it.complained(), it.failed(),
					it.opened(), it.clicked(), it.unsubscribed(), it.skipped());
		}

	}

	/** Clicks on a link of a campaign. */
	record LinkClicks(String url, long clickCount) {

		static LinkClicks of(CampaignResults.Link it) {
			return new LinkClicks(it.url(), it.clicks());
		}

	}

	/** A campaign in a list. */
	record Item(UUID id, String name, String status, String fromEmail, String subject, String contactBookName,
			long totalContacts, long sentCount, long deliveredCount, long openedCount, long clickedCount,
			Instant createdAt) {

		static Item of(Campaign.Listed it) {
			return new Item(it.id(), it.name(), it.status().contractName(), it.fromEmail(), it.subject(),
					it.contactBookName(), it.totalContacts(), it.sentCount(), it.deliveredCount(), it.openedCount(),
					it.clickedCount(), it.createdAt());
		}

	}

	/** The response to a pause: the id and the status only. */
	record Paused(UUID id, String status) {

		static Paused of(Campaign it) {
			return new Paused(it.id(), it.status().contractName());
		}

	}

}
