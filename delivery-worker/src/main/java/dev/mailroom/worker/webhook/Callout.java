package dev.mailroom.worker.webhook;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.observability.MailSpans;
import dev.mailroom.upkeep.Agenda;
import dev.mailroom.webhook.CallResult;
import dev.mailroom.webhook.LeasedEndpoint;
import dev.mailroom.webhook.WebhookCalls;
import dev.mailroom.worker.dispatch.LoopHealth;
import dev.mailroom.worker.dispatch.WorkLoops;
import io.micrometer.tracing.Span;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;

import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Makes webhook calls. It leases endpoints with due calls, makes at most two calls to
 * each at a time, and records the results of an endpoint together. Every worker runs this
 * loop, which searches after settlements of this worker and, if there are endpoints, at
 * an interval. A call waits without a database connection or a thread.
 */
@Component
class Callout implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(Callout.class);

	/** Calls to one endpoint at a time. */
	private static final int LANES = 2;

	/** Calls of one endpoint that are read together. */
	private static final int MAX_CALLS = 32;

	/** Time between two searches that settlements cause, and more for each endpoint. */
	private static final Duration SETTLED_INTERVAL = Duration.ofMillis(100);

	/**
	 * Limits the leases and records per second: the calls of many endpoints wait and are
	 * made together.
	 */
	private static final Duration SETTLED_INTERVAL_OF_EACH = Duration.ofMillis(2);

	/** Exceeds the statement timeout, so that it only ends work on a dead connection. */
	private static final Duration TURN_TIMEOUT = Duration.ofSeconds(45);

	/** Exceeds the timeout of a turn. */
	private static final Duration MAX_SILENCE = Duration.ofMinutes(3);

	/** Results of a lease that was lost meanwhile are dropped. */
	private static final Retry SETTLE_AGAIN = Retry.backoff(6, Duration.ofMillis(200))
		.maxBackoff(Duration.ofSeconds(5));

	/** Time that a stop allows for recording the last calls. */
	private static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(10);

	private final WebhookCalls calls;

	private final CallClient client;

	private final CalloutMeters meters;

	private final MailSpans spans;

	private final CalloutSettings settings;

	private final LoopHealth health;

	private final LoopHealth.Heartbeat turns;

	private final Sinks.Many<Boolean> wakeUps = Sinks.many().multicast().directBestEffort();

	private final Sinks.Many<Boolean> settlements = Sinks.many().multicast().directBestEffort();

	/** Endpoints leased and not yet settled. */
	private final AtomicInteger leased = new AtomicInteger();

	private final AtomicReference<UUID> last = new AtomicReference<>(WebhookCalls.Turn.START);

	/** Endpoints leased by the last turn. */
	private volatile int lastLeased;

	/** Whether there are endpoints. */
	private volatile boolean needed = true;

	private volatile boolean stopping;

	private Disposable running = Disposables.disposed();

	private Sinks.Empty<Void> stop = Sinks.empty();

	private Mono<Void> end = Mono.empty();

	Callout(WebhookCalls calls, CallClient client, CalloutMeters meters, MailSpans spans, CalloutSettings settings,
			Agenda agenda, WorkLoops loops, LoopHealth health) {
		this.calls = calls;
		this.client = client;
		this.meters = meters;
		this.spans = spans;
		this.settings = settings;
		this.health = health;
		this.turns = health.watch("webhook calls", MAX_SILENCE);
		loops.add("webhook endpoints", settings.poll(),
				() -> agenda.anyEndpoint().map(this::need).blockOptional().orElse(false));
	}

	/** Records whether there are endpoints. A new one is announced. */
	private boolean need(boolean endpoints) {
		this.needed = endpoints;
		if (!endpoints && !this.stopping) {
			this.turns.beat();
		}
		return false;
	}

	private Flux<Void> run() {
		Flux<Boolean> polls = Flux.interval(this.settings.poll())
			.map((_) -> this.needed)
			.filter((it) -> it)
			.onBackpressureDrop();
		Flux<Boolean> settled = this.settlements.asFlux()
			.onBackpressureLatest()
			.concatMap((it) -> Flux.concat(Mono.just(it), pause()), 1);
		return Flux.merge(polls, this.wakeUps.asFlux(), settled)
			.takeUntilOther(this.stop.asMono())
			.onBackpressureLatest()
			.concatMap((_) -> turn(), 1)
			.flatMap(this::call, this.settings.endpoints());
	}

	private Mono<Boolean> pause() {
		return Mono.delay(SETTLED_INTERVAL.plus(SETTLED_INTERVAL_OF_EACH.multipliedBy(this.lastLeased)))
			.then(Mono.empty());
	}

	/** Searches for the calls that a committed settlement may have queued. */
	@EventListener(Outcomes.Settled.class)
	void settled() {
		this.settlements.tryEmitNext(true);
	}

	/** Leases endpoints, as many as this worker may call in addition. */
	private Flux<LeasedEndpoint> turn() {
		int free = this.settings.endpoints() - this.leased.get();
		if (free <= 0 || this.stopping) {
			this.turns.beat();
			return Flux.empty();
		}
		return this.calls.lease(this.last.get(), free, MAX_CALLS).timeout(TURN_TIMEOUT).doOnNext((turn) -> {
			this.last.set(turn.last());
			this.lastLeased = turn.endpoints().size();
			this.leased.addAndGet(turn.endpoints().size());
		}).flatMapIterable(WebhookCalls.Turn::endpoints).onErrorResume((error) -> {
			log.warn("Webhook calls cannot be leased: {}", error.toString());
			return Flux.empty();
		}).doOnComplete(this.turns::beat);
	}

	/** Makes the calls of one endpoint, up to the first failure, and records them. */
	private Mono<Void> call(LeasedEndpoint endpoint) {
		long deadline = System.nanoTime() + CalloutSettings.BEGIN_WITHIN.toNanos();
		AtomicBoolean failed = new AtomicBoolean();
		return Flux.fromIterable(endpoint.calls()).flatMap((call) -> Mono.defer(() -> {
			boolean begins = !this.stopping && !failed.get() && System.nanoTime() < deadline;
			return begins ? call(endpoint, call) : Mono.<CallResult>empty();
		}).doOnNext((result) -> failed.compareAndSet(false, !result.isAccepted())), LANES, 1)
			.collectList()
			.flatMap((results) -> Mono.defer(() -> this.calls.settle(endpoint, results)).retryWhen(SETTLE_AGAIN))
			.onErrorResume((error) -> {
				log.warn("The results of calls to webhook endpoint {} were not recorded; the calls are repeated: {}",
						endpoint.endpointId(), error.toString());
				return Mono.empty();
			})
			.doFinally((_) -> {
				this.leased.decrementAndGet();
				if (endpoint.full()) {
					this.wakeUps.tryEmitNext(true);
				}
			});
	}

	private Mono<CallResult> call(LeasedEndpoint endpoint, LeasedEndpoint.Call call) {
		this.meters.begun(call);
		Span span = this.spans.begin(call.trace(), Span.Kind.CLIENT, "webhook call",
				Map.of("endpoint_id", endpoint.endpointId().toString(), "event", call.kind()));
		return this.client.call(endpoint, call)
			.doOnNext((result) -> this.spans.measure(span, () -> this.meters.ended(result)))
			.doFinally((_) -> span.end());
	}

	@Override
	public void start() {
		Sinks.Empty<Void> ended = Sinks.empty();
		this.end = ended.asMono();
		this.stop = Sinks.empty();
		this.stopping = false;
		this.turns.beat();
		this.running = run().doFinally((_) -> ended.tryEmitEmpty()).subscribe((_) -> {
		}, (error) -> this.health.ended("webhook calls", error), () -> {
			if (!this.stopping) {
				this.health.ended("webhook calls", new IllegalStateException("The loop ended without an error"));
			}
		});
	}

	/** Begins no further call, and waits for those in progress. */
	@Override
	public void stop(Runnable callback) {
		this.stopping = true;
		this.turns.idle();
		this.stop.tryEmitEmpty();
		Disposable _ = this.end.timeout(this.settings.timeout().plus(SETTLE_TIMEOUT))
			.onErrorComplete()
			.doFinally((_) -> {
				this.running.dispose();
				callback.run();
			})
			.subscribe();
	}

	@Override
	public void stop() {
		this.running.dispose();
	}

	@Override
	public boolean isRunning() {
		return !this.running.isDisposed();
	}

}
