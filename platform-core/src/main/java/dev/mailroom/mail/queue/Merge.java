package dev.mailroom.mail.queue;

import java.util.Map;
import java.util.UUID;

/**
 * Values with which the bodies of a campaign are rendered for one contact.
 *
 * @param values values of placeholders by name, without the unsubscribe link
 */
public record Merge(UUID campaignId, Map<String, String> values) {

	public Merge {
		values = Map.copyOf(values);
	}

}
