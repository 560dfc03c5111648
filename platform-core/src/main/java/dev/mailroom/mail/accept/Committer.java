package dev.mailroom.mail.accept;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import dev.mailroom.Bounded;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.event.TraceParent;
import dev.mailroom.mail.accept.GroupCommit.Failure;
import dev.mailroom.mail.accept.GroupCommit.LockWait;
import dev.mailroom.mail.accept.GroupCommit.LockedAccounts;
import dev.mailroom.mail.draft.EmailRefusals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

import org.springframework.context.SmartLifecycle;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.stereotype.Component;

/**
 * Commits waiting requests in groups; while a group is committed, the next one gathers. A
 * group with a row that cannot be written is halved. An account that waits for a lock
 * gets separate transactions and delays no other. The threads block on JDBC.
 */
@Component
class Committer implements Bounded, SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(Committer.class);

	/** Exceeds the time limits of the connections for commits. */
	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(45);

	private static final Duration MAX_WAIT = Duration.ofSeconds(15);

	private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

	private static final String SEND_AGAIN = "send it again with the same Idempotency-Key";

	private static final String LOCKED = "Another transaction locks the account; nothing of this request was stored";

	private static final int MAX_ATTEMPTS = 3;

	private static final Refusal INTERNAL = new Refusal(Refusal.Kind.FAULT, "Internal error");

	private final GroupCommit groupCommit;

	private final CommitQueue queue;

	/** Requests of the accounts that wait for a lock. */
	private final CommitQueue apart;

	final LockedAccounts lockedAccounts = new LockedAccounts();

	private final CommitQueue.Settings settings;

	private final WakeUps wakeUps;

	private final List<Thread> threads = new ArrayList<>();

	/** A thread of its own, so that no commit waits while responses are written. */
	private ExecutorService responses = responses();

	private Disposable notifications = Disposables.disposed();

	Committer(GroupCommit groupCommit, CommitQueue.Settings settings, WakeUps wakeUps) {
		this.groupCommit = groupCommit;
		this.queue = new CommitQueue(settings);
		this.apart = new CommitQueue(settings.withGroup(1));
		this.settings = settings;
		this.wakeUps = wakeUps;
	}

	/**
	 * Adds a request to the queue. Its result is emitted after the commit.
	 * @throws Refused {@code Service unavailable} if there is no room in the queue or the
	 * database does not confirm the commit
	 */
	Mono<SendResult> submit(SendRequest request) {
		return Mono.deferContextual((context) -> {
			WaitingRequest waiting = WaitingRequest.of(request, TraceParent.in(context).orElse(null));
			offer(waiting);
			return waiting.result();
		});
	}

	/** The requests that wait, without those of accounts that wait for a lock. */
	@Override
	public List<Limit> limits() {
		return List.of(new Limit("accept_mails", this.queue::mails, this.settings.queue()),
				new Limit("accept_bytes", this.queue::bytes, this.settings.bytes()));
	}

	/** Whether every loop runs. */
	boolean isAlive() {
		return isRunning() && this.threads.stream().allMatch(Thread::isAlive);
	}

	private void offer(WaitingRequest request) {
		CommitQueue target = this.lockedAccounts.contains(request.accountId()) ? this.apart : this.queue;
		if (!target.offer(request)) {
			refuse(List.of(request), "More mail waits than this instance takes; nothing of this request was stored");
		}
	}

	private void run(CommitQueue queue, LockWait lockWait) {
		try {
			for (List<WaitingRequest> group = queue.take(); !group.isEmpty(); group = queue.take()) {
				commitSafely(queue, group, lockWait);
			}
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
		finally {
			// If the loop ends because of an error, no request may remain in its queue.
			queue.close();
			refuse(queue.takeAll((_) -> true),
					"This instance cannot accept mail at present; nothing of this request was stored");
		}
	}

	/** Commits a group. No error ends the loop or leaves a request unanswered. */
	private void commitSafely(CommitQueue queue, List<WaitingRequest> group, LockWait lockWait) {
		long start = System.nanoTime();
		try {
			refuse(group.stream().filter((request) -> request.isOlderThan(MAX_WAIT)).toList(),
					"The database is too slow at present; nothing of this request was stored");
			commit(group.stream().filter(WaitingRequest::isPending).toList(), lockWait, 1);
		}
		catch (Throwable error) {
			log.error("A group of {} requests failed", group.size(), error);
			refuse(group, "It is unknown whether this request was stored; " + SEND_AGAIN);
		}
		queue.committed(group, System.nanoTime() - start);
		if (lockWait == LockWait.SINGLE && !this.apart.holds(group.getFirst().accountId())) {
			this.lockedAccounts.remove(group.getFirst().accountId());
		}
	}

	private void commit(List<WaitingRequest> requests, LockWait lockWait, int attempt) {
		Group group = new Group(requests);
		long began = System.nanoTime();
		try {
			this.groupCommit.commit(group, lockWait);
		}
		catch (RuntimeException ex) {
			recover(requests, Failure.of(group, ex), ex, lockWait, attempt);
			return;
		}
		this.wakeUps.wake(group);
		this.responses.execute(() -> respond(group, requests));
		publish(group, MailAccepted.Commit.of(requests.size(), System.nanoTime() - began));
	}

	/**
	 * Publishes the events. The requests are stored, so an error must not refuse them.
	 */
	private void publish(Group group, MailAccepted.Commit commit) {
		try {
			this.wakeUps.publish(group, commit);
		}
		catch (Throwable error) {
			log.error("A listener of events failed after a commit; the mail is stored and will be sent", error);
		}
	}

	/** Emits the results; their subscribers write the responses on this thread. */
	private void respond(Group group, List<WaitingRequest> requests) {
		try {
			group.complete().forEach(this::offer);
		}
		catch (RuntimeException ex) {
			log.error("The results of {} requests could not be emitted", requests.size(), ex);
			refuse(requests, "This request was stored; " + SEND_AGAIN);
		}
	}

	private void recover(List<WaitingRequest> requests, Failure failure, RuntimeException error, LockWait lockWait,
			int attempt) {
		switch (failure) {
			case DATABASE -> {
				String cause = NestedExceptionUtils.getMostSpecificCause(error).toString();
				log.warn("{} requests could not be committed: {}", requests.size(), cause);
				refuse(requests, "The database did not confirm this request; " + SEND_AGAIN);
			}
			case CONFLICT -> {
				if (attempt < MAX_ATTEMPTS) {
					commit(requests, lockWait, attempt + 1);
				}
				else {
					refuse(requests, "Concurrent requests prevented this one; nothing of it was stored");
				}
			}
			case KEY_HELD, LOCK -> separate(requests, failure, error, lockWait);
			case ROW -> halve(requests, error, lockWait);
		}
	}

	/** Takes the accounts that wait for a lock out of the group. */
	private void separate(List<WaitingRequest> requests, Failure failure, RuntimeException error, LockWait lockWait) {
		switch (lockWait) {
			case GROUP -> requests.stream()
				.collect(Collectors.groupingBy(WaitingRequest::accountId, LinkedHashMap::new, Collectors.toList()))
				.values()
				.forEach((own) -> commit(own, LockWait.ACCOUNT, 1));
			case ACCOUNT -> {
				log.warn("{} requests of an account wait for a lock and are committed one by one", requests.size());
				this.lockedAccounts.add(requests.getFirst().accountId());
				requests.forEach(this::offer);
			}
			case SINGLE -> {
				if (failure == Failure.KEY_HELD) {
					requests.forEach((request) -> request.refuse(error));
					return;
				}
				// The lock is the account's: its other requests would time out too.
				this.lockedAccounts.refused(requests.getFirst().accountId());
				refuse(requests, LOCKED);
				refuse(this.apart.takeAll(requests.getFirst().accountId()::equals), LOCKED);
			}
		}
	}

	private void halve(List<WaitingRequest> requests, RuntimeException error, LockWait lockWait) {
		if (requests.size() > 1) {
			commit(requests.subList(0, requests.size() / 2), lockWait, 1);
			commit(requests.subList(requests.size() / 2, requests.size()), lockWait, 1);
		}
		else {
			log.error("A request cannot be written", error);
			requests.getFirst().refuse(INTERNAL.because("This request could not be stored; no part of it was"));
		}
	}

	private static void refuse(List<WaitingRequest> requests, String message) {
		Refused refused = EmailRefusals.BUSY.because(message).retryAfter(RETRY_AFTER);
		requests.forEach((request) -> request.refuse(refused));
	}

	@Override
	public void start() {
		this.queue.open();
		this.apart.open();
		if (this.responses.isShutdown()) {
			this.responses = responses();
		}
		this.notifications = this.wakeUps.notifications().subscribe();
		for (int i = 1; i <= this.settings.loops(); i++) {
			this.threads.add(start("committer-" + i, this.queue, LockWait.GROUP));
		}
		this.threads.add(start("committer-apart", this.apart, LockWait.SINGLE));
	}

	private static ExecutorService responses() {
		return Executors.newSingleThreadExecutor(Thread.ofPlatform().name("committer-responses").daemon().factory());
	}

	private Thread start(String name, CommitQueue queue, LockWait lockWait) {
		return Thread.ofPlatform().name(name).daemon().start(() -> run(queue, lockWait));
	}

	/** Commits the requests that are still in the queues, then stops. */
	@Override
	public void stop() {
		this.queue.close();
		this.apart.close();
		try {
			for (Thread thread : this.threads) {
				thread.join(STOP_TIMEOUT);
			}
			this.responses.shutdown();
			this.responses.awaitTermination(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
		this.threads.clear();
		this.notifications.dispose();
	}

	@Override
	public boolean isRunning() {
		return !this.threads.isEmpty();
	}

}
