package dev.mailroom.campaign;

import java.util.HashMap;
import java.util.Map;

import dev.mailroom.template.Content;

/** Fills a campaign in for somebody who wants to see what it looks like. */
public final class Trial {

	/**
	 * What every contact has; the link goes nowhere, for a try shall unsubscribe nobody.
	 */
	private static final Map<String, String> SAMPLE = Map.of("email", "ann@example.com", "first_name", "Ann",
			"last_name", "Example", "unsubscribe_url", "https://example.com/unsubscribe");

	private Trial() {
	}

	/**
	 * The campaign as a made-up contact would get it. What only the account's own
	 * contacts know is shown by its name.
	 * @throws dev.mailroom.Refused {@code Invalid request data} where the mail would
	 * become too large
	 */
	public static Content.Rendered of(Campaign campaign) {
		Content content = campaign.content();
		Map<String, String> variables = new HashMap<>(SAMPLE);
		content.render(SAMPLE).missing().forEach((name) -> variables.put(name, "[" + name + "]"));
		return content.render(variables);
	}

}
