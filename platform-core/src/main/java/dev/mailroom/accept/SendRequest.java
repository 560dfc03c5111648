package dev.mailroom.accept;

import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import dev.mailroom.Scope;
import dev.mailroom.idempotency.Answer;
import dev.mailroom.idempotency.Claim;
import org.jspecify.annotations.Nullable;

/**
 * A request to send: one mail, or a batch whose mails stand each for itself.
 *
 * @param batch whether one mail's refusal leaves the others alone
 * @param claim the request's Idempotency-Key, or null where it has none
 * @param answer what the face will say to these verdicts, to be kept beside the claim
 */
public record SendRequest(Scope scope, List<CheckedMail> mails, boolean batch, @Nullable Claim claim,
		Function<List<MailResult>, Answer> answer) {

	/** One mail, without a key. */
	public static SendRequest of(Scope scope, Draft draft) {
		return new SendRequest(scope, List.of(new CheckedMail.Fit(draft)), false, null, (_) -> new Answer(200, ""));
	}

	UUID accountId() {
		return this.scope.account();
	}

	long size() {
		return this.mails.stream()
			.mapToLong((mail) -> (mail instanceof CheckedMail.Fit fit) ? fit.draft().size() : 64)
			.sum();
	}

}
