package dev.mailroom.api.email;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonAlias;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.api.http.Ids;
import dev.mailroom.submission.Submission;
import dev.mailroom.template.Content;
import dev.mailroom.template.Variables;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The body of POST /emails, and each element of its batch. A list may be given as its one
 * element.
 */
record SendEmail(@Nullable String from, @OneOrMany @Nullable List<@Nullable String> to,
		@OneOrMany @Nullable List<@Nullable String> cc, @OneOrMany @Nullable List<@Nullable String> bcc,
		@OneOrMany @Nullable List<@Nullable String> replyTo, @Nullable String subject, @Nullable String html,
		@Nullable String text, @Nullable String templateId, @Nullable Map<String, @Nullable Object> variables,
		@Nullable List<@Nullable Attached> attachments, @Nullable JsonNode tags,
		@Nullable Map<String, @Nullable String> headers, @JsonAlias( {
				"scheduled_at", "scheduledAt" }) @Nullable String sendAt,
		@Nullable Boolean openTracking, @Nullable Boolean clickTracking){

	private static final Refusal INVALID = Refusal.invalid("Validation error");

	/**
	 * The template it is written with; null where it brings its own content.
	 * @throws dev.mailroom.Refused {@code Validation error} where that is no id, or both
	 * are given
	 */
	@Nullable UUID template() {
		if (this.templateId == null) {
			return null;
		}
		if (isGiven(this.html) || isGiven(this.text)) {
			throw refused("template_id", "stands in place of html and text: give one or the other");
		}
		return Ids.read(this.templateId)
			.orElseThrow(() -> refused("template_id", "must be the id of one of your templates"));
	}

	/** The same, as the core takes it. */
	Submission submission() {
		return submission(this.subject, this.html, this.text);
	}

	/**
	 * The same, with what its template says.
	 * @throws dev.mailroom.Refused {@code Validation error} where its variables do not go
	 * in
	 */
	Submission submission(Content template) {
		try {
			Content.Rendered rendered = template.render(Variables.read(this.variables));
			return submission(isGiven(this.subject) ? this.subject : rendered.subject(), rendered.html(),
					rendered.text());
		}
		catch (Refused refused) {
			throw INVALID.because(refused.message(), refused.details());
		}
	}

	private Submission submission(@Nullable String subject, @Nullable String html, @Nullable String text) {
		return new Submission(this.from, this.to, this.cc, this.bcc, this.replyTo, subject, html, text, files(),
				tagged(), this.headers, this.sendAt, this.openTracking, this.clickTracking);
	}

	private static boolean isGiven(@Nullable String text) {
		return text != null && !text.isEmpty();
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
			throw badTags();
		}
		return tagged;
	}

	private static String name(JsonNode tag) {
		if (!tag.path("name").isString()) {
			throw badTags();
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
		throw badTags();
	}

	private static RuntimeException badTags() {
		return refused("tags", "must be an object of texts, numbers or truth values, or a list of {name, value}");
	}

	private static RuntimeException refused(String field, String message) {
		return INVALID.because(field + ": " + message, List.of(new Refusal.Detail(field, message)));
	}

	/** A file to attach. */
	record Attached(@Nullable String filename, @Nullable String content, @Nullable String contentType,
			@Nullable String contentId) {

		Submission.File file() {
			return new Submission.File(this.filename, this.content, this.contentType, this.contentId);
		}

	}

}
