package dev.mailroom.mail.accept;

import java.util.List;

import dev.mailroom.Scope;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.draft.UncheckedMail;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Sends mail. REST, SMTP, test mails and the platform's own mail all use this service:
 * templates are filled in, mails are checked and then accepted.
 */
@Service
public class Submissions {

	private final MailChecks checks;

	private final Acceptor acceptor;

	private final Idempotency idempotency;

	Submissions(MailChecks checks, Acceptor acceptor, Idempotency idempotency) {
		this.checks = checks;
		this.acceptor = acceptor;
		this.idempotency = idempotency;
	}

	/**
	 * Sends one mail. The result is emitted after the commit.
	 * @param channel the way by which it arrived
	 * @param scope the account, and the domain that it sends from
	 * @param claim the request's Idempotency-Key; null if it has none
	 * @throws dev.mailroom.Refused an error of {@code POST /emails} in the contract
	 */
	public Mono<SendResult> send(Channel channel, Scope scope, UncheckedMail mail, @Nullable Claim claim) {
		return send(channel, scope, List.of(mail), claim);
	}

	/**
	 * Sends a batch, each mail of which is accepted or refused independently.
	 * @throws dev.mailroom.Refused an error that concerns the whole batch
	 */
	public Mono<SendResult> sendBatch(Scope scope, List<UncheckedMail> mails, @Nullable Claim claim) {
		return send(Channel.BATCH, scope, mails, claim);
	}

	private Mono<SendResult> send(Channel channel, Scope scope, List<UncheckedMail> mails, @Nullable Claim claim) {
		Mono<SendResult> result = this.checks.of(scope, mails).flatMap((checked) -> {
			SendRequest request = new SendRequest(scope, checked, channel, claim);
			// With a key the mail may have been sent before, when it was still valid.
			if (!request.isBatch() && claim == null && checked.getFirst() instanceof MailCheck.Invalid(var reason)) {
				return Mono.error(reason);
			}
			return this.acceptor.accept(request);
		});
		return (claim != null && channel != Channel.PLATFORM) ? this.idempotency.reporting(result, SendResult::replayed)
				: result;
	}

}
