package dev.mailroom.mail.queue;

import java.util.List;
import java.util.UUID;

import dev.mailroom.event.TraceParent;
import org.jspecify.annotations.Nullable;

/**
 * A mail with its sender and tracking options.
 *
 * @param bucketParts names of the parts that are still to be fetched from the bucket
 * @param rowsLoaded whether all parts in the database are loaded; false if the memory
 * limit was reached before this mail
 * @param trace the span of the request that sent the mail; null unless it was sampled
 * @param merge values of the placeholders in the mail of a campaign; null for other mail
 */
record LoadedMail(UUID accountId, UUID domainId, boolean openTracking, boolean clickTracking, StoredMail mail,
		List<String> bucketParts, boolean rowsLoaded, @Nullable TraceParent trace, @Nullable Merge merge) {

	boolean isComplete() {
		return this.rowsLoaded && this.bucketParts.isEmpty();
	}

	/** The same with the complete mail. */
	LoadedMail complete(StoredMail mail) {
		return new LoadedMail(this.accountId, this.domainId, this.openTracking, this.clickTracking, mail, List.of(),
				true, this.trace, this.merge);
	}

	LoadedMail with(CampaignContents.CampaignContent content, Merge merge) {
		return new LoadedMail(this.accountId, this.domainId, this.openTracking, this.clickTracking,
				this.mail.with(content.html(), content.text(), List.of()), List.of(), true, this.trace, merge);
	}

}
