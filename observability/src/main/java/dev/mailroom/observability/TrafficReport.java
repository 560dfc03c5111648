package dev.mailroom.observability;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.mailroom.accept.Accepted;
import dev.mailroom.outcome.Settled;
import dev.mailroom.traffic.Traffic;
import dev.mailroom.traffic.TrafficPoint;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Counts what this process accepts, settles and answers, and adds it to the counts of the
 * platform every few seconds, so that no mail costs a statement.
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
	void count(Accepted accepted) {
		this.accepted.addAndGet(accepted.count());
	}

	@EventListener
	void count(Settled settled) {
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
			RequestCounts.Counts answered = this.requests.take();
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

}
