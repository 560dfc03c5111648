package dev.mailroom.api.email;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.accept.CheckedMail;
import dev.mailroom.accept.Draft;
import dev.mailroom.accept.MailResult;
import dev.mailroom.accept.SendRequest;
import dev.mailroom.accept.SendResult;
import dev.mailroom.api.http.Success;
import dev.mailroom.api.idempotency.IdempotencyKey;
import dev.mailroom.api.idempotency.Idempotent;
import dev.mailroom.email.Emails;
import dev.mailroom.idempotency.Answer;
import dev.mailroom.submission.Drafting;
import dev.mailroom.submission.Senders;
import dev.mailroom.submission.Submission;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

/**
 * Sends a real mail for a route that is not about mails: to try out a template or a
 * campaign.
 */
@Component
public class TestSends {

	private static final Refusal INVALID = Refusal.invalid("Invalid request data");

	private final Emails emails;

	private final JsonMapper json;

	private final Clock clock;

	TestSends(Emails emails, JsonMapper json, Clock clock) {
		this.emails = emails;
		this.json = json;
		this.clock = clock;
	}

	/**
	 * Sends one mail and answers with it. It counts like any other.
	 * @param keyed the request's key, or null where it has none
	 */
	public Mono<ResponseEntity<Object>> send(Senders.Sender sender, @Nullable IdempotencyKey keyed, Submission mail) {
		return send(sender, keyed, mail, null);
	}

	/**
	 * Sends one mail and answers with it.
	 * @param contact the contact of a book that it goes to alone, or null where it goes
	 * to none
	 */
	public Mono<ResponseEntity<Object>> send(Senders.Sender sender, @Nullable IdempotencyKey keyed, Submission mail,
			@Nullable UUID contact) {
		SendRequest request = new SendRequest(sender.scope(), List.of(candidate(mail, contact)), false,
				(keyed != null) ? keyed.claim(sender.scope()) : null,
				(verdicts) -> new Answer(200, this.json.writeValueAsString(sent(verdicts))));
		return this.emails.accept(request).map((reception) -> switch (reception) {
			case SendResult.Done(var verdicts) -> ResponseEntity.ok((Object) sent(verdicts));
			case SendResult.Replayed(var answer) -> Idempotent.replayed(answer);
		});
	}

	/** Here it is another route that refuses, not the mail's. */
	private CheckedMail candidate(Submission mail, @Nullable UUID contact) {
		try {
			Draft draft = Drafting.draft(mail, this.clock.instant());
			return new CheckedMail.Fit((contact != null) ? draft.to(contact) : draft);
		}
		catch (Refused refused) {
			return new CheckedMail.Unfit(INVALID.because(refused.message(), refused.details()));
		}
	}

	private static Success sent(List<MailResult> verdicts) {
		return switch (verdicts.getFirst()) {
			case MailResult.Taken(var id, var from, var to, var createdAt) ->
				Success.of("email", new Sent(id, from, to, createdAt));
			case MailResult.Turned(var refused) -> throw refused;
		};
	}

	/** The mail that went out. */
	record Sent(UUID id, String from, List<String> to, Instant createdAt) {
	}

}
