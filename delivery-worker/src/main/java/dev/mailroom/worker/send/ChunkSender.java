package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.accept.Mailbox;
import dev.mailroom.outcome.Outcome;
import dev.mailroom.outcome.Outcomes;
import dev.mailroom.outcome.ReturnPath;
import dev.mailroom.outcome.Settlement;
import dev.mailroom.queue.HandOver;
import dev.mailroom.queue.Lease;
import dev.mailroom.queue.Queue;
import dev.mailroom.worker.compose.Composer;
import dev.mailroom.worker.compose.Unrenderable;
import dev.mailroom.worker.compose.Unsigned;
import dev.mailroom.worker.transport.AnswerLost;
import dev.mailroom.worker.transport.Envelope;
import dev.mailroom.worker.transport.NotOpened;
import dev.mailroom.worker.transport.Session;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Sends a chunk: opens a session, passes the fence, and hands over one mail after
 * another. The fence comes after the session, so that no attempt is counted if it cannot
 * be opened.
 */
@Component
class ChunkSender {

	private static final Logger log = LoggerFactory.getLogger(ChunkSender.class);

	/** Outcome of a mail whose session ended, or whose time was over, before it began. */
	private static final Outcome NOT_BEGUN = new Outcome.Unopened("The session ended before this mail's turn", false);

	/** Outcome of an unexpected error before anything was sent to the server. */
	private static final Outcome NOT_HANDED = new Outcome.Deferred("451 4.3.0 The mail could not be handed over");

	/** Delay of deliveries that exceed the rate limit of their destination. */
	private static final Duration RATE_LIMIT_DELAY = Duration.ofSeconds(1);

	private final Queue queue;

	private final Outcomes outcomes;

	private final Composer composer;

	private final ReturnPath returnPath;

	private final SendSettings settings;

	private final HandOverMeters meters;

	ChunkSender(Queue queue, Outcomes outcomes, Composer composer, ReturnPath returnPath, SendSettings settings,
			HandOverMeters meters) {
		this.queue = queue;
		this.outcomes = outcomes;
		this.composer = composer;
		this.returnPath = returnPath;
		this.settings = settings;
		this.meters = meters;
	}

	/**
	 * Sends a chunk. Deliveries that exceed a rate limit are postponed.
	 * @return settlements; deliveries without one are recovered when their lease expires
	 */
	Mono<List<Settlement>> send(Chunk chunk) {
		Map<Boolean, List<Lease>> admitted = chunk.leases()
			.stream()
			.collect(Collectors.partitioningBy((lease) -> chunk.transport().admits(lease.route())));
		List<Lease> leases = admitted.getOrDefault(true, List.of());
		Mono<Void> postponed = this.queue.postpone(admitted.getOrDefault(false, List.of()), RATE_LIMIT_DELAY);
		return leases.isEmpty() ? postponed.thenReturn(List.of())
				: postponed.then(chunk.transport()
					.with(chunk.route(), (session) -> fence(session, leases))
					.doOnError(NotOpened.class, (ex) -> this.meters.unopened(ex, leases.size()))
					.onErrorResume(NotOpened.class, (ex) -> Mono.just(unopened(leases, ex))));
	}

	private static List<Settlement> unopened(List<Lease> leases, NotOpened reason) {
		log.warn("No session for {} deliveries: {}", leases.size(), reason.getMessage());
		return leases.stream().map((lease) -> new Settlement(lease, reason.outcome(), reason.attempt())).toList();
	}

	/**
	 * Passes the fence. Its duration is included in the time within which hand-overs must
	 * begin, because the lease runs from the fence on, and limited by it, so that a
	 * database that does not reply does not block the lane.
	 */
	private Mono<List<Settlement>> fence(Session session, List<Lease> leases) {
		return Mono.defer(() -> {
			long deadline = System.nanoTime() + this.settings.beginWithin().toNanos();
			return this.queue.fence(leases)
				.delayUntil((fenced) -> this.outcomes.settleBarred(fenced.barred()))
				.timeout(this.settings.beginWithin())
				.flatMap((fenced) -> hand(session, fenced.handOvers(), deadline));
		});
	}

	private Mono<List<Settlement>> hand(Session session, List<HandOver> handOvers, long deadline) {
		Map<UUID, Mono<byte[]>> composed = new HashMap<>();
		return Flux.fromIterable(handOvers).concatMap((handOver) -> {
			Settlement notBegun = new Settlement(handOver.lease(), NOT_BEGUN);
			if (!mayBegin(session, deadline)) {
				return Mono.just(notBegun);
			}
			// Recipients of a mail are adjacent: messages of other mails are discarded.
			composed.keySet().retainAll(Set.of(handOver.messageKey()));
			// Checked again, because composing reads from the database.
			return composed.computeIfAbsent(handOver.messageKey(), (_) -> this.composer.compose(handOver).cache())
				.flatMap((message) -> mayBegin(session, deadline)
						? session.hand(envelope(handOver), message)
							.doOnNext((handed) -> this.meters.handed(handOver, handed))
							.doOnError(AnswerLost.class, this.meters::lost)
							.map((handed) -> new Settlement(handOver.lease(), handed.outcome(), handed.attempt()))
						: Mono.just(notBegun))
				.onErrorResume((error) -> failed(handOver, error));
		}).collectList();
	}

	private static boolean mayBegin(Session session, long deadline) {
		return session.isOpen() && System.nanoTime() - deadline < 0;
	}

	/** The settlement of a mail that failed; the others of the chunk are still sent. */
	private static Mono<Settlement> failed(HandOver handOver, Throwable error) {
		if (error instanceof AnswerLost lost) {
			return unanswered(handOver, lost);
		}
		Outcome outcome = switch (error) {
			case Unrenderable ex -> new Outcome.Failed(String.valueOf(ex.getMessage()), true);
			case Unsigned ex -> ex.outcome();
			default -> NOT_HANDED;
		};
		log.warn("Delivery {} was not handed over: {}", handOver.lease().delivery(), error.toString(), error);
		return Mono.just(new Settlement(handOver.lease(), outcome));
	}

	/**
	 * The settlement of a mail that may have been accepted: the attempt is recorded, and
	 * the row stays {@code in_data} until its lease expires.
	 */
	private static Mono<Settlement> unanswered(HandOver handOver, AnswerLost reason) {
		log.warn("Delivery {} ended without a reply: {}", handOver.lease().delivery(),
				String.valueOf(reason.getCause()));
		return Mono
			.just(new Settlement(handOver.lease(), new Outcome.Unanswered(handOver.attempt() + 1), reason.attempt()));
	}

	/**
	 * The envelope, whose return path identifies the delivery for late bounces (VERP).
	 */
	private Envelope envelope(HandOver handOver) {
		String domain = Mailbox.parse(handOver.mail().sender())
			.map((mailbox) -> mailbox.address().domain())
			.orElse("invalid");
		String mailFrom = this.returnPath.of(handOver.accountId(), handOver.lease().delivery(), domain);
		return new Envelope(mailFrom, handOver.recipient());
	}

}
