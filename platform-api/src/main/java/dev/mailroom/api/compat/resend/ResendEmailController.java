package dev.mailroom.api.compat.resend;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.api.email.Reschedule;
import dev.mailroom.api.email.SendEmail;
import dev.mailroom.api.email.SendResponses;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.api.http.Idempotent;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.accept.SendResult;
import dev.mailroom.mail.accept.Submissions;
import dev.mailroom.mail.draft.UncheckedMail;
import dev.mailroom.mail.log.Email;
import dev.mailroom.mail.log.Emails;
import dev.mailroom.mail.log.Schedule;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Sends, lists, reschedules and cancels mails for clients of Resend. */
@ResendRoutes
@RequestMapping("/compat/resend/emails")
class ResendEmailController {

	private static final Refusal INVALID = Refusal.invalid("Validation error");

	private static final Email.Filter ALL = new Email.Filter(null, null);

	private final Submissions submissions;

	private final Emails emails;

	private final Schedule schedule;

	private final Idempotent idempotent;

	private final JsonMapper json;

	ResendEmailController(Submissions submissions, Emails emails, Schedule schedule, Idempotent idempotent,
			JsonMapper json) {
		this.submissions = submissions;
		this.emails = emails;
		this.schedule = schedule;
		this.idempotent = idempotent;
		this.json = json;
	}

	@PostMapping
	Mono<ResponseEntity<Object>> send(Scope scope, @Nullable IdempotencyKey key, @RequestBody JsonNode body) {
		return this.submissions.send(Channel.API, scope, read(body), IdempotencyKey.claim(scope, key))
			.map((result) -> SendResponses.respond(result, new Sent(result.single().id())));
	}

	@PostMapping("/batch")
	Mono<ResponseEntity<Object>> sendBatch(Scope scope, @Nullable IdempotencyKey key,
			@RequestHeader(name = "x-batch-validation", defaultValue = "strict") String mode,
			@RequestBody JsonNode body) {
		if (!mode.equals("strict") && !mode.equals("permissive")) {
			return Mono.error(INVALID.field("x-batch-validation", "must be strict or permissive"));
		}
		boolean strict = mode.equals("strict");
		return Mono.defer(() -> {
			List<UncheckedMail> mails = SendEmail.elements(body).stream().map(this::read).toList();
			return this.submissions.sendBatch(scope, mails, IdempotencyKey.claim(scope, key), strict);
		}).map((result) -> SendResponses.respond(result, Batch.of(result.mails(), strict)));
	}

	@GetMapping
	Mono<ResendList> list(Scope scope, @RequestParam Map<String, String> query) {
		return ResendList.read(query, (id) -> this.emails.requireVisible(scope, id),
				(page) -> this.emails.list(scope, ALL, page), Item::of);
	}

	@GetMapping("/{id}")
	Mono<Detail> find(Scope scope, @PathVariable UUID id) {
		return this.emails.requireVisible(scope, id).map(Detail::of);
	}

	@PatchMapping("/{id}")
	Mono<Changed> move(Scope scope, @PathVariable UUID id, @RequestBody Reschedule body) {
		return this.schedule.move(scope, id, body.sendAt()).map(Changed::of);
	}

	@PostMapping("/{id}/cancel")
	Mono<ResponseEntity<Object>> cancel(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key) {
		return this.idempotent.answer(scope, key, HttpStatus.OK, this.schedule.cancel(scope, id).map(Changed::of));
	}

	/** Reads a mail, of which only the template has another form. */
	private UncheckedMail read(JsonNode mail) {
		try {
			return SendEmail.read(translated(mail), this.json);
		}
		catch (Refused refused) {
			return new UncheckedMail.Unreadable(refused);
		}
	}

	private static JsonNode translated(JsonNode body) {
		if (!(body instanceof ObjectNode mail)) {
			return body;
		}
		if (mail.hasNonNull("topic_id")) {
			throw INVALID.field("topic_id", "must be absent: there are no topics");
		}
		if (mail.path("attachments").valueStream().anyMatch((file) -> file.hasNonNull("path"))) {
			throw INVALID.field("attachments", "must have their content: no file is fetched from a path");
		}
		if (mail.remove("template") instanceof ObjectNode template) {
			mail.set("template_id", template.get("id"));
			mail.set("variables", template.get("variables"));
		}
		return mail;
	}

	/** The response to POST /emails. */
	record Sent(UUID id) {
	}

	/** The response to a change of a mail. */
	record Changed(String object, UUID id) {

		static Changed of(Email email) {
			return new Changed("email", email.id());
		}

	}

	/**
	 * The response to POST /emails/batch.
	 *
	 * @param data the mails that were accepted, in the request's order
	 * @param errors the others; absent if one of them would have refused the batch
	 */
	record Batch(List<Sent> data, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Fault> errors) {

		static Batch of(List<SendResult.MailResult> mails, boolean strict) {
			List<Sent> data = new ArrayList<>();
			List<Fault> errors = new ArrayList<>();
			for (int i = 0; i < mails.size(); i++) {
				switch (mails.get(i)) {
					case SendResult.Accepted accepted -> data.add(new Sent(accepted.id()));
					case SendResult.Rejected rejected -> errors.add(new Fault(i, rejected.message()));
				}
			}
			return new Batch(data, strict ? null : errors);
		}

	}

	/** The refusal of a mail of a batch. */
	record Fault(int index, String message) {
	}

	/** A mail in a list. */
	record Item(UUID id, String messageId, String from, List<String> to, @Nullable List<String> cc,
			@Nullable List<String> bcc, @Nullable List<String> replyTo, String subject, String lastEvent,
			@Nullable Instant scheduledAt, Instant createdAt) {

		static Item of(Email email) {
			return new Item(email.id(), messageId(email), email.sender(), email.toEmails(), orNull(email.cc()),
					orNull(email.bcc()), orNull(email.replyTo()), email.subject(), lastEvent(email),
					email.scheduledAt(), email.createdAt());
		}

		private static String messageId(Email email) {
			return "<" + email.id() + email.fromEmail().substring(email.fromEmail().lastIndexOf('@')) + ">";
		}

		private static String lastEvent(Email email) {
			return email.lastEvent().equals("cancelled") ? "canceled" : email.lastEvent();
		}

		private static @Nullable List<String> orNull(List<String> addresses) {
			return addresses.isEmpty() ? null : addresses;
		}

	}

	/**
	 * A mail.
	 *
	 * @param html always null, as text: no key reads the content of mails
	 */
	record Detail(String object, @JsonUnwrapped Item item, @Nullable String html, @Nullable String text,
			List<Tag> tags) {

		static Detail of(Email email) {
			return new Detail("email", Item.of(email), null, null,
					email.tags()
						.entrySet()
						.stream()
						.map((tag) -> new Tag(tag.getKey(), String.valueOf(tag.getValue())))
						.toList());
		}

	}

	/** A tag of a mail. */
	record Tag(String name, String value) {
	}

}
