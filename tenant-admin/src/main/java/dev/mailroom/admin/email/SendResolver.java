package dev.mailroom.admin.email;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.mail.accept.SendResult;
import dev.mailroom.mail.accept.TestSends;
import dev.mailroom.mail.log.Schedule;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.stereotype.Controller;

/** Sending of emails, and changes of those that wait for their time. */
@Controller
class SendResolver {

	private final TestSends sends;

	private final Schedule schedule;

	private final SentMails sent;

	private final RetryKeys keys;

	SendResolver(TestSends sends, Schedule schedule, SentMails sent, RetryKeys keys) {
		this.keys = keys;
		this.sends = sends;
		this.schedule = schedule;
		this.sent = sent;
	}

	@MutationMapping
	Mono<Map<String, Object>> sendEmail(Scope scope, @Argument SendEmailInput input,
			@Argument @Nullable String idempotencyKey) {
		Mono<SendResult> sent = Mono.defer(() -> this.sends.send(scope, input.submission(),
				this.keys.claim(scope, "sendEmail", idempotencyKey, input)));
		return Payload.fields(sent.flatMap((result) -> this.sent.find(scope, result)
			.map((email) -> Map.of("email", email, "replayed", result.replayed()))));
	}

	@MutationMapping
	Mono<Map<String, Object>> sendEmails(Scope scope, @Argument List<SendEmailInput> emails,
			@Argument @Nullable String idempotencyKey) {
		Mono<SendResult> sent = Mono
			.defer(() -> this.sends.sendBatch(scope, emails.stream().map(SendEmailInput::received).toList(),
					this.keys.claim(scope, "sendEmails", idempotencyKey, emails)));
		return Payload.fields(sent.map((result) -> Map.of("results",
				result.mails().stream().map(SentEmail::of).toList(), "replayed", result.replayed())));
	}

	@MutationMapping
	Mono<Map<String, Object>> cancelEmail(Scope scope, @Argument UUID id) {
		return Payload.of("email", this.schedule.cancel(scope, id));
	}

	@MutationMapping
	Mono<Map<String, Object>> rescheduleEmail(Scope scope, @Argument RescheduleEmailInput input) {
		return Payload.of("email", this.schedule.move(scope, input.id(), input.sendAt().toString()));
	}

	/**
	 * Result of one mail of a batch.
	 *
	 * @param emailId null if the mail was refused
	 * @param error null if it was accepted
	 */
	record SentEmail(@Nullable UUID emailId, Payload.@Nullable UserError error) {

		static SentEmail of(SendResult.MailResult mail) {
			return switch (mail) {
				case SendResult.Accepted accepted -> new SentEmail(accepted.id(), null);
				case SendResult.Rejected(var refusal, var message) ->
					new SentEmail(null, new Payload.UserError(refusal.name(), refusal.error(), message, null));
			};
		}

	}

	/** A new time of an email. */
	record RescheduleEmailInput(UUID id, Instant sendAt) {
	}

}
