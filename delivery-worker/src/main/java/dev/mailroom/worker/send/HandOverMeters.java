package dev.mailroom.worker.send;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.outcome.Settlement;
import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.observability.Buckets;
import dev.mailroom.site.Profiles;
import dev.mailroom.source.SourceWarmup;
import dev.mailroom.worker.smtp.client.DestinationActivity;
import dev.mailroom.worker.smtp.client.NotOpened;
import dev.mailroom.worker.smtp.client.Session.AnswerLost;
import dev.mailroom.worker.smtp.client.Session.HandOverResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Meters of hand-overs: attempts by transport, provider and result, the time of each SMTP
 * phase, and the time from acceptance to the recipient's 250. Counts them by destination
 * as well, for operators.
 */
@Component
class HandOverMeters {

	private static final Logger log = LoggerFactory.getLogger(HandOverMeters.class);

	/** Reply class of attempts without a reply of a server. */
	private static final String NO_REPLY = "net";

	/** Hosts whose provider is kept. */
	private static final int MAX_HOSTS = 1_000;

	private final MeterRegistry registry;

	private final DestinationActivity activity;

	private final Clock clock;

	private final Counter ambiguous;

	/** The meters by their tags: the registry would look them up for each mail. */
	private final Map<List<String>, Counter> attempts = new ConcurrentHashMap<>();

	private final Map<PhaseKey, Timer> phases = new ConcurrentHashMap<>();

	private final Map<String, Timer> timesToAccept = new ConcurrentHashMap<>();

	private final Cache<String, String> providers = Caffeine.newBuilder().maximumSize(MAX_HOSTS).build();

	HandOverMeters(MeterRegistry registry, DestinationActivity activity, Clock clock) {
		this.registry = registry;
		this.activity = activity;
		this.clock = clock;
		this.ambiguous = Counter.builder("mailroom.ambiguous.handovers")
			.description("Hand-overs that ended without a reply to the final dot: a copy may exist")
			.register(registry);
	}

	/**
	 * Records a hand-over to which the server replied. An error is only logged, because
	 * it must not change the outcome of a mail that was sent.
	 */
	void handed(HandOver handOver, HandOverResult handed, @Nullable Route route) {
		try {
			record(handOver, handed, route);
		}
		catch (RuntimeException ex) {
			log.warn("A hand-over was not metered", ex);
		}
	}

	private void record(HandOver handOver, HandOverResult handed, @Nullable Route route) {
		this.activity.handed(handed.attempt().transport(), handOver.recipient(), handed.outcome());
		String provider = provider(handed.attempt());
		switch (handed.outcome()) {
			case Outcome.Delivered(var reply) -> {
				count(handed.attempt(), route, "delivered", reply);
				recordAccepted(handOver);
			}
			case Outcome.Sent(var reply) -> {
				count(handed.attempt(), route, "sent", reply);
				recordAccepted(handOver);
			}
			case Outcome.Bounced(var reason, var reply) -> {
				count(handed.attempt(), route, (reason.type() == Bounce.Type.BLOCK) ? "blocked" : "bounced", reply);
				this.registry.counter("mailroom.feedback", "source", "smtp", "kind", reason.type().contractName())
					.increment();
			}
			case Outcome.Deferred(var reply, var _) ->
				count(handed.attempt(), route, Bounce.isBlock(reply) ? "blocked" : "deferred", reply);
			case Outcome.Failed(var reason, var _) -> count(handed.attempt(), route, "failed", reason);
			case Outcome.Unopened(var reply, var _, var _) -> count(handed.attempt(), route, "unopened", reply);
			case Outcome.Unanswered _ -> count(handed.attempt(), route, "unanswered", "");
			case Outcome.Suppressed _ -> count(handed.attempt(), route, "suppressed", "");
		}
		PhaseTimes.of(handed.attempt().conversation()).forEach((phase, time) -> record(provider, phase, time));
	}

	/** Records a hand-over whose reply was lost. */
	void lost(AnswerLost lost, @Nullable Route route) {
		count(lost.attempt(), route, "unanswered", "");
		this.ambiguous.increment();
	}

	/** Records mails for which no session could be opened, if a server was contacted. */
	void unopened(NotOpened reason, List<Lease> leases) {
		Settlement.@Nullable Attempt attempt = reason.attempt();
		if (attempt != null) {
			attempts(attempt, "unopened", NO_REPLY).increment(leases.size());
			leases.forEach((lease) -> {
				this.activity.unopened(attempt.transport(), lease.route().domain(), 1);
				countOrigin(attempt, lease.route(), "unopened");
			});
		}
	}

	private void count(Settlement.Attempt attempt, @Nullable Route route, String result, String reply) {
		attempts(attempt, result, replyClass(reply)).increment();
		countOrigin(attempt, route, result);
	}

	/**
	 * Counts an attempt for its sending address and its pool, if it has them. Pools have
	 * the providers of warm-ups, because there may be many pools.
	 */
	private void countOrigin(Settlement.Attempt attempt, @Nullable Route route, String result) {
		Route.@Nullable Origin origin = (route != null) ? route.origin() : null;
		if (origin == null || attempt.source() == null || origin.source() == null) {
			return;
		}
		String coarse = switch (result) {
			case "delivered" -> "delivered";
			case "bounced", "blocked", "failed" -> "refused";
			default -> "deferred";
		};
		String source = origin.source();
		this.attempts
			.computeIfAbsent(List.of("source", source, coarse),
					(_) -> this.registry.counter("mailroom.source.attempts", "source", source, "result", coarse))
			.increment();
		this.attempts
			.computeIfAbsent(List.of("pool", origin.pool(), SourceWarmup.provider(provider(attempt)), coarse),
					(tags) -> this.registry.counter("mailroom.pool.attempts", "pool", tags.get(1), "provider",
							tags.get(2), "result", coarse))
			.increment();
	}

	private Counter attempts(Settlement.Attempt attempt, String result, String replyClass) {
		return this.attempts.computeIfAbsent(List.of(attempt.transport(), provider(attempt), result, replyClass),
				(tags) -> this.registry.counter("mailroom.delivery.attempts", "transport", tags.get(0), "provider",
						tags.get(1), "result", tags.get(2), "reply_class", tags.get(3)));
	}

	private String provider(Settlement.Attempt attempt) {
		return this.providers.get(attempt.host(), Profiles::provider);
	}

	private static String replyClass(String reply) {
		return (!reply.isEmpty() && "245".indexOf(reply.charAt(0)) >= 0) ? reply.substring(0, 1) : NO_REPLY;
	}

	/** Mail that was scheduled counts from its time, which its Date header shows. */
	private void recordAccepted(HandOver handOver) {
		Instant accepted = handOver.mail().createdAt();
		this.timesToAccept
			.computeIfAbsent(handOver.mail().stream(), (stream) -> Timer.builder("mailroom.time.to.accept")
				.description("Time from acceptance to the positive reply of the recipient's server or the relay")
				.tag("stream", stream)
				.serviceLevelObjectives(Buckets.SLOW)
				.register(this.registry))
			.record(nonNegative(Duration.between(accepted, this.clock.instant())));
	}

	/** The clocks of database and worker may differ. */
	private static Duration nonNegative(Duration duration) {
		return duration.isNegative() ? Duration.ZERO : duration;
	}

	private void record(String provider, Phase phase, Duration time) {
		this.phases
			.computeIfAbsent(new PhaseKey(provider, phase),
					(key) -> Timer.builder("mailroom.delivery.phase")
						.description("Time of a phase of an SMTP session or transaction")
						.tag("provider", key.provider())
						.tag("phase", key.phase().label())
						.serviceLevelObjectives(Buckets.PHASE)
						.register(this.registry))
			.record(time);
	}

	private record PhaseKey(String provider, Phase phase) {
	}

	/**
	 * Durations of the phases of an SMTP conversation, read from its record. The record
	 * of the first mail of a session includes the opening of the session; those of
	 * further mails have envelope and data only.
	 */
	static final class PhaseTimes {

		private final Map<Phase, Long> began = new EnumMap<>(Phase.class);

		private final Map<Phase, Duration> times = new EnumMap<>(Phase.class);

		private PhaseTimes() {
		}

		/**
		 * Reads lines of the form {@code <milliseconds> C: <command>} or
		 * {@code S: <reply>}.
		 */
		static Map<Phase, Duration> of(String conversation) {
			PhaseTimes times = new PhaseTimes();
			conversation.lines().forEach(times::read);
			return times.times;
		}

		private void read(String line) {
			int space = line.indexOf(' ');
			if (space <= 0 || !line.chars().limit(space).allMatch(Character::isDigit)) {
				return;
			}
			long at = Long.parseLong(line.substring(0, space));
			String entry = line.substring(space + 1);
			if (entry.startsWith("to ")) {
				begin(Phase.CONNECT, at);
			}
			else if (entry.startsWith("S: 220")) {
				end(Phase.CONNECT, at);
			}
			else if (entry.startsWith("C: STARTTLS")) {
				begin(Phase.TLS, at);
			}
			else if (entry.startsWith("C: EHLO")) {
				end(Phase.TLS, at);
			}
			else if (entry.startsWith("C: MAIL")) {
				begin(Phase.ENVELOPE, at);
			}
			else if (entry.startsWith("S: 354")) {
				end(Phase.ENVELOPE, at);
			}
			else if (entry.startsWith("C: (the message")) {
				begin(Phase.DATA, at);
			}
			else if (entry.startsWith("S: ")) {
				end(Phase.DATA, at);
			}
		}

		private void begin(Phase phase, long at) {
			this.began.put(phase, at);
		}

		private void end(Phase phase, long at) {
			Long from = this.began.remove(phase);
			if (from != null) {
				this.times.put(phase, Duration.ofMillis(at - from));
			}
		}

	}

	/** Phases of a session and its transactions. */
	enum Phase {

		/** From the connection attempt to the greeting. */
		CONNECT,
		/** From STARTTLS to the next EHLO. */
		TLS,
		/** From MAIL to the reply to DATA. */
		ENVELOPE,
		/** From the message to the reply to the final dot. */
		DATA;

		/** The value of the label. */
		String label() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
