package dev.mailroom.worker.webhook;

import java.time.Duration;
import java.util.Collections;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.observability.MailSpans;
import dev.mailroom.webhook.CallResult;
import dev.mailroom.webhook.LeasedEndpoint;
import dev.mailroom.webhook.WebhookCalls;
import dev.mailroom.worker.dispatch.LoopHealth;
import dev.mailroom.worker.dispatch.WorkLoops;
import io.micrometer.tracing.Span;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Makes webhook calls. A loop leases endpoints with due calls; a virtual thread for each
 * makes at most two calls at a time and records the results together. Every worker runs
 * this loop, which searches after settlements of this worker and, if there are endpoints,
 * at an interval. A call waits without a database connection.
 */
@Component
class Callout implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(Callout.class);

	/** Calls to one endpoint at a time. */
	private static final int THREADS = 2;

	/** Calls of one endpoint that are read together. */
	private static final int MAX_CALLS = 32;

	/** Time between two searches that settlements cause, and more for each endpoint. */
	private static final Duration SETTLED_INTERVAL = Duration.ofMillis(100);

	/**
	 * Limits the leases and records per second: the calls of many endpoints wait and are
	 * made together.
	 */
	private static final Duration SETTLED_INTERVAL_OF_EACH = Duration.ofMillis(2);

	/** Exceeds the time of a turn on a server that does not respond. */
	private static final Duration MAX_SILENCE = Duration.ofMinutes(3);

	/** Tries of a record. Results of a lease that was lost meanwhile are dropped. */
	private static final int SETTLE_TRIES = 7;

	private static final Duration FIRST_SETTLE_DELAY = Duration.ofMillis(200);

	private static final Duration MAX_SETTLE_DELAY = Duration.ofSeconds(5);

	/** Time that a stop allows for recording the last calls. */
	private static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(10);

	private final WebhookCalls calls;

	private final CallClient client;

	private final CalloutMeters meters;

	private final MailSpans spans;

	private final CalloutSettings settings;

	private final LoopHealth health;

	private final LoopHealth.Heartbeat turns;

	/** Endpoints leased and not yet settled. */
	private final AtomicInteger leased = new AtomicInteger();

	private final ReentrantLock lock = new ReentrantLock();

	/** Signalled when the loop may have to search earlier. */
	private final Condition changed = this.lock.newCondition();

	/** Whether an endpoint may have more calls that are due. */
	private boolean more;

	/** Whether mail was settled since the last search. */
	private boolean settled;

	/** Whether there are endpoints. */
	private boolean needed = true;

	private volatile boolean stopping;

	private Thread loop = new Thread(this::run);

	private ExecutorService threads = threads();

	Callout(WebhookCalls calls, CallClient client, CalloutMeters meters, MailSpans spans, CalloutSettings settings,
			WorkLoops loops, LoopHealth health) {
		this.calls = calls;
		this.client = client;
		this.meters = meters;
		this.spans = spans;
		this.settings = settings;
		this.health = health;
		this.turns = health.watch("webhook calls", MAX_SILENCE);
		loops.add("webhook endpoints", settings.poll(), () -> {
			boolean any = calls.anyEndpoint();
			change(() -> this.needed = any);
			// A notification follows when one is added.
			return false;
		});
	}

	private static ExecutorService threads() {
		return Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("webhook endpoint ", 0).factory());
	}

	/** Searches for the calls that a committed settlement may have queued. */
	@EventListener(Outcomes.Settled.class)
	void settled() {
		change(() -> this.settled = true);
	}

	private void change(Runnable change) {
		this.lock.lock();
		try {
			change.run();
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void run() {
		try {
			UUID last = WebhookCalls.Turn.START;
			int count = 0;
			while (!this.stopping) {
				this.turns.beat();
				if (await(SETTLED_INTERVAL.plus(SETTLED_INTERVAL_OF_EACH.multipliedBy(count)))) {
					WebhookCalls.Turn turn = turn(last);
					last = turn.last();
					count = turn.endpoints().size();
				}
			}
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
		catch (Throwable error) {
			this.health.ended("webhook calls", error);
		}
	}

	/**
	 * Waits for the next search.
	 * @param pause time until one that a settlement causes
	 * @return false if there are no endpoints, and nothing else asks for a search
	 */
	private boolean await(Duration pause) throws InterruptedException {
		long start = System.nanoTime();
		this.lock.lock();
		try {
			while (!this.stopping && !this.more) {
				Duration time = this.settled ? pause : this.needed ? this.settings.poll() : WorkLoops.IDLE_INTERVAL;
				long rest = time.toNanos() - (System.nanoTime() - start);
				if (rest <= 0) {
					break;
				}
				long _ = this.changed.awaitNanos(rest);
			}
			boolean search = this.more || this.settled || this.needed;
			this.more = false;
			this.settled = false;
			return search;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Leases endpoints, as many as this worker may call in addition, and begins their
	 * calls.
	 */
	private WebhookCalls.Turn turn(UUID after) {
		WebhookCalls.Turn none = new WebhookCalls.Turn(List.of(), after);
		int free = CalloutSettings.ENDPOINTS - this.leased.get();
		if (free <= 0 || this.stopping) {
			return none;
		}
		try {
			WebhookCalls.Turn turn = this.calls.lease(after, free, MAX_CALLS);
			this.leased.addAndGet(turn.endpoints().size());
			turn.endpoints().forEach((endpoint) -> this.threads.execute(() -> call(endpoint)));
			return turn;
		}
		catch (RuntimeException ex) {
			log.warn("Webhook calls cannot be leased: {}", ex.toString());
			return none;
		}
	}

	/** Makes the calls of one endpoint, up to the first failure, and records them. */
	private void call(LeasedEndpoint endpoint) {
		long deadline = System.nanoTime() + CalloutSettings.BEGIN_WITHIN.toNanos();
		Queue<LeasedEndpoint.Call> waiting = new ConcurrentLinkedQueue<>(endpoint.calls());
		List<CallResult> results = Collections.synchronizedList(new ArrayList<>());
		AtomicBoolean failed = new AtomicBoolean();
		Runnable calls = () -> {
			while (!this.stopping && !failed.get() && System.nanoTime() < deadline) {
				LeasedEndpoint.Call next = waiting.poll();
				if (next == null) {
					return;
				}
				CallResult result = call(endpoint, next);
				results.add(result);
				failed.compareAndSet(false, !result.isAccepted());
			}
		};
		try {
			List<Thread> others = new ArrayList<>();
			for (int i = 1; i < Math.min(THREADS, endpoint.calls().size()); i++) {
				others.add(Thread.startVirtualThread(calls));
			}
			calls.run();
			for (Thread other : others) {
				other.join();
			}
			settle(endpoint, List.copyOf(results));
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.leased.decrementAndGet();
			if (endpoint.full()) {
				change(() -> this.more = true);
			}
		}
	}

	private CallResult call(LeasedEndpoint endpoint, LeasedEndpoint.Call call) {
		this.meters.begun(call);
		Span span = this.spans.begin(call.trace(), Span.Kind.CLIENT, "webhook call",
				Map.of("endpoint_id", endpoint.endpointId().toString(), "event", call.kind()));
		try {
			CallResult result = this.client.call(endpoint, call);
			this.spans.measure(span, () -> this.meters.ended(result));
			return result;
		}
		finally {
			span.end();
		}
	}

	private void settle(LeasedEndpoint endpoint, List<CallResult> results) throws InterruptedException {
		Duration delay = FIRST_SETTLE_DELAY;
		for (int tries = 1;; tries++) {
			try {
				this.calls.settle(endpoint, results);
				return;
			}
			catch (RuntimeException ex) {
				if (tries == SETTLE_TRIES) {
					log.warn(
							"The results of calls to webhook endpoint {} were not recorded; the calls are repeated: {}",
							endpoint.endpointId(), ex.toString());
					return;
				}
			}
			TimeUnit.MILLISECONDS.sleep(delay.toMillis());
			delay = delay.multipliedBy(2).compareTo(MAX_SETTLE_DELAY) < 0 ? delay.multipliedBy(2) : MAX_SETTLE_DELAY;
		}
	}

	@Override
	public void start() {
		this.stopping = false;
		this.threads = threads();
		this.loop = Thread.ofVirtual().name("webhook calls").start(this::run);
	}

	/** Begins no further call, and waits for those in progress. */
	@Override
	public void stop(Runnable callback) {
		Thread.ofVirtual().name("webhook calls end").start(() -> {
			stop();
			callback.run();
		});
	}

	@Override
	public void stop() {
		this.turns.idle();
		change(() -> this.stopping = true);
		try {
			Duration timeout = this.settings.timeout().plus(SETTLE_TIMEOUT);
			long start = System.nanoTime();
			this.loop.join(timeout);
			this.threads.shutdown();
			boolean _ = this.threads.awaitTermination(timeout.toNanos() - (System.nanoTime() - start),
					TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
		this.loop.interrupt();
		this.threads.shutdownNow();
	}

	@Override
	public boolean isRunning() {
		return this.loop.isAlive();
	}

}
