package dev.mailroom.mail.accept;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Refused;
import dev.mailroom.mail.accept.SendPolicy.Sender;
import dev.mailroom.mail.accept.SendPolicy.SenderStatus;
import org.jspecify.annotations.Nullable;

/** One request of a group and its state within the group's transaction. */
final class GroupMember {

	private final WaitingRequest waiting;

	private @Nullable Refused refused;

	private @Nullable LimitReached limit;

	private @Nullable SendResult replay;

	private boolean claimedHere;

	private List<CheckedMail> mails = List.of();

	private final List<MailResult> results = new ArrayList<>();

	private final List<NewEmail> emails = new ArrayList<>();

	GroupMember(WaitingRequest waiting) {
		this.waiting = waiting;
	}

	SendRequest request() {
		return this.waiting.request();
	}

	/** Whether it is neither refused nor a retry of an earlier request. */
	boolean isOpen() {
		return this.refused == null && this.replay == null;
	}

	void claimed(Claimed claimed) {
		switch (claimed) {
			case Claimed.Fresh _ -> this.claimedHere = true;
			case Claimed.Completed(var response) -> {
				// It may have been sent before, when it was still valid.
				this.refused = null;
				this.replay = SendResult.replay(response);
			}
			case Claimed.Conflicting(var refused) -> this.refused = refused;
		}
	}

	/** Applies the policy, given the sender's status; null if the account is gone. */
	void check(@Nullable SenderStatus status) {
		this.refused = refusalOfSingle(request().mails());
		if (this.refused == null) {
			this.refused = SendPolicy.checkRequest(status);
		}
		if (status != null && this.refused == null) {
			this.mails = SendPolicy.checkMails(request().mails(), status);
		}
		if (this.refused == null) {
			this.refused = refusalOfSingle(this.mails);
		}
	}

	/** The refusal of a single mail, which refuses its request; null for a batch. */
	private @Nullable Refused refusalOfSingle(List<CheckedMail> mails) {
		return (!request().isBatch() && mails.getFirst() instanceof CheckedMail.Invalid(var reason)) ? reason : null;
	}

	/** Quota that it needs; empty if nothing of it can be sent. */
	Optional<Reservation> reservation() {
		long count = this.mails.stream().filter(CheckedMail.Valid.class::isInstance).count();
		return (isOpen() && count > 0) ? Optional.of(new Reservation(request().accountId(), count)) : Optional.empty();
	}

	/** Takes the quota's refusal; empty if the reservation was granted. */
	void reserved(Optional<LimitReached> refusal) {
		this.limit = refusal.orElse(null);
		this.refused = refusal.map(LimitReached::refused).orElse(null);
	}

	/** The limit that refused it; empty if none did. */
	Optional<LimitReached> limit() {
		return Optional.ofNullable(this.limit);
	}

	/** Creates the emails of its valid mails, and a result for each mail. */
	void createEmails(NoArgGenerator ids, Instant now, Set<SuppressionKey> suppressed) {
		for (CheckedMail mail : this.mails) {
			switch (mail) {
				case CheckedMail.Invalid(var reason) ->
					this.results.add(new MailResult.Rejected(reason.refusal(), reason.message()));
				case CheckedMail.Valid(var draft, var uploaded) -> {
					NewEmail email = new NewEmail((uploaded != null) ? uploaded.emailId() : ids.generate(),
							request().accountId(), domainId(), request().channel(), request().submitter(), draft, now,
							suppressed, (uploaded != null) ? uploaded.parts() : List.of(), this.waiting.trace());
					this.emails.add(email);
					this.results.add(email.result());
				}
			}
		}
	}

	List<NewEmail> emails() {
		return this.emails;
	}

	/** The keys under which its recipients would be suppressed. */
	Stream<SuppressionKey> recipients() {
		UUID account = request().accountId();
		return request().mails()
			.stream()
			.flatMap((mail) -> (mail instanceof CheckedMail.Valid valid) ? valid.draft().recipients().stream()
					: Stream.empty())
			.map((recipient) -> new SuppressionKey(account, recipient.toLowerCase(Locale.ROOT)));
	}

	Sender sender() {
		return new Sender(request().accountId(), domainId());
	}

	private UUID domainId() {
		return Objects.requireNonNull(request().scope().domain(), "sending needs a domain");
	}

	SendResult result() {
		return (this.replay != null) ? this.replay : new SendResult(List.copyOf(this.results), false);
	}

	/** Emits the result, or the refusal, to the request's subscriber. */
	void complete() {
		if (this.refused != null) {
			this.waiting.refuse(this.refused);
		}
		else {
			this.waiting.complete(result());
		}
	}

	/**
	 * Completes a later request of the group that has the same Idempotency-Key.
	 * @return false if this request was refused and the other has another body: the other
	 * must be tried on its own
	 */
	boolean completeFollower(WaitingRequest follower) {
		Claim own = Objects.requireNonNull(request().claim());
		boolean sameBody = own.bodyHash().equals(Objects.requireNonNull(follower.request().claim()).bodyHash());
		if (this.refused != null) {
			if (sameBody) {
				follower.refuse(this.refused);
			}
			return sameBody;
		}
		if (sameBody) {
			follower.complete(result().replay());
		}
		else {
			follower.refuse(Idempotency.reused());
		}
		return true;
	}

	/** Whether it claimed its key and was refused: the key must be released. */
	boolean wasRefusedHere() {
		return this.refused != null && this.claimedHere;
	}

}
