package dev.mailroom.observability;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.mailroom.mail.accept.Idempotency;
import dev.mailroom.mail.accept.MailAccepted;
import dev.mailroom.mail.accept.Quotas;
import dev.mailroom.mail.outcome.DeliveryResult;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.queue.Lease;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.springframework.context.event.EventListener;

/**
 * Meters of accepted, leased and settled mail, from the application events of the core.
 */
class DeliveryMeters {

	private static final int FIRST_RARE_ATTEMPT = 4;

	private static final int FIRST_LATE_ATTEMPT = 7;

	private final MeterRegistry registry;

	/** The meters by their tags: the registry would look them up for each mail. */
	private final Map<List<String>, Counter> settled = new ConcurrentHashMap<>();

	private final Map<String, Timer> firstAttempts = new ConcurrentHashMap<>();

	DeliveryMeters(MeterRegistry registry) {
		this.registry = registry;
	}

	@EventListener
	void count(MailAccepted accepted) {
		this.registry
			.counter("mailroom.emails.accepted", "stream", accepted.stream(), "channel",
					accepted.channel().contractName())
			.increment(accepted.count());
	}

	@EventListener
	void count(Quotas.LimitReached limit) {
		this.registry.counter("mailroom.quota.refusals", "period", limit.period()).increment();
	}

	@EventListener
	void count(Idempotency.KeyUse use) {
		this.registry.counter("mailroom.idempotency", "result", use.contractName()).increment();
	}

	/** Registered on first use, as all meters here, because most apps commit nothing. */
	@EventListener
	void count(MailAccepted.Commit commit) {
		DistributionSummary.builder("mailroom.commit.group.size")
			.description("Requests committed in one transaction")
			.serviceLevelObjectives(1, 2, 5, 10, 20, 50, 100, 200, 500)
			.register(this.registry)
			.record(commit.requests());
		Timer.builder("mailroom.commit")
			.description("Duration of the transaction that accepts a group of requests")
			.serviceLevelObjectives(Buckets.QUICK)
			.register(this.registry)
			.record(commit.took());
	}

	/** Published by the worker with the active dispatcher. */
	@EventListener
	void record(Lease.Lateness leased) {
		Timer timer = Timer.builder("mailroom.scheduled.lateness")
			.description("Time from when a delivery was due until it was leased")
			.tag("stream", leased.stream())
			.serviceLevelObjectives(Buckets.SLOW)
			.register(this.registry);
		leased.late().forEach(timer::record);
	}

	@EventListener
	void count(Outcomes.Settled settled) {
		this.settled
			.computeIfAbsent(List.of(settled.result().contractName(), settled.stream()),
					(tags) -> this.registry.counter("mailroom.deliveries.settled", "outcome", tags.get(0), "stream",
							tags.get(1)))
			.increment(settled.count());
		settled.toFirstAttempt().forEach((duration) -> recordFirstAttempt(settled.stream(), duration));
		if (settled.result() == DeliveryResult.DEFERRED) {
			settled.attempts()
				.forEach((attempt) -> this.registry.counter("mailroom.retries", "attempt", label(attempt)).increment());
		}
	}

	private void recordFirstAttempt(String stream, Duration duration) {
		this.firstAttempts
			.computeIfAbsent(stream,
					(tag) -> Timer.builder("mailroom.time.to.first.attempt")
						.description("Time from when a delivery was due to the end of its first attempt")
						.tag("stream", tag)
						.serviceLevelObjectives(Buckets.SLOW)
						.register(this.registry))
			.record(duration);
	}

	/** Number of an attempt after which a delivery is retried, in few values. */
	private static String label(int attempt) {
		if (attempt >= FIRST_LATE_ATTEMPT) {
			return "7+";
		}
		return (attempt >= FIRST_RARE_ATTEMPT) ? "4-6" : Integer.toString(Math.max(attempt, 1));
	}

}
