package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.mailroom.mail.queue.Fenced;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Queue;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.observability.LoggedMail;
import dev.mailroom.worker.dispatch.HoldWatch;
import dev.mailroom.worker.dispatch.LoopHealth;
import dev.mailroom.worker.smtp.client.NotOpened;
import dev.mailroom.worker.smtp.client.Session;
import dev.mailroom.worker.smtp.client.Transport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * The sender threads: virtual threads that each take a batch of leases, open a session,
 * pass the fence, hand over one mail after another, and continue once the outcomes are
 * settled. The fence comes after the session, so that no attempt is counted if it cannot
 * be opened.
 */
@Component
class SenderThreads implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(SenderThreads.class);

	private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

	/** Before the listener, which stops first. */
	static final int PHASE = DEFAULT_PHASE - 1000;

	private static final Duration ERROR_DELAY = Duration.ofMillis(500);

	private final Queue queue;

	private final LeaseQueue leaseQueue;

	private final HandOvers handOvers;

	private final Revocations revocations;

	private final HoldWatch holds;

	private final LoopHealth health;

	private final SendSettings settings;

	private final ApplicationContext context;

	private final List<Thread> threads = new ArrayList<>();

	private CountDownLatch running = new CountDownLatch(0);

	SenderThreads(Queue queue, LeaseQueue leaseQueue, HandOvers handOvers, Revocations revocations, HoldWatch holds,
			LoopHealth health, SendSettings settings, ApplicationContext context) {
		this.queue = queue;
		this.leaseQueue = leaseQueue;
		this.handOvers = handOvers;
		this.revocations = revocations;
		this.holds = holds;
		this.health = health;
		this.settings = settings;
		this.context = context;
	}

	/**
	 * Queues leases for the threads, and tells the dispatcher about those that do not
	 * fit, or that arrive during a shutdown. Does not wait.
	 */
	void take(List<LeaseQueue.Waiting> leases) {
		this.leaseQueue.offer(leases).forEach(this::rejected);
	}

	private void rejected(LeaseQueue.Rejection reason, List<Lease> leases) {
		if (reason.reach() == LeaseQueue.Reach.ROW) {
			List<CompletableFuture<Void>> _ = this.handOvers.settleUnopened(leases,
					NotOpened.notTried("451 4.3.2 No sending address can be used now", reason.delay(), null));
			return;
		}
		notTaken(leases, reason.delay(), reason.reach() == LeaseQueue.Reach.DESTINATION);
	}

	/** Queues a lease if threads are free; false if it was not queued. */
	boolean takeLone(LeaseQueue.Waiting lease) {
		return !this.holds.isPaused() && this.leaseQueue.offerIfFree(lease);
	}

	private void run() {
		try {
			while (!this.leaseQueue.isClosed()) {
				Optional<LeaseQueue.Batch> batch = this.leaseQueue.take();
				if (batch.isPresent()) {
					trySend(batch.get());
				}
			}
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
		catch (Throwable error) {
			this.health.ended(Thread.currentThread().getName(), error);
		}
		finally {
			this.running.countDown();
		}
	}

	/** Sends a batch; no error of a batch ends the thread. */
	private void trySend(LeaseQueue.Batch batch) throws InterruptedException {
		try {
			send(batch);
		}
		catch (Throwable error) {
			// The deliveries are leased again, or recovered.
			log.atWarn()
				.addKeyValue(LoggedMail.ACCOUNT, batch.route().accountId())
				.setCause(error)
				.log("A batch of {} deliveries failed: {}", batch.leases().size(), error.toString());
			TimeUnit.MILLISECONDS.sleep(ERROR_DELAY.toMillis());
		}
		finally {
			this.leaseQueue.done(batch);
		}
	}

	/**
	 * Sends a batch. Leases that exceed a rate limit wait in this worker; those for which
	 * no session was opened do not. Deliveries of a batch that fails are leased again, or
	 * recovered when their hand-over expires.
	 */
	void send(LeaseQueue.Batch batch) {
		List<CompletableFuture<Void>> settlements = new ArrayList<>();
		List<Lease> leases = admitted(batch);
		if (!leases.isEmpty()) {
			try (LentSession session = new LentSession(batch.transport(), batch.route())) {
				settlements.addAll(hand(batch, leases, session.open()));
				session.release();
			}
			catch (NotOpened ex) {
				settlements.addAll(notOpened(leases, ex));
			}
		}
		CompletableFuture.allOf(settlements.toArray(CompletableFuture[]::new)).join();
	}

	/** The leases that may begin. */
	private List<Lease> admitted(LeaseQueue.Batch batch) {
		if (this.holds.isPaused()) {
			notTaken(batch.leases(), Duration.ZERO, false);
			return List.of();
		}
		start(batch.transport().lookUp(batch.route())).join();
		Map<Boolean, List<Lease>> held = batch.leases()
			.stream()
			.collect(Collectors.partitioningBy((lease) -> this.holds.isHeld(lease.route())));
		withoutWaiting(held.getOrDefault(true, List.of()), this.queue::hold);
		Map<Boolean, List<Lease>> admitted = held.getOrDefault(false, List.of())
			.stream()
			.collect(Collectors.partitioningBy((lease) -> batch.transport().admits(lease.route())));
		this.leaseQueue.putBack(batch, admitted.getOrDefault(false, List.of()));
		Map<Boolean, List<Lease>> permitted = admitted.getOrDefault(true, List.of())
			.stream()
			.collect(Collectors.partitioningBy((lease) -> batch.transport().permits(lease.route())));
		notTaken(permitted.getOrDefault(false, List.of()), Duration.ZERO, false);
		return permitted.getOrDefault(true, List.of());
	}

	/** The mails have only waited if no server was contacted: they are not settled. */
	private List<CompletableFuture<Void>> notOpened(List<Lease> leases, NotOpened reason) {
		if (reason.counts()) {
			log.atWarn()
				.addKeyValue(LoggedMail.ACCOUNT, leases.getFirst().route().accountId())
				.log("No session for {} deliveries: {}", leases.size(), reason.getMessage());
			return this.handOvers.settleUnopened(leases, reason);
		}
		log.debug("{} deliveries wait: {}", leases.size(), reason.getMessage());
		notTaken(leases, reason.retryAfter(), true);
		return List.of();
	}

	/**
	 * Passes the fence and hands over. The duration of the fence is included in the time
	 * within which hand-overs must begin, because the lease runs from the fence on, and
	 * limited by it, so that a database that does not reply does not block the thread.
	 */
	private List<CompletableFuture<Void>> hand(LeaseQueue.Batch batch, List<Lease> leases, Session session) {
		if (this.leaseQueue.isClosed() || this.holds.isPaused()) {
			notTaken(leases, Duration.ZERO, false);
			return List.of();
		}
		long began = System.nanoTime();
		long deadline = began + this.settings.beginWithin().toNanos();
		long checks = this.revocations.checks();
		try (Fenced fenced = this.queue.fence(leases, this.settings.beginWithin());
				Revocations.Batch watched = this.revocations.watch(fenced.handOvers(), checks)) {
			this.leaseQueue.fenced(batch, System.nanoTime() - began);
			return this.handOvers.run(batch, session, fenced, watched, deadline);
		}
	}

	/**
	 * Starts work, which ends if the result is cancelled. This class is the bridge
	 * between threads, which block, and the publishers of sessions.
	 */
	static <T> CompletableFuture<T> start(Mono<T> work) {
		CompletableFuture<T> result = new CompletableFuture<>();
		Disposable running = work.subscribe(result::complete, result::completeExceptionally,
				() -> result.completeExceptionally(new IllegalStateException("The work ended without a result")));
		CompletableFuture<T> _ = result.whenComplete((_, _) -> {
			if (result.isCancelled()) {
				running.dispose();
			}
		});
		return result;
	}

	/**
	 * Tells the dispatcher at a shutdown that the waiting leases are not taken; if that
	 * fails, they are leased again when they end.
	 */
	private void release(List<Lease> leases) {
		try {
			if (!start(leases, (rest) -> this.queue.notTaken(rest, Duration.ZERO, false)).join(SHUTDOWN_TIMEOUT)) {
				log.warn("{} leases were not returned in time and may expire", leases.size());
			}
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
	}

	/** Tells the dispatcher that leases are not taken, without waiting. */
	private void notTaken(List<Lease> leases, Duration delay, boolean destination) {
		withoutWaiting(leases, (rest) -> this.queue.notTaken(rest, delay, destination));
	}

	private static void withoutWaiting(List<Lease> leases, Consumer<List<Lease>> work) {
		if (!leases.isEmpty()) {
			start(leases, work);
		}
	}

	/** Returns leases on a thread of its own. */
	private static Thread start(List<Lease> leases, Consumer<List<Lease>> work) {
		return Thread.ofVirtual().name("leases").start(() -> {
			try {
				work.accept(leases);
			}
			catch (RuntimeException ex) {
				log.warn("{} leases were not returned and will expire: {}", leases.size(), ex.toString());
			}
		});
	}

	@Override
	public void start() {
		this.leaseQueue.open();
		this.running = new CountDownLatch(this.settings.threads());
		for (int i = 1; i <= this.settings.threads(); i++) {
			this.threads.add(Thread.ofVirtual().name("sender-" + i).start(this::run));
		}
	}

	/**
	 * Begins no further hand-over once a shutdown begins, because other components stop
	 * before this one, and returns the waiting leases.
	 */
	@EventListener
	void closing(ContextClosedEvent event) {
		if (event.getApplicationContext().equals(this.context)) {
			release(this.leaseQueue.close());
		}
	}

	/** Returns the waiting leases and waits for hand-overs in progress. */
	@Override
	public void stop() {
		release(this.leaseQueue.close());
		try {
			if (!this.running.await(this.settings.drainTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
				log.warn("Hand-overs did not end within {}; their leases will expire", this.settings.drainTimeout());
			}
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
		this.threads.forEach(Thread::interrupt);
		this.threads.clear();
	}

	@Override
	public boolean isRunning() {
		return !this.threads.isEmpty();
	}

	/** Starts before the listener and stops after it. */
	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * A session borrowed by a sender thread. It is discarded unless it is released,
	 * because it may be in the middle of a transaction.
	 */
	private static final class LentSession implements AutoCloseable {

		/** Exceeds the time that a transport takes to open a session or to give up. */
		private static final Duration OPEN_TIMEOUT = Duration.ofMinutes(5);

		private final CompletableFuture<Session> opened = new CompletableFuture<>();

		private final Sinks.Empty<Void> end = Sinks.empty();

		private final CompletableFuture<Boolean> use;

		/** Begins to open a session or to wait for a free one. */
		LentSession(Transport transport, Route route) {
			this.use = SenderThreads.start(transport.with(route, (session) -> {
				this.opened.complete(session);
				return this.end.asMono().thenReturn(true);
			}));
			CompletableFuture<Boolean> _ = this.use.whenComplete((_, error) -> this.opened.completeExceptionally(
					(error != null) ? error : new IllegalStateException("The session ended before it was used")));
		}

		/**
		 * Waits for the session.
		 * @throws NotOpened if it could not be opened
		 */
		Session open() {
			try {
				return this.opened.get(OPEN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
			}
			catch (ExecutionException ex) {
				if (ex.getCause() instanceof NotOpened reason) {
					throw reason;
				}
				throw new IllegalStateException("No session could be opened", ex.getCause());
			}
			catch (TimeoutException ex) {
				throw new IllegalStateException("No session was opened in time", ex);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("The sender thread was interrupted", ex);
			}
		}

		/** Returns the session for further mails. */
		void release() {
			this.end.tryEmitEmpty();
		}

		@Override
		public void close() {
			this.use.cancel(true);
		}

	}

}
