package dev.mailroom.observability;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.mail.accept.MailAccepted;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.operator.Traffic;
import dev.mailroom.operator.TrafficPoint;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Counts the mail that this process accepts and settles and the requests that it answers,
 * and adds them to the counts of the platform every few seconds. No mail needs a separate
 * statement.
 */
@EnableScheduling
class TrafficReport {

	private static final Logger log = LoggerFactory.getLogger(TrafficReport.class);

	private final Traffic traffic;

	private final AtomicLong accepted = new AtomicLong();

	private final AtomicLong delivered = new AtomicLong();

	private final AtomicLong bounced = new AtomicLong();

	private final AtomicLong failed = new AtomicLong();

	private final AtomicLong deferred = new AtomicLong();

	private final RequestCounts requests;

	TrafficReport(Traffic traffic, MeterRegistry registry) {
		this.traffic = traffic;
		this.requests = new RequestCounts(registry);
	}

	@EventListener
	void count(MailAccepted accepted) {
		this.accepted.addAndGet(accepted.count());
	}

	@EventListener
	void count(Outcomes.Settled settled) {
		switch (settled.result()) {
			case DELIVERED, SENT -> this.delivered.addAndGet(settled.count());
			case BOUNCED -> this.bounced.addAndGet(settled.count());
			case FAILED, EXPIRED -> this.failed.addAndGet(settled.count());
			case DEFERRED, UNOPENED -> this.deferred.addAndGet(settled.count());
			case UNANSWERED, SUPPRESSED, COMPLAINED -> {
			}
		}
	}

	/** Counts that could not be written are written the next time. */
	@Scheduled(initialDelay = 3, fixedDelay = 3, timeUnit = TimeUnit.SECONDS)
	Mono<Void> write() {
		return Mono.defer(() -> {
			Counts answered = this.requests.take();
			TrafficPoint counts = new TrafficPoint(Instant.EPOCH, this.accepted.getAndSet(0),
					this.delivered.getAndSet(0), this.bounced.getAndSet(0), this.failed.getAndSet(0),
					this.deferred.getAndSet(0), answered.all(), answered.errors(), answered.sends(),
					answered.lateSends());
			return this.traffic.add(counts).onErrorResume((error) -> {
				log.warn("The counts of the platform could not be written: {}", error.toString());
				return Mono.fromRunnable(() -> {
					addAgain(counts);
					this.requests.putBack(answered);
				});
			});
		});
	}

	private void addAgain(TrafficPoint counts) {
		this.accepted.addAndGet(counts.accepted());
		this.delivered.addAndGet(counts.delivered());
		this.bounced.addAndGet(counts.bounced());
		this.failed.addAndGet(counts.failed());
		this.deferred.addAndGet(counts.deferred());
	}

	/**
	 * Numbers of requests to the API that this process has answered, read from the meter
	 * of HTTP requests. Other apps have none.
	 */
	static final class RequestCounts {

		private static final double SEND_LIMIT = Duration.ofMillis(250).toNanos();

		private static final Set<String> SENDING = Set.of("/api/emails", "/api/emails/batch");

		private final MeterRegistry registry;

		private final AtomicReference<Counts> taken = new AtomicReference<>(Counts.NONE);

		RequestCounts(MeterRegistry registry) {
			this.registry = registry;
		}

		/** Returns the requests since the last call. */
		Counts take() {
			Counts total = this.registry.find("http.server.requests")
				.tag("application", "platform-api")
				.timers()
				.stream()
				.filter((timer) -> !tag(timer.getId(), "uri").startsWith("/actuator"))
				.map(RequestCounts::of)
				.reduce(Counts.NONE, Counts::plus);
			return total.minus(this.taken.getAndSet(total));
		}

		/** Lets the next call return these requests again. */
		void putBack(Counts counts) {
			this.taken.updateAndGet((before) -> before.minus(counts));
		}

		private static Counts of(Timer timer) {
			long all = timer.count();
			boolean failed = tag(timer.getId(), "status").startsWith("5");
			boolean sends = sends(timer.getId());
			return new Counts(all, failed ? all : 0, sends ? all : 0,
					sends ? Math.max(0, all - inTime(timer, all)) : 0);
		}

		/** Requests within the limit; all of them if the meter has no such bucket. */
		private static long inTime(Timer timer, long all) {
			return Arrays.stream(timer.takeSnapshot().histogramCounts())
				.filter((bucket) -> bucket.bucket() == SEND_LIMIT)
				.mapToLong((bucket) -> (long) bucket.count())
				.findFirst()
				.orElse(all);
		}

		/** Whether requests of a meter send mail; their duration has an objective. */
		static boolean sends(Meter.Id requests) {
			return tag(requests, "method").equals("POST") && SENDING.contains(tag(requests, "uri"));
		}

		private static String tag(Meter.Id meter, String name) {
			return Objects.requireNonNullElse(meter.getTag(name), "");
		}

	}

	/**
	 * Numbers of requests: all, those that failed, those that send mail, and the late
	 * ones of these.
	 */
	record Counts(long all, long errors, long sends, long lateSends) {

		static final Counts NONE = new Counts(0, 0, 0, 0);

		Counts plus(Counts other) {
			return new Counts(this.all + other.all, this.errors + other.errors, this.sends + other.sends,
					this.lateSends + other.lateSends);
		}

		Counts minus(Counts other) {
			return new Counts(this.all - other.all, this.errors - other.errors, this.sends - other.sends,
					this.lateSends - other.lateSends);
		}

	}

}
