package dev.mailroom.observability;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * Numbers of requests to the API that this process has answered, read from the meter of
 * HTTP requests. Other apps have none.
 */
final class RequestCounts {

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
			.filter((timer) -> !tag(timer, "uri").startsWith("/actuator"))
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
		boolean failed = tag(timer, "status").startsWith("5");
		boolean sends = tag(timer, "method").equals("POST") && SENDING.contains(tag(timer, "uri"));
		return new Counts(all, failed ? all : 0, sends ? all : 0, sends ? Math.max(0, all - inTime(timer, all)) : 0);
	}

	/** Requests within the limit; all of them if the meter has no such bucket. */
	private static long inTime(Timer timer, long all) {
		return Arrays.stream(timer.takeSnapshot().histogramCounts())
			.filter((bucket) -> bucket.bucket() == SEND_LIMIT)
			.mapToLong((bucket) -> (long) bucket.count())
			.findFirst()
			.orElse(all);
	}

	private static String tag(Timer timer, String name) {
		return Objects.requireNonNullElse(timer.getId().getTag(name), "");
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
