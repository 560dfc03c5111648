package dev.mailroom.accept;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Refused;
import dev.mailroom.idempotency.Answer;
import dev.mailroom.idempotency.Claim;
import dev.mailroom.idempotency.Claimed;
import dev.mailroom.idempotency.Idempotency;
import dev.mailroom.quota.Reservation;
import dev.mailroom.suppression.SuppressionKey;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through a group's transaction: what has been said of it so far.
 */
final class GroupMember {

	private final WaitingRequest pending;

	private @Nullable Refused refused;

	private SendResult.@Nullable Replayed replayed;

	private boolean claimedHere;

	private List<CheckedMail> judged = List.of();

	private final List<MailResult> verdicts = new ArrayList<>();

	private final List<NewEmail> entries = new ArrayList<>();

	GroupMember(WaitingRequest pending) {
		this.pending = pending;
	}

	SendRequest request() {
		return this.pending.request();
	}

	/** Whether it still has a way to go. */
	boolean isOpen() {
		return this.refused == null && this.replayed == null;
	}

	void claimed(Claimed claimed) {
		switch (claimed) {
			case Claimed.Fresh _ -> this.claimedHere = true;
			case Claimed.Answered(var answer) -> this.replayed = new SendResult.Replayed(answer);
			case Claimed.Reused(var refused) -> this.refused = refused;
		}
	}

	void judge(@Nullable SenderStatus standing) {
		this.refused = unfit(request().mails());
		if (this.refused == null) {
			this.refused = SendPolicy.ofRequest(standing);
		}
		if (standing != null && this.refused == null) {
			this.judged = SendPolicy.ofMails(request().mails(), standing);
		}
		if (this.refused == null) {
			this.refused = unfit(this.judged);
		}
	}

	/**
	 * Why a single mail is turned away; its refusal is the request's. Of a batch's mails
	 * each has its own.
	 */
	private @Nullable Refused unfit(List<CheckedMail> mails) {
		return (!request().batch() && mails.getFirst() instanceof CheckedMail.Unfit(var refused)) ? refused : null;
	}

	/** What it asks of the quota; empty where nothing of it is left to send. */
	Optional<Reservation> want() {
		long count = this.judged.stream().filter(CheckedMail.Fit.class::isInstance).count();
		return (isOpen() && count > 0) ? Optional.of(new Reservation(request().accountId(), count)) : Optional.empty();
	}

	void granted(Optional<Refused> refusal) {
		this.refused = refusal.orElse(null);
	}

	/** Gives each mail that may go its place. */
	List<NewEmail> enter(NoArgGenerator ids, Instant now) {
		for (CheckedMail mail : this.judged) {
			switch (mail) {
				case CheckedMail.Unfit(var refused) -> this.verdicts.add(new MailResult.Turned(refused));
				case CheckedMail.Fit(var draft, var stowed) -> {
					NewEmail entry = new NewEmail((stowed != null) ? stowed.id() : ids.generate(),
							request().accountId(), domain(), draft, now, Set.of(),
							(stowed != null) ? stowed.parts() : List.of());
					this.entries.add(entry);
					this.verdicts.add(entry.taken());
				}
			}
		}
		return this.entries;
	}

	/** The mails with those recipients marked whom they must not reach. */
	List<NewEmail> entries(Set<SuppressionKey> suppressed) {
		return this.entries.stream()
			.map((entry) -> new NewEmail(entry.id(), entry.accountId(), entry.domainId(), entry.draft(),
					entry.createdAt(), suppressed, entry.outside()))
			.toList();
	}

	List<MailResult> verdicts() {
		return this.verdicts;
	}

	UUID domain() {
		return Objects.requireNonNull(request().scope().domain(), "sending needs a domain's key");
	}

	/** Tells whoever waits. */
	void tell() {
		if (this.refused != null) {
			this.pending.refused(this.refused);
		}
		else {
			this.pending.received((this.replayed != null) ? this.replayed : new SendResult.Done(this.verdicts));
		}
	}

	/**
	 * What a later request of the same group with the same key is answered: the same,
	 * where it is the same request.
	 * @return false where nothing of this one's answer can be said of the other
	 */
	boolean answers(WaitingRequest follower) {
		Claim own = Objects.requireNonNull(request().claim());
		Claim other = Objects.requireNonNull(follower.request().claim());
		if (this.refused != null) {
			if (own.bodyHash().equals(other.bodyHash())) {
				follower.refused(this.refused);
			}
			return own.bodyHash().equals(other.bodyHash());
		}
		switch (Idempotency.compare(own, other.bodyHash(), answer())) {
			case Claimed.Answered(var answer) -> follower.received(new SendResult.Replayed(answer));
			case Claimed.Reused(var refused) -> follower.refused(refused);
			case Claimed.Fresh _ -> {
				return false;
			}
		}
		return true;
	}

	private Answer answer() {
		return (this.replayed != null) ? this.replayed.answer() : request().answer().apply(this.verdicts);
	}

	/** Whether its mails are in: the work of its claim is done. */
	boolean isDone() {
		return isOpen() && !this.verdicts.isEmpty();
	}

	/** Whether it claimed its key and was then refused: the key is free again. */
	boolean wasRefusedHere() {
		return this.refused != null && this.claimedHere;
	}

}
