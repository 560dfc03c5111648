package dev.mailroom.api.email;

import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.api.http.Idempotent;
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

/** Shows mails, and reschedules or cancels those not yet due. */
@RestController
class EmailController {

	private final Emails emails;

	private final Schedule schedule;

	private final Idempotent idempotent;

	EmailController(Emails emails, Schedule schedule, Idempotent idempotent) {
		this.emails = emails;
		this.schedule = schedule;
		this.idempotent = idempotent;
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
