package dev.mailroom.template;

import java.util.Map;
import java.util.UUID;

/** What several templates of an account say. */
public final class Contents {

	private final Map<UUID, Content> known;

	Contents(Map<UUID, Content> known) {
		this.known = Map.copyOf(known);
	}

	/**
	 * What one of them says.
	 * @throws dev.mailroom.Refused {@code Template not found} where the account has none
	 * with this id
	 */
	public Content of(UUID id) {
		Content content = this.known.get(id);
		if (content == null) {
			throw TemplateRefusals.missing(id);
		}
		return content;
	}

}
