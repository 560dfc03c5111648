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
 * A chunk's way: a session, the fence, and then mail after mail. The fence comes last
 * before the hand-over, so that what could not be opened was never begun.
 */
@Component
class ChunkSender {

	private static final Logger log = LoggerFactory.getLogger(ChunkSender.class);

	/**
	 * A mail whose turn did not come while the session and the time lasted; its turn
	 * comes again soon.
	 */
	private static final Outcome NOT_BEGUN = new Outcome.Unopened("The session ended before this mail's turn", false);

	/** Nothing of it was said to the server, whatever went wrong. */
	private static final Outcome NOT_HANDED = new Outcome.Deferred("451 4.3.0 The mail could not be handed over");

	/** For so long a mail waits whose sender is ahead of its rate. */
	private static final Duration BREATH = Duration.ofSeconds(1);

	private final Queue queue;

	private final Outcomes outcomes;

	private final Composer composer;

	private final ReturnPath returnPath;

	private final SendSettings settings;

	ChunkSender(Queue queue, Outcomes outcomes, Composer composer, ReturnPath returnPath, SendSettings settings) {
		this.queue = queue;
		this.outcomes = outcomes;
		this.composer = composer;
		this.returnPath = returnPath;
		this.settings = settings;
	}

	/**
	 * Works a chunk off. What its sender may not send there just now goes back as if it
	 * had never been leased.
	 * @return what came of it; what is missing is left to its lease
	 */
	Mono<List<Settlement>> of(Chunk chunk) {
		Map<Boolean, List<Lease>> admitted = chunk.leases()
			.stream()
			.collect(Collectors.partitioningBy((lease) -> chunk.transport().admits(lease.route())));
		List<Lease> now = admitted.getOrDefault(true, List.of());
		Mono<Void> later = this.queue.postpone(admitted.getOrDefault(false, List.of()), BREATH);
		return now.isEmpty() ? later.thenReturn(List.of())
				: later.then(chunk.transport()
					.with(chunk.route(), (session) -> fenced(session, now))
					.onErrorResume(NotOpened.class, (ex) -> Mono.just(unopened(now, ex))));
	}

	private static List<Settlement> unopened(List<Lease> chunk, NotOpened reason) {
		log.warn("{} deliveries wait: {}", chunk.size(), reason.getMessage());
		return chunk.stream().map((lease) -> new Settlement(lease, reason.outcome(), reason.attempt())).toList();
	}

	/**
	 * From the fence on the lease runs: what is fetched behind it takes from the time
	 * that mails may begin in, and a database that says nothing more holds no lane.
	 */
	private Mono<List<Settlement>> fenced(Session session, List<Lease> leases) {
		return Mono.defer(() -> {
			long latest = System.nanoTime() + this.settings.beginWithin().toNanos();
			return this.queue.fence(leases)
				.delayUntil((fenced) -> this.outcomes.settleBarred(fenced.barred()))
				.timeout(this.settings.beginWithin())
				.flatMap((fenced) -> hand(session, fenced.handOvers(), latest));
		});
	}

	private Mono<List<Settlement>> hand(Session session, List<HandOver> passed, long latest) {
		Map<UUID, Mono<byte[]>> composed = new HashMap<>();
		return Flux.fromIterable(passed).concatMap((handOver) -> {
			Settlement notBegun = new Settlement(handOver.lease(), NOT_BEGUN);
			if (!mayBegin(session, latest)) {
				return Mono.just(notBegun);
			}
			// Recipients of one mail stand together: what the last one got is let go with
			// it.
			composed.keySet().retainAll(Set.of(handOver.messageKey()));
			// To compose may take its time too, where the database does.
			return composed.computeIfAbsent(handOver.messageKey(), (_) -> this.composer.compose(handOver).cache())
				.flatMap((message) -> mayBegin(session, latest)
						? session.hand(envelope(handOver), message)
							.map((handed) -> new Settlement(handOver.lease(), handed.outcome(), handed.attempt()))
						: Mono.just(notBegun))
				.onErrorResume((error) -> fault(handOver, error));
		}).collectList();
	}

	private static boolean mayBegin(Session session, long latest) {
		return session.isOpen() && System.nanoTime() - latest < 0;
	}

	/** One mail's fault: the others of its chunk go on. */
	private static Mono<Settlement> fault(HandOver handOver, Throwable error) {
		if (error instanceof AnswerLost lost) {
			return left(handOver, lost);
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
	 * Nobody knows whether it was taken: the row stays in DATA until its lease runs out,
	 * and what was said is kept.
	 */
	private static Mono<Settlement> left(HandOver handOver, AnswerLost reason) {
		log.warn("Delivery {} may have arrived: {}", handOver.lease().delivery(), String.valueOf(reason.getCause()));
		return Mono
			.just(new Settlement(handOver.lease(), new Outcome.Unanswered(handOver.attempt() + 1), reason.attempt()));
	}

	/** The return path names the delivery (VERP), so that a late bounce finds it. */
	private Envelope envelope(HandOver handOver) {
		String domain = Mailbox.parse(handOver.mail().sender())
			.map((mailbox) -> mailbox.address().domain())
			.orElse("invalid");
		String mailFrom = this.returnPath.of(handOver.accountId(), handOver.lease().delivery(), domain);
		return new Envelope(mailFrom, handOver.recipient());
	}

}
