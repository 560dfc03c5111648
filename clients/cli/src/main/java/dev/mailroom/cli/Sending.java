package dev.mailroom.cli;

import java.io.IOException;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.sdk.MailroomException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command that sends a mail. */
@Command(name = "mailroom", addMethodSubcommands = false)
final class Sending {

	private final Session session;

	Sending(Session session) {
		this.session = session;
	}

	@Command(description = "Send a mail, now or at a given time.")
	int send(
			@Option(names = "--from", paramLabel = "ADDRESS",
					description = "The sender: an address, or NAME <ADDRESS>.") @Nullable String from,
			@Option(names = "--to", paramLabel = "ADDRESS",
					description = "A recipient; may be repeated.") @Nullable List<String> to,
			@Option(names = "--cc", paramLabel = "ADDRESS",
					description = "A recipient of a copy; may be repeated.") @Nullable List<String> cc,
			@Option(names = "--bcc", paramLabel = "ADDRESS",
					description = "A hidden recipient; may be repeated.") @Nullable List<String> bcc,
			@Option(names = "--reply-to", paramLabel = "ADDRESS",
					description = "The address of answers; may be repeated.") @Nullable List<String> replyTo,
			@Option(names = "--subject", paramLabel = "TEXT", description = "The subject.") @Nullable String subject,
			@Option(names = "--text", paramLabel = "TEXT", description = "The text.") @Nullable String text,
			@Option(names = "--text-file", paramLabel = "FILE",
					description = "A file with the text; - is the standard input.") @Nullable String textFile,
			@Option(names = "--html-file", paramLabel = "FILE",
					description = "A file with the HTML; - is the standard input.") @Nullable String htmlFile,
			@Option(names = "--template", paramLabel = "NAME",
					description = "The id or name of a template.") @Nullable String template,
			@Option(names = "--var", paramLabel = "NAME=VALUE",
					description = "A value for the template; may be repeated.") @Nullable Map<String, String> variables,
			@Option(names = "--tag", paramLabel = "NAME=VALUE",
					description = "Custom data that the events repeat; may be repeated.") @Nullable Map<String, String> tags,
			@Option(names = "--header", paramLabel = "NAME=VALUE",
					description = "An additional header; may be repeated.") @Nullable Map<String, String> headers,
			@Option(names = "--attach", paramLabel = "FILE",
					description = "An attachment; may be repeated.") @Nullable List<Path> attachments,
			@Option(names = "--at", paramLabel = "TIME",
					description = "The time to send at, such as 2026-12-01T09:00:00Z or +2h.") @Nullable Instant at,
			@Option(names = "--idempotency-key", paramLabel = "TEXT",
					description = "Makes it safe to repeat the command.") @Nullable String key,
			@Option(names = "--wait", arity = "0..1", fallbackValue = "2m", paramLabel = "TIME",
					description = "Wait for the delivery, two minutes by default.") @Nullable Duration wait)
			throws IOException {
		Api api = this.session.api();
		Map<String, Object> mail = new LinkedHashMap<>();
		mail.put("from", this.session.required(from, "--from", "From"));
		mail.put("to", (to != null) ? to : List.of(this.session.required(null, "--to", "To")));
		put(mail, "cc", cc);
		put(mail, "bcc", bcc);
		put(mail, "reply_to", replyTo);
		boolean content = textFile != null || htmlFile != null || template != null;
		put(mail, "subject",
				(subject == null && template != null) ? null : this.session.required(subject, "--subject", "Subject"));
		put(mail, "text", (textFile != null) ? this.session.read(textFile)
				: content ? text : this.session.required(text, "--text", "Text"));
		put(mail, "html", (htmlFile != null) ? this.session.read(htmlFile) : null);
		put(mail, "template_id", (template != null) ? api.id("/templates", "templates", template) : null);
		put(mail, "variables", variables);
		put(mail, "tags", tags);
		put(mail, "headers", headers);
		put(mail, "attachments", (attachments != null) ? attached(attachments) : null);
		put(mail, "send_at", at);
		Value sent = api.post("/emails", mail, (key != null) ? key : UUID.randomUUID().toString());
		if (wait == null) {
			this.session.output().result(sent.it(), sent.at("id").text());
			return 0;
		}
		try {
			return Emails.await(this.session, api, sent.at("id").raw(), wait);
		}
		catch (MailroomException | Failure ex) {
			// The mail was accepted: a script must not send it again.
			this.session.output().result(sent.it(), sent.at("id").text());
			throw ex;
		}
	}

	private static void put(Map<String, Object> mail, String field, @Nullable Object value) {
		if (value != null) {
			mail.put(field, value);
		}
	}

	private static List<Map<String, Object>> attached(List<Path> files) throws IOException {
		List<Map<String, Object>> attachments = new ArrayList<>();
		for (Path file : files) {
			String name = String.valueOf(file.getFileName());
			Map<String, Object> attachment = new LinkedHashMap<>();
			attachment.put("filename", name);
			attachment.put("content", Base64.getEncoder().encodeToString(Files.readAllBytes(file)));
			put(attachment, "contentType", URLConnection.guessContentTypeFromName(name));
			attachments.add(attachment);
		}
		return attachments;
	}

}
