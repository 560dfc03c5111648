package dev.mailroom.api.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.api.http.Ids;
import dev.mailroom.campaign.Status;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Parses fields of campaign requests. */
final class CampaignFields {

	private static final Refusal INVALID = Refusal.invalid("Invalid request data");

	private CampaignFields() {
	}

	/** Parses an id in a body; null without one. */
	static @Nullable UUID id(String field, @Nullable String text) {
		return (text == null) ? null : Ids.read(text).orElseThrow(() -> invalid(field, "must be a UUID"));
	}

	/** The text after a change: an absent field stays, null removes it. */
	static @Nullable String text(String field, @Nullable JsonNode change, @Nullable String before) {
		if (change == null) {
			return before;
		}
		if (!change.isNull() && !change.isString()) {
			throw invalid(field, "has the wrong type");
		}
		return change.isNull() ? null : change.stringValue();
	}

	/** The list after a change; a single text is a list of one. */
	static @Nullable List<@Nullable String> texts(String field, @Nullable JsonNode change,
			@Nullable List<@Nullable String> before) {
		if (change == null) {
			return before;
		}
		List<@Nullable String> texts = new ArrayList<>();
		if (change.isArray()) {
			change.forEach((element) -> texts.add(text(field, element, null)));
		}
		else if (!change.isNull()) {
			texts.add(text(field, change, null));
		}
		return texts;
	}

	/** Parses the status that a list is filtered by; null for all. */
	static @Nullable Status status(@Nullable String text) {
		return (text == null) ? null : Status.of(text)
			.orElseThrow(() -> invalid("status", "must be draft, scheduled, running, paused or sent"));
	}

	private static Refused invalid(String field, String message) {
		return INVALID.because(field + " " + message, List.of(new Refusal.Detail(field, message)));
	}

}
