package dev.mailroom.template;

import java.util.Map;
import java.util.UUID;

/** The contents of several templates of an account, by template id. */
public final class Contents {

	private final Map<UUID, Content> contents;

	Contents(Map<UUID, Content> contents) {
		this.contents = Map.copyOf(contents);
	}

	/**
	 * The content of a template.
	 * @throws dev.mailroom.Refused {@code Template not found} if the account has no
	 * template with this id
	 */
	public Content of(UUID id) {
		Content content = this.contents.get(id);
		if (content == null) {
			throw TemplateRefusals.missing(id);
		}
		return content;
	}

}
