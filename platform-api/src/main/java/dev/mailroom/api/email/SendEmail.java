package dev.mailroom.api.email;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonAlias;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.api.http.BadField;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.Submission;
import dev.mailroom.mail.draft.UncheckedMail;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Body of POST /emails, and each element of a batch. A list with one element may be given
 * as the element.
 */
public record SendEmail(@Nullable String from, @OneOrMany @Nullable List<@Nullable String> to,
		@OneOrMany @Nullable List<@Nullable String> cc, @OneOrMany @Nullable List<@Nullable String> bcc,
		@OneOrMany @Nullable List<@Nullable String> replyTo, @Nullable String subject, @Nullable String html,
		@Nullable String text, @Nullable String templateId, @Nullable Map<String, @Nullable Object> variables,
		@Nullable List<@Nullable File> attachments, @Nullable JsonNode tags,
		@Nullable Map<String, @Nullable String> headers, @JsonAlias( {
				"scheduled_at", "scheduledAt" }) @Nullable String sendAt,
		@Nullable Boolean openTracking, @Nullable Boolean clickTracking){

	private static final Refusal INVALID = Refusal.invalid("Validation error");

	private static final int MAX_MAILS = 100;

	/**
	 * The elements of a batch.
	 * @throws Refused {@code Validation error}
	 */
	public static List<JsonNode> elements(JsonNode batch) {
		if (!batch.isArray() || batch.isEmpty() || batch.size() > MAX_MAILS) {
			throw INVALID.because("The body must be an array of 1 to " + MAX_MAILS + " emails");
		}
		return batch.valueStream().toList();
	}

	/** Reads an element of a batch. */
	public static UncheckedMail read(JsonNode mail, JsonMapper json) {
		if (!mail.isObject()) {
			return new UncheckedMail.Unreadable(INVALID.because("Each element of the array must be an email object"));
		}
		try {
			return json.treeToValue(mail, SendEmail.class).received();
		}
		catch (JacksonException ex) {
			String field = BadField.of(ex);
			return new UncheckedMail.Unreadable(INVALID.field(field, "has the wrong type"));
		}
	}

	/** The mail as every protocol submits it. */
	UncheckedMail received() {
		try {
			return new Submission(this.from, listOf(this.to), listOf(this.cc), listOf(this.bcc), listOf(this.replyTo),
					content(), template(), this.sendAt, null);
		}
		catch (Refused refused) {
			return new UncheckedMail.Unreadable(refused);
		}
	}

	private MailContent content() {
		return new MailContent(Objects.requireNonNullElse(this.subject, ""), this.html, this.text, files(), tagMap(),
				headerMap(), this.openTracking, this.clickTracking);
	}

	private Map<String, String> headerMap() {
		Map<String, String> map = new LinkedHashMap<>();
		if (this.headers != null) {
			this.headers.forEach((name, value) -> {
				if (value == null) {
					throw invalid("headers." + name, "must be text");
				}
				map.put(name, value);
			});
		}
		return map;
	}

	private Submission.@Nullable TemplateReference template() {
		return (this.templateId != null) ? new Submission.TemplateReference(this.templateId, this.variables) : null;
	}

	private List<MailContent.Attachment> files() {
		List<MailContent.Attachment> files = new ArrayList<>();
		List<@Nullable File> attached = listOf(this.attachments);
		for (int i = 0; i < attached.size(); i++) {
			@Nullable File file = attached.get(i);
			if (file == null) {
				throw invalid("attachments[" + i + "]", "must be an object with filename and content");
			}
			files.add(MailContent.Attachment.of(file.filename(), file.contentType(), file.contentId(), file.content()));
		}
		return files;
	}

	/** Reads tags given as an object, or as a list of {@code {name, value}}. */
	private Map<String, Object> tagMap() {
		if (this.tags == null || this.tags.isNull()) {
			return Map.of();
		}
		Map<String, Object> map = new LinkedHashMap<>();
		if (this.tags.isObject()) {
			this.tags.properties().forEach((tag) -> map.put(tag.getKey(), scalar(tag.getValue())));
		}
		else if (this.tags.isArray()) {
			this.tags.forEach((tag) -> map.put(name(tag), scalar(tag.path("value"))));
		}
		else {
			throw invalidTags();
		}
		return map;
	}

	private static String name(JsonNode tag) {
		if (!tag.path("name").isString()) {
			throw invalidTags();
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
		throw invalidTags();
	}

	private static Refused invalidTags() {
		return invalid("tags", "must be an object of strings, numbers or booleans, or a list of {name, value}");
	}

	private static Refused invalid(String field, String message) {
		return INVALID.field(field, message);
	}

	private static <T extends @Nullable Object> List<T> listOf(@Nullable List<T> list) {
		return (list != null) ? list : List.of();
	}

	/** A file to attach. */
	record File(@Nullable String filename, @Nullable String content, @Nullable String contentType,
			@Nullable String contentId) {
	}

}
