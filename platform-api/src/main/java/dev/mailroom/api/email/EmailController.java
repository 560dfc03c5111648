package dev.mailroom.api.email;

import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.api.http.Idempotent;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.accept.Submissions;
import dev.mailroom.mail.log.Emails;
import dev.mailroom.mail.log.Schedule;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Sends single emails, shows them, and reschedules or cancels those not yet due. */
@RestController
class EmailController {

	private final Submissions submissions;

	private final Emails emails;

	private final Schedule schedule;

	private final Idempotent idempotent;

	EmailController(Submissions submissions, Emails emails, Schedule schedule, Idempotent idempotent) {
		this.submissions = submissions;
		this.emails = emails;
		this.schedule = schedule;
		this.idempotent = idempotent;
	}

	@PostMapping("/emails")
	Mono<ResponseEntity<Object>> send(Scope scope, @Nullable IdempotencyKey key, @RequestBody SendEmail body) {
		return this.submissions.send(Channel.API, scope, body.received(), IdempotencyKey.claim(scope, key))
			.map(SendResponses::single);
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
	Mono<ResponseEntity<Object>> cancel(Scope scope, @PathVariable UUID id, @Nullable IdempotencyKey key) {
		return this.idempotent.answer(scope, key, HttpStatus.OK, this.schedule.cancel(scope, id).map(Scheduled::of));
	}

}
