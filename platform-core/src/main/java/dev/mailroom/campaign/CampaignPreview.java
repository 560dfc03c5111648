package dev.mailroom.campaign;

import java.util.HashMap;
import java.util.Map;

import dev.mailroom.contact.Contact;
import dev.mailroom.template.Content;
import dev.mailroom.template.Variables;

/** Renders a campaign for test mails and previews. */
public final class CampaignPreview {

	private static final String ADDRESS = "ann@example.com";

	/** A link without effect. */
	private static final String UNSUBSCRIBE_URL = "https://example.com/unsubscribe";

	/** Values for the variables that every contact has. */
	private static final Map<String, String> SAMPLE = Map.of("email", ADDRESS, "first_name", "Ann", "last_name",
			"Example", "unsubscribe_url", UNSUBSCRIBE_URL);

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

	/**
	 * Renders the campaign as the mail to a contact. The unsubscribe link has no effect.
	 */
	public static Content.Rendered of(Campaign campaign, Contact contact) {
		Map<String, String> values = new HashMap<>();
		contact.properties()
			.forEach((name, value) -> Variables.text(value).ifPresent((text) -> values.put(name, text)));
		values.putAll(Map.of("email", contact.email(), "first_name", contact.firstName(), "last_name",
				contact.lastName(), "unsubscribe_url", UNSUBSCRIBE_URL));
		return campaign.content().render(values);
	}

	/** Renders the campaign for a contact of which only the address is known. */
	public static Content.Rendered ofEmpty(Campaign campaign) {
		return campaign.content().render(Map.of("email", ADDRESS, "unsubscribe_url", UNSUBSCRIBE_URL));
	}

	private static Content.Rendered of(Campaign campaign, Map<String, String> sample) {
		Content content = campaign.content();
		Map<String, String> variables = new HashMap<>(sample);
		content.render(sample).missing().forEach((name) -> variables.put(name, "[" + name + "]"));
		return content.render(variables);
	}

}
