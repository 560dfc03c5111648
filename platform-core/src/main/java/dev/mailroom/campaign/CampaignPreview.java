package dev.mailroom.campaign;

import java.util.HashMap;
import java.util.Map;

import dev.mailroom.template.Content;

/** Fills a campaign in for somebody who wants to see what it looks like. */
public final class CampaignPreview {

	/**
	 * What every contact has. The link goes nowhere: who is no contact has nothing to
	 * leave.
	 */
	private static final Map<String, String> SAMPLE = Map.of("email", "ann@example.com", "first_name", "Ann",
			"last_name", "Example", "unsubscribe_url", "https://example.com/unsubscribe");

	private CampaignPreview() {
	}

	/**
	 * The campaign as a made-up contact would get it. What only the account's own
	 * contacts know is shown by its name.
	 * @throws dev.mailroom.Refused {@code Invalid request data} where the mail would
	 * become too large
	 */
	public static Content.Rendered of(Campaign campaign) {
		return of(campaign, SAMPLE);
	}

	/**
	 * The campaign for a contact of its book, who can leave it by the mail.
	 * @param wayOut the contact's own link
	 */
	public static Content.Rendered of(Campaign campaign, String wayOut) {
		Map<String, String> sample = new HashMap<>(SAMPLE);
		sample.put("unsubscribe_url", wayOut);
		return of(campaign, sample);
	}

	private static Content.Rendered of(Campaign campaign, Map<String, String> sample) {
		Content content = campaign.content();
		Map<String, String> variables = new HashMap<>(sample);
		content.render(sample).missing().forEach((name) -> variables.put(name, "[" + name + "]"));
		return content.render(variables);
	}

}
