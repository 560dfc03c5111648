package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.mailroom.mail.draft.Forward;
import dev.mailroom.mail.draft.Mailbox;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.outcome.ReturnPath;
import dev.mailroom.mail.outcome.Settlement;
import dev.mailroom.mail.queue.Fenced;
import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.observability.LoggedMail;
import dev.mailroom.observability.MailSpans;
import dev.mailroom.worker.compose.Composer;
import dev.mailroom.worker.smtp.client.NotOpened;
import dev.mailroom.worker.smtp.client.Session;
import dev.mailroom.worker.smtp.client.Session.AnswerLost;
import dev.mailroom.worker.smtp.client.Session.Envelope;
import dev.mailroom.worker.smtp.client.Session.HandOverResult;
import io.micrometer.tracing.Span;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Hands over the mails of a batch that passed the fence, one after another. Each outcome
 * goes to the settler as its mail ends; the next mail is composed while the server works
 * on the current one.
 */
@Component
class HandOvers {

	private static final Logger log = LoggerFactory.getLogger(HandOvers.class);

	/** Outcome of a mail that passed the fence and was not begun. */
	private static final Outcome NOT_BEGUN = new Outcome.Unopened("The hand-over was not begun", false);

	/** Outcome of an unexpected error before anything was sent to the server. */
	private static final Outcome NOT_HANDED = new Outcome.Deferred("451 4.3.0 The mail could not be handed over");

	/** Limit on composing with the wait for a thread and for the database. */
	private static final Duration COMPOSE_TIMEOUT = Duration.ofSeconds(20);

	/** Exceeds all timeouts of a transaction, so that it ends only what hangs. */
	private static final Duration HAND_OVER_TIMEOUT = Duration.ofMinutes(20);

	private final Composer composer;

	private final ReturnPath returnPath;

	private final Settler settler;

	private final Outcomes outcomes;

	private final LeaseQueue leaseQueue;

	private final HandOverMeters meters;

	private final MailSpans spans;

	HandOvers(Composer composer, ReturnPath returnPath, Settler settler, Outcomes outcomes, LeaseQueue leaseQueue,
			HandOverMeters meters, MailSpans spans) {
		this.composer = composer;
		this.returnPath = returnPath;
		this.settler = settler;
		this.outcomes = outcomes;
		this.leaseQueue = leaseQueue;
		this.meters = meters;
		this.spans = spans;
	}

	/**
	 * Hands over the mails that passed the fence, and settles those that it barred.
	 * @param watched the same mails, of which some may be revoked meanwhile
	 * @param latest time until which a hand-over may begin, on the clock of
	 * {@link System#nanoTime()}
	 * @return the settlements, which may still be in progress
	 */
	List<CompletableFuture<Void>> run(LeaseQueue.Batch batch, Session session, Fenced fenced, Revocations.Batch watched,
			long latest) {
		boolean asking = this.composer.asksForReports(batch.transport().name());
		Run run = new Run(session, watched, batch.leases(), System.nanoTime(), latest, asking);
		List<HandOver> handOvers = fenced.handOvers();
		List<CompletableFuture<Void>> settlements = new ArrayList<>();
		for (int i = 0; i < handOvers.size(); i++) {
			HandOver following = (i + 1 < handOvers.size()) ? handOvers.get(i + 1) : null;
			LoggedMail logged = LoggedMail.of(handOvers.get(i));
			try (LoggedMail.Scope _ = logged.open()) {
				turn(batch, run, handOvers.get(i), following, i == 0, logged).ifPresent(settlements::add);
			}
		}
		this.outcomes.settleBarred(fenced.barred());
		return settlements;
	}

	/** Hands over one mail; empty if its outcome is unknown. */
	private Optional<CompletableFuture<Void>> turn(LeaseQueue.Batch batch, Run run, HandOver handOver,
			@Nullable HandOver following, boolean first, LoggedMail logged) {
		long turn = System.nanoTime();
		boolean begun = mayBegin(run, first) && run.watched().admits(handOver);
		Span span = span(handOver);
		Optional<CompletableFuture<Void>> settled = (begun ? hand(run, handOver, following, span)
				: Optional.of(new Settlement(handOver.lease(), NOT_BEGUN)))
			.map((settlement) -> this.settler.settle(settlement, logged));
		settled.ifPresentOrElse((settling) -> {
			CompletableFuture<Void> _ = settling.whenComplete((_, _) -> span.end());
		}, span::end);
		if (begun) {
			batch.pace().record(System.nanoTime() - turn);
		}
		return settled;
	}

	/** Queues the settlements of deliveries for which no session could be opened. */
	List<CompletableFuture<Void>> settleUnopened(List<Lease> leases, NotOpened reason) {
		this.meters.unopened(reason, leases);
		return leases.stream()
			.map((lease) -> this.settler.settle(new Settlement(lease, reason.outcome(), reason.attempt()),
					LoggedMail.of(lease)))
			.toList();
	}

	/**
	 * Whether a mail may begin. The deadline does not apply to the first one, because the
	 * fence has just renewed its lease.
	 */
	private boolean mayBegin(Run run, boolean first) {
		return !this.leaseQueue.isClosed() && run.session().isOpen()
				&& (first || System.nanoTime() - run.deadline() < 0);
	}

	/**
	 * From the beginning of a mail to its settlement; without a trace, nothing is
	 * allocated.
	 */
	private Span span(HandOver handOver) {
		return (handOver.trace() == null) ? Span.NOOP
				: this.spans.begin(handOver.trace(), Span.Kind.CONSUMER, "deliver",
						Map.of("email_id", handOver.emailId().toString(), "delivery_id",
								handOver.lease().delivery().toString(), "attempt",
								Integer.toString(handOver.attempt() + 1)));
	}

	/** The settlement of a mail; empty if its outcome is unknown. */
	private Optional<Settlement> hand(Run run, HandOver handOver, @Nullable HandOver following, Span span) {
		Lease lease = handOver.lease();
		if (!run.isFor(handOver)) {
			log.error("Delivery {} has another destination than its lease; it is leased again", lease.delivery());
			return Optional.of(new Settlement(lease, NOT_BEGUN));
		}
		byte[] message;
		try {
			message = await(run.composed(handOver, this.composer), COMPOSE_TIMEOUT);
		}
		catch (TimeoutException _) {
			log.warn("Delivery {} was not composed in time; it returns to the queue", lease.delivery());
			return Optional.of(new Settlement(lease, NOT_BEGUN));
		}
		catch (ExecutionException ex) {
			return Optional.of(notHanded(handOver, ex.getCause()));
		}
		// Checked again, because composing takes time and may read from the database.
		if (!mayBegin(run, true) || System.nanoTime() - run.latest() >= 0 || !run.watched().begin(handOver)) {
			return Optional.of(new Settlement(lease, NOT_BEGUN));
		}
		Span transaction = this.spans.call(span, "smtp transaction");
		CompletableFuture<HandOverResult> result = SenderThreads.start(run.session().hand(envelope(handOver), message));
		if (following != null) {
			Future<byte[]> _ = run.composed(following, this.composer);
		}
		try {
			HandOverResult handed = await(result, HAND_OVER_TIMEOUT);
			this.spans.measure(transaction, () -> this.meters.handed(handOver, handed, run.route(handOver)));
			transaction.tag("server", handed.attempt().host())
				.tag("outcome", handed.outcome().getClass().getSimpleName());
			return Optional.of(new Settlement(lease, handed.outcome(), handed.attempt()));
		}
		catch (TimeoutException ex) {
			throw new IllegalStateException("A hand-over did not end", ex);
		}
		catch (ExecutionException ex) {
			transaction.tag("outcome", "Unanswered");
			return unanswered(run, handOver, ex.getCause());
		}
		finally {
			transaction.end();
		}
	}

	private static <T> T await(Future<T> result, Duration timeout) throws TimeoutException, ExecutionException {
		try {
			return result.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("The sender thread was interrupted", ex);
		}
	}

	/** The settlement of a mail that could not be composed; the others are still sent. */
	private static Settlement notHanded(HandOver handOver, @Nullable Throwable error) {
		Outcome outcome = switch (error) {
			case Composer.Unrenderable ex -> new Outcome.Failed(String.valueOf(ex.getMessage()), true);
			case Composer.Unsigned ex -> ex.outcome();
			case null, default -> NOT_HANDED;
		};
		log.warn("Delivery {} was not handed over: {}", handOver.lease().delivery(), String.valueOf(error), error);
		return new Settlement(handOver.lease(), outcome);
	}

	/**
	 * The settlement of a mail that may have been accepted: the attempt is recorded, and
	 * the row stays {@code in_data} until its lease expires.
	 */
	private Optional<Settlement> unanswered(Run run, HandOver handOver, @Nullable Throwable error) {
		if (error instanceof AnswerLost lost) {
			this.meters.lost(lost, run.route(handOver));
			log.warn("Delivery {} ended without a reply: {}", handOver.lease().delivery(),
					String.valueOf(lost.getCause()));
			return Optional
				.of(new Settlement(handOver.lease(), new Outcome.Unanswered(handOver.attempt() + 1), lost.attempt()));
		}
		log.error("The outcome of delivery {} is unknown; its lease will expire", handOver.lease().delivery(), error);
		return Optional.empty();
	}

	/**
	 * The envelope, whose return path identifies the delivery for late bounces (VERP). A
	 * forwarded notification has none, so that it never causes another one.
	 */
	private Envelope envelope(HandOver handOver) {
		@Nullable Forward forward = handOver.mail().forward();
		if (forward != null && forward.nullSender()) {
			return new Envelope("", handOver.recipient());
		}
		String domain = Mailbox.parse(handOver.mail().sender())
			.map((mailbox) -> mailbox.address().domain())
			.orElse("invalid");
		String mailFrom = this.returnPath.of(handOver.accountId(), handOver.lease().delivery(), domain);
		return new Envelope(mailFrom, handOver.recipient());
	}

	/** Hand-overs of one batch. */
	static final class Run {

		/**
		 * Time after the fence within which a mail begins, other than the first; later it
		 * passes the fence again. Twice the time within which all should begin.
		 */
		private static final Duration MAX_WAIT = LeaseQueue.HandOverPace.BEGIN_TARGET.multipliedBy(2);

		private final Session session;

		private final Revocations.Batch watched;

		private final Map<UUID, Lease> leases;

		/** Time until which the next mail may be begun. */
		private final long deadline;

		/** Time until which a hand-over may begin, as required by the lease. */
		private final long latest;

		private final boolean asking;

		private @Nullable UUID composedKey;

		private @Nullable Future<byte[]> composed;

		/**
		 * Creates the run.
		 * @param watched its mails, of which some may be revoked meanwhile
		 * @param fenced time at which its mails passed the fence, on the clock of
		 * {@link System#nanoTime()}
		 * @param latest time until which a hand-over may begin, as required by the lease
		 * @param asking whether each mail asks the receiver for reports
		 */
		Run(Session session, Revocations.Batch watched, List<Lease> leases, long fenced, long latest, boolean asking) {
			this.session = session;
			this.watched = watched;
			this.leases = leases.stream().collect(Collectors.toMap(Lease::delivery, Function.identity(), (a, _) -> a));
			this.deadline = deadline(fenced, latest);
			this.latest = latest;
			this.asking = asking;
		}

		static long deadline(long fenced, long latest) {
			long target = fenced + MAX_WAIT.toNanos();
			return (target - latest < 0) ? target : latest;
		}

		Session session() {
			return this.session;
		}

		Revocations.Batch watched() {
			return this.watched;
		}

		long deadline() {
			return this.deadline;
		}

		long latest() {
			return this.latest;
		}

		/**
		 * Whether the recipient's domain is the one that the session was opened for. The
		 * lease's route comes from the topic; the recipient comes from the database.
		 */
		boolean isFor(HandOver handOver) {
			Route route = route(handOver);
			String recipient = handOver.recipient();
			return route != null
					&& recipient.substring(recipient.lastIndexOf('@') + 1).equalsIgnoreCase(route.domain());
		}

		/** The route of the lease of a mail; null if it has none. */
		@Nullable Route route(HandOver handOver) {
			Lease lease = this.leases.get(handOver.lease().delivery());
			return (lease != null) ? lease.route() : null;
		}

		/**
		 * The message, which is composed once for adjacent recipients of a mail without
		 * personal content. A request for reports names the delivery, so that each
		 * recipient has a message of its own. Only the newest one is kept.
		 */
		Future<byte[]> composed(HandOver handOver, Composer composer) {
			Future<byte[]> newest = this.composed;
			UUID key = this.asking ? handOver.lease().delivery() : handOver.messageKey();
			if (newest == null || !key.equals(this.composedKey)) {
				FutureTask<byte[]> composing = new FutureTask<>(() -> composer.compose(handOver, this.asking));
				Thread.ofVirtual().name("compose").start(composing);
				newest = composing;
				this.composed = newest;
				this.composedKey = key;
			}
			return newest;
		}

	}

}
