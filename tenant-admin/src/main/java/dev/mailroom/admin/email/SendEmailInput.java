package dev.mailroom.admin.email;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.Submission;
import dev.mailroom.mail.draft.UncheckedMail;
import org.jspecify.annotations.Nullable;

/** An email to send. */
record SendEmailInput(@Nullable String from, List<@Nullable String> to, @Nullable List<@Nullable String> cc,
		@Nullable List<@Nullable String> bcc, @Nullable List<@Nullable String> replyTo, @Nullable String subject,
		@Nullable String html, @Nullable String text, @Nullable UUID templateId,
		@Nullable Map<String, @Nullable Object> variables, @Nullable Instant sendAt,
		@Nullable List<AttachmentInput> attachments, @Nullable Map<String, @Nullable Object> tags,
		@Nullable Map<String, @Nullable Object> headers, @Nullable Boolean openTracking,
		@Nullable Boolean clickTracking) {

	/**
	 * The mail as every protocol submits it.
	 * @throws Refused {@code Invalid request data} for a tag or a header of a wrong type
	 */
	Submission submission() {
		Submission.@Nullable TemplateReference template = (this.templateId != null)
				? new Submission.TemplateReference(this.templateId.toString(), this.variables) : null;
		return new Submission(this.from, this.to, list(this.cc), list(this.bcc), list(this.replyTo), content(),
				template, (this.sendAt != null) ? this.sendAt.toString() : null, null);
	}

	/** The mail, or its fault, as a part of a batch. */
	UncheckedMail received() {
		try {
			return submission();
		}
		catch (Refused refused) {
			return new UncheckedMail.Unreadable(refused);
		}
	}

	private MailContent content() {
		return new MailContent((this.subject != null) ? this.subject : "", this.html, this.text, files(), tagMap(),
				headerMap(), this.openTracking, this.clickTracking);
	}

	private List<MailContent.Attachment> files() {
		List<MailContent.Attachment> files = new ArrayList<>();
		for (AttachmentInput file : (this.attachments != null) ? this.attachments : List.<AttachmentInput>of()) {
			files.add(MailContent.Attachment.of(file.filename(), file.contentType(), file.contentId(), file.content()));
		}
		return files;
	}

	private Map<String, Object> tagMap() {
		Map<String, Object> map = new LinkedHashMap<>();
		entries(this.tags).forEach((name, value) -> {
			if (!(value instanceof String || value instanceof Number || value instanceof Boolean)) {
				throw invalid("tags", "must be an object of texts, numbers or truth values");
			}
			map.put(name, value);
		});
		return map;
	}

	private Map<String, String> headerMap() {
		Map<String, String> map = new LinkedHashMap<>();
		entries(this.headers).forEach((name, value) -> {
			if (!(value instanceof String text)) {
				throw invalid("headers." + name, "must be text");
			}
			map.put(name, text);
		});
		return map;
	}

	private static Map<String, @Nullable Object> entries(@Nullable Map<String, @Nullable Object> map) {
		return (map != null) ? map : Map.of();
	}

	private static List<@Nullable String> list(@Nullable List<@Nullable String> list) {
		return (list != null) ? list : List.of();
	}

	private static Refused invalid(String field, String message) {
		return Refusal.INVALID_REQUEST.field(field, message);
	}

	/** A file to attach, in base64. */
	record AttachmentInput(String filename, String content, @Nullable String contentType, @Nullable String contentId) {
	}

}
