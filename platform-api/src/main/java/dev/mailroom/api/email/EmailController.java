package dev.mailroom.api.email;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.accept.CheckedMail;
import dev.mailroom.accept.MailResult;
import dev.mailroom.accept.SendRequest;
import dev.mailroom.api.idempotency.IdempotencyKey;
import dev.mailroom.api.idempotency.Idempotent;
import dev.mailroom.email.Emails;
import dev.mailroom.email.Schedule;
import dev.mailroom.idempotency.Answer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Sends one mail, shows it, and moves or cancels it while it waits. */
@RestController
class EmailController {

	private final Emails emails;

	private final Schedule schedule;

	private final JsonMapper json;

	private final MailDrafts candidates;

	private final Idempotent once;

	EmailController(Emails emails, Schedule schedule, JsonMapper json, MailDrafts candidates, Idempotent once) {
		this.once = once;
		this.emails = emails;
		this.schedule = schedule;
		this.json = json;
		this.candidates = candidates;
	}

	@PostMapping("/emails")
	Mono<ResponseEntity<Object>> send(Scope scope, @Nullable IdempotencyKey keyed, @RequestBody SendEmail body) {
		return this.candidates.of(scope, List.of(ParsedMail.of(body))).flatMap((mails) -> {
			if (keyed == null && mails.getFirst() instanceof CheckedMail.Unfit(var refused)) {
				return Mono.error(refused);
			}
			// What is unfit by now may have been sent under this key before.
			SendRequest request = new SendRequest(scope, mails, false, (keyed != null) ? keyed.claim(scope) : null,
					(verdicts) -> new Answer(200, this.json.writeValueAsString(accepted(verdicts))));
			return this.emails.accept(request)
				.map((reception) -> SendResponses.answer(reception, EmailController::accepted));
		});
	}

	@GetMapping("/emails/{id}")
	Mono<EmailDetail> find(Scope scope, @PathVariable UUID id) {
		return this.emails.find(scope, id).map(EmailDetail::of);
	}

	@PatchMapping("/emails/{id}")
	Mono<Scheduled> move(Scope scope, @PathVariable UUID id, @RequestBody Reschedule body) {
		return this.schedule.move(scope, id, body.sendAt()).map(Scheduled::of);
	}

	@PostMapping("/emails/{id}/cancel")
	Mono<ResponseEntity<Object>> cancel(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey keyed) {
		return this.once.answer(scope, keyed, HttpStatus.OK, this.schedule.cancel(scope, id).map(Scheduled::of));
	}

	/**
	 * A single mail that was turned away never comes this far: its refusal is the answer.
	 */
	private static Accepted accepted(List<MailResult> verdicts) {
		return switch (verdicts.getFirst()) {
			case MailResult.Taken taken -> Accepted.of(taken);
			case MailResult.Turned(var refused) -> throw refused;
		};
	}

}
