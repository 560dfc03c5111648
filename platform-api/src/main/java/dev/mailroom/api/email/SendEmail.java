package dev.mailroom.api.email;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonAlias;
import dev.mailroom.Refusal;
import dev.mailroom.email.Submission;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The body of POST /emails, and each element of its batch. A list may be given as its one
 * element.
 */
record SendEmail(@Nullable String from, @OneOrMany @Nullable List<@Nullable String> to,
		@OneOrMany @Nullable List<@Nullable String> cc, @OneOrMany @Nullable List<@Nullable String> bcc,
		@OneOrMany @Nullable List<@Nullable String> replyTo, @Nullable String subject, @Nullable String html,
		@Nullable String text, @Nullable List<@Nullable Attached> attachments, @Nullable JsonNode tags,
		@Nullable Map<String, @Nullable String> headers, @JsonAlias( {
				"scheduled_at", "scheduledAt" }) @Nullable String sendAt,
		@Nullable Boolean openTracking, @Nullable Boolean clickTracking){

	private static final Refusal INVALID = Refusal.invalid("Validation error");

	/** The same, as the core takes it. */
	Submission submission() {
		return new Submission(this.from, this.to, this.cc, this.bcc, this.replyTo, this.subject, this.html, this.text,
				files(), tagged(), this.headers, this.sendAt, this.openTracking, this.clickTracking);
	}

	private @Nullable List<Submission.@Nullable File> files() {
		if (this.attachments == null) {
			return null;
		}
		List<Submission.@Nullable File> files = new ArrayList<>();
		this.attachments.forEach((attached) -> files.add((attached != null) ? attached.file() : null));
		return files;
	}

	/**
	 * Tags as an object, or as the list of {@code {name, value}} that other services
	 * take.
	 */
	private @Nullable Map<String, Object> tagged() {
		if (this.tags == null || this.tags.isNull()) {
			return null;
		}
		Map<String, Object> tagged = new LinkedHashMap<>();
		if (this.tags.isObject()) {
			this.tags.properties().forEach((tag) -> tagged.put(tag.getKey(), scalar(tag.getValue())));
		}
		else if (this.tags.isArray()) {
			this.tags.forEach((tag) -> tagged.put(name(tag), scalar(tag.path("value"))));
		}
		else {
			throw refused();
		}
		return tagged;
	}

	private static String name(JsonNode tag) {
		if (!tag.path("name").isString()) {
			throw refused();
		}
		return tag.path("name").stringValue();
	}

	private static Object scalar(JsonNode value) {
		if (value.isString()) {
			return value.stringValue();
		}
		if (value.isBoolean()) {
			return value.booleanValue();
		}
		if (value.isNumber()) {
			return value.numberValue();
		}
		throw refused();
	}

	private static RuntimeException refused() {
		String message = "must be an object of texts, numbers or truth values, or a list of {name, value}";
		return INVALID.because("tags: " + message, List.of(new Refusal.Detail("tags", message)));
	}

	/** A file to attach. */
	record Attached(@Nullable String filename, @Nullable String content, @Nullable String contentType,
			@Nullable String contentId) {

		Submission.File file() {
			return new Submission.File(this.filename, this.content, this.contentType, this.contentId);
		}

	}

}
