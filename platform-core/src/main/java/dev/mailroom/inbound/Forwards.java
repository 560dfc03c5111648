package dev.mailroom.inbound;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.event.Event;
import dev.mailroom.event.EventKind;
import dev.mailroom.event.Events;
import dev.mailroom.mail.accept.Acceptor;
import dev.mailroom.mail.accept.Claim;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.accept.MailCheck;
import dev.mailroom.mail.accept.SendRequest;
import dev.mailroom.mail.draft.CheckedMail;
import dev.mailroom.mail.draft.Forward;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.MailContent.Attachment;
import dev.mailroom.mail.draft.Mailbox;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Queues received mail for the addresses of a route. A forwarded mail is ordinary mail of
 * the account: it counts against the quota, has a return path of its own, and is tried
 * again. Its author is never told that it could not be delivered.
 */
@Service
public class Forwards {

	/** Route under which forwards are claimed: none is queued twice. */
	private static final String ROUTE = "forward";

	/** Shorter than the time for which a claim is kept. */
	private static final Duration CLAIMED = Duration.ofHours(23);

	private static final int MAX_NAME_LENGTH = 256;

	/** Longest period of figures in hours: numbers are kept for 30 days. */
	private static final int MAX_HOURS = 720;

	private static final int SHOWN = 100;

	private final Acceptor acceptor;

	private final ForwardStore store;

	private final Events events;

	private final Transactions transactions;

	private final Clock clock;

	Forwards(Acceptor acceptor, ForwardStore store, Events events, Transactions transactions, Clock clock) {
		this.acceptor = acceptor;
		this.store = store;
		this.events = events;
		this.transactions = transactions;
		this.clock = clock;
	}

	/**
	 * Queues a mail, unless it was queued before or its domain has forwarded too many in
	 * the hour in which it arrived. The result is emitted after the commit.
	 * @return whether it was accepted; if not, the refusal is recorded
	 * @throws Refused if it can be accepted later
	 */
	public Mono<Boolean> queue(Order order) {
		if (order.receivedAt().plus(CLAIMED).isBefore(this.clock.instant())) {
			return Mono.just(true);
		}
		return this.transactions.in(order.scope(), this.store.permit(order, ROUTE))
			.flatMap((permit) -> switch (permit) {
				case GRANTED -> accept(order);
				case LIMITED -> fail(order, order.targets(), Failure.LIMIT, "").thenReturn(false);
				case REPEATED -> Mono.just(true);
			});
	}

	private Mono<Boolean> accept(Order order) {
		SendRequest request = new SendRequest(order.scope(), List.of(new MailCheck.Valid(order.mail())),
				Channel.PLATFORM, new Claim(order.accountId(), ROUTE, order.key(), ""));
		return this.acceptor.accept(request)
			.thenReturn(true)
			.onErrorResume((error) -> this.transactions.in(order.scope(), this.store.takeBack(order))
				.onErrorComplete()
				.then(Mono.defer(() -> (error instanceof Refused refused && !isTemporary(refused.refusal().kind()))
						? fail(order, order.targets(), Failure.REFUSED, String.valueOf(refused.getMessage()))
							.thenReturn(false)
						: Mono.error(error))));
	}

	private static boolean isTemporary(Refusal.Kind kind) {
		return kind == Refusal.Kind.UNAVAILABLE || kind == Refusal.Kind.CONFLICT;
	}

	/** Records and counts that a mail is not forwarded to some addresses. */
	public Mono<Void> fail(Order order, List<String> targets, Failure failure, String diagnostic) {
		List<Event> failed = targets.stream()
			.map((target) -> new Event(order.accountId(), EventKind.EMAIL_FORWARD_FAILED, null,
					Map.of("recipient", target, "received_id", order.receivedId(), "address",
							order.address().toString(), "failed",
							Map.of("reason", failure.contractName(), "diagnostic", diagnostic))))
			.toList();
		return this.transactions.in(order.scope(),
				this.events.record(failed).then(Mono.defer(() -> this.store.count(order, failure, targets.size()))));
	}

	/**
	 * Numbers of the last hours by account, for operators: the hundred accounts with most
	 * refused forwards.
	 * @param hours 1 to 720
	 * @throws Refused {@code Invalid request data}
	 */
	public Mono<List<ForwardFigures>> figures(int hours) {
		return (hours >= 1 && hours <= MAX_HOURS)
				? this.transactions.acrossAccounts(this.store.figures(hours, SHOWN).collectList())
				: Mono.error(() -> Refusal.INVALID_REQUEST.field("hours", "must be from 1 to " + MAX_HOURS));
	}

	/** Reasons for which a mail is not queued. */
	public enum Failure {

		/** The mail was forwarded by the same address before, or by too many servers. */
		LOOP,
		/** It has a virus. */
		VIRUS,
		/** The domain has forwarded too many mails of the hour. */
		LIMIT,
		/** The owner of the address has not confirmed. */
		NOT_CONFIRMED,
		/** The account may not send, for instance because its quota is used. */
		REFUSED;

		/** The name in events. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * A mail to be forwarded.
	 *
	 * @param receivedId the received mail, whose time is that of the arrival (RFC 9562
	 * 5.7)
	 * @param address the address at which it arrived
	 * @param author name and address of its author
	 * @param message the message below the fields that forwarding adds
	 * @param how the mark of the mail
	 */
	public record Order(UUID accountId, UUID domainId, UUID receivedId, EmailAddress address, List<String> targets,
			ArrivedMail.Heading author, byte[] message, Forward how) {

		Scope scope() {
			return Scope.of(this.accountId).within(this.domainId);
		}

		/** The key of its claim. */
		String key() {
			return this.receivedId + " " + this.address.key();
		}

		Instant receivedAt() {
			return Instant.ofEpochMilli(this.receivedId.getMostSignificantBits() >>> Short.SIZE);
		}

		/**
		 * The mail as it is stored: its sender is the address, with the author's name.
		 */
		CheckedMail mail() {
			MailContent content = MailContent.of(this.author.subject(), null, null)
				.withAttachments(List.of(new Attachment("message.eml", "message/rfc822", null,
						Base64.getEncoder().encodeToString(this.message))))
				.withDefaultTracking(false, false);
			return new CheckedMail(new Mailbox(name(), this.address),
					this.targets.stream().flatMap((target) -> Mailbox.parse(target).stream()).toList(), List.of(),
					List.of(), Mailbox.parse(this.author.fromEmail()).stream().toList(), content, null, null, this.how);
		}

		private String name() {
			String name = this.author.fromName().isBlank() ? this.author.fromEmail() : this.author.fromName();
			String clean = name.replaceAll("[<>\\p{Cntrl}\u2028\u2029]+", " ").strip();
			return clean.substring(0, Math.min(MAX_NAME_LENGTH, clean.length()));
		}

	}

}
