package dev.mailroom.api.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.api.http.Ids;
import dev.mailroom.campaign.CampaignResults;
import dev.mailroom.campaign.CampaignStatus;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Parses fields of campaign requests. */
final class CampaignFields {

	private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {
	};

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
	static @Nullable CampaignStatus status(@Nullable String text) {
		return (text == null) ? null : CampaignStatus.of(text)
			.orElseThrow(() -> invalid("status", "must be draft, scheduled, running, paused or sent"));
	}

	/** Parses the interval of a series. */
	static CampaignResults.Interval interval(@Nullable String text) {
		return CampaignResults.Interval.of(text).orElseThrow(() -> invalid("interval", "must be minute, hour or day"));
	}

	/** The filter after a change: an absent field stays, null removes it. */
	static @Nullable Map<String, Object> filter(@Nullable JsonNode change, @Nullable Map<String, Object> before) {
		if (change == null) {
			return before;
		}
		if (!change.isNull() && !change.isObject()) {
			throw invalid("filter", "has the wrong type");
		}
		return change.isNull() ? null : JsonMapper.shared().convertValue(change, OBJECT);
	}

	/** The number after a change: an absent field stays, null removes it. */
	static @Nullable Integer number(String field, @Nullable JsonNode change, @Nullable Integer before) {
		if (change == null) {
			return before;
		}
		if (!change.isNull() && !change.canConvertToInt()) {
			throw invalid(field, "has the wrong type");
		}
		return change.isNull() ? null : Integer.valueOf(change.intValue());
	}

	private static Refused invalid(String field, String message) {
		return Refusal.INVALID_REQUEST.field(field, message);
	}

}
