package dev.mailroom.campaign;

import java.util.HashMap;
import java.util.Map;

import dev.mailroom.template.Content;

/** Renders a campaign for a test mail. */
public final class CampaignPreview {

	/** Values for the variables that every contact has. The link has no effect. */
	private static final Map<String, String> SAMPLE = Map.of("email", "ann@example.com", "first_name", "Ann",
			"last_name", "Example", "unsubscribe_url", "https://example.com/unsubscribe");

	private CampaignPreview() {
	}

	/**
	 * Renders the campaign for a sample contact. A variable without a sample value and
	 * without a fallback is rendered as its name in brackets.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if the mail would become
	 * too large
	 */
	public static Content.Rendered of(Campaign campaign) {
		return of(campaign, SAMPLE);
	}

	/**
	 * Renders the campaign like {@link #of(Campaign)}, with a working unsubscribe link.
	 * @param unsubscribeUrl the link of a contact of the campaign's book
	 */
	public static Content.Rendered of(Campaign campaign, String unsubscribeUrl) {
		Map<String, String> sample = new HashMap<>(SAMPLE);
		sample.put("unsubscribe_url", unsubscribeUrl);
		return of(campaign, sample);
	}

	private static Content.Rendered of(Campaign campaign, Map<String, String> sample) {
		Content content = campaign.content();
		Map<String, String> variables = new HashMap<>(sample);
		content.render(sample).missing().forEach((name) -> variables.put(name, "[" + name + "]"));
		return content.render(variables);
	}

}
