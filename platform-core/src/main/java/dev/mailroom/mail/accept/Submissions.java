package dev.mailroom.mail.accept;

import java.util.List;

import dev.mailroom.Refused;
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
		return send(channel, scope, List.of(mail), claim, true);
	}

	/**
	 * Sends a batch.
	 * @param whole whether all its mails are accepted or none; otherwise each is accepted
	 * or refused independently
	 * @throws dev.mailroom.Refused an error that concerns the whole batch
	 */
	public Mono<SendResult> sendBatch(Scope scope, List<UncheckedMail> mails, @Nullable Claim claim, boolean whole) {
		return send(Channel.BATCH, scope, mails, claim, whole);
	}

	private Mono<SendResult> send(Channel channel, Scope scope, List<UncheckedMail> mails, @Nullable Claim claim,
			boolean whole) {
		Mono<SendResult> result = this.checks.of(scope, mails).flatMap((checked) -> {
			SendRequest request = new SendRequest(scope, checked, channel, claim, whole);
			@Nullable Refused refused = request.refusal(checked);
			// With a key the mail may have been sent before, when it was still valid.
			return (refused != null && claim == null) ? Mono.error(refused) : this.acceptor.accept(request);
		});
		return (claim != null && channel != Channel.PLATFORM) ? this.idempotency.reporting(result, SendResult::replayed)
				: result;
	}

}
