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

/** Reads the fields of a campaign's requests. */
final class CampaignFields {

	private static final Refusal INVALID = Refusal.invalid("Invalid request data");

	private CampaignFields() {
	}

	/** An id in a body; null where there is none. */
	static @Nullable UUID id(String field, @Nullable String text) {
		return (text == null) ? null : Ids.read(text).orElseThrow(() -> wrong(field, "must be an id: a UUID"));
	}

	/** A text as it is after a change: what is left out stays, what is null goes. */
	static @Nullable String text(String field, @Nullable JsonNode change, @Nullable String before) {
		if (change == null) {
			return before;
		}
		if (!change.isNull() && !change.isString()) {
			throw wrong(field, "has the wrong type");
		}
		return change.isNull() ? null : change.stringValue();
	}

	/** A list as it is after a change; one text is a list of it. */
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

	/** The state that a list is asked for; null for every one. */
	static @Nullable Status status(@Nullable String text) {
		return (text == null) ? null : Status.of(text)
			.orElseThrow(() -> wrong("status", "must be draft, scheduled, running, paused or sent"));
	}

	private static Refused wrong(String field, String message) {
		return INVALID.because(field + " " + message, List.of(new Refusal.Detail(field, message)));
	}

}
