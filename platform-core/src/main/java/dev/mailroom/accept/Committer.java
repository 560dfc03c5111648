package dev.mailroom.accept;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.mailroom.Refusal;
import dev.mailroom.idempotency.Idempotency;
import io.r2dbc.spi.R2dbcException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Commits waiting requests in groups. While one group is committed the next one gathers;
 * there is no timer. A group that cannot be written is halved until the request at fault
 * is alone. Its threads block on the commit: one of the named bridges out of Reactor.
 */
@Component
class Committer implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(Committer.class);

	/** More than the database's limits for a statement and for a lock. */
	private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(45);

	private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

	private static final Refusal INTERNAL = new Refusal(Refusal.Kind.FAULT, "Internal error");

	private final GroupCommit groupCommit;

	private final CommitQueue queue;

	private final CommitQueue.Settings settings;

	private final Doorbell doorbell;

	private final ApplicationEventPublisher publisher;

	private final List<Thread> threads = new ArrayList<>();

	private Disposable notifications = Disposables.disposed();

	Committer(GroupCommit groupCommit, CommitQueue.Settings settings, Doorbell doorbell,
			ApplicationEventPublisher publisher) {
		this.groupCommit = groupCommit;
		this.queue = new CommitQueue(settings);
		this.settings = settings;
		this.doorbell = doorbell;
		this.publisher = publisher;
	}

	/**
	 * Adds a request to the queue. Its result is emitted after the commit.
	 * @throws dev.mailroom.Refused {@code Service unavailable} if the queue is full
	 */
	Mono<SendResult> submit(SendRequest request) {
		return Mono.defer(() -> {
			CommitQueue.Waiting waiting = CommitQueue.Waiting.of(request);
			offer(waiting);
			return waiting.result();
		});
	}

	private void offer(CommitQueue.Waiting request) {
		if (!this.queue.offer(request)) {
			request.refuse(EmailRefusals.BUSY
				.because("More mail is waiting to be accepted than this instance takes; nothing of this request was "
						+ "stored, try again shortly")
				.retryAfter(RETRY_AFTER));
		}
	}

	private void run() {
		try {
			for (List<CommitQueue.Waiting> group = this.queue.take(); !group.isEmpty(); group = this.queue.take()) {
				commit(group);
			}
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
	}

	private void commit(List<CommitQueue.Waiting> requests) {
		Group group = new Group(requests);
		try {
			List<NewEmail> emails = this.groupCommit.commit(group).block(COMMIT_TIMEOUT);
			announce((emails != null) ? emails : List.of());
		}
		catch (RuntimeException ex) {
			recover(requests, ex);
			return;
		}
		group.complete().forEach(this::offer);
	}

	private void announce(List<NewEmail> emails) {
		if (emails.isEmpty()) {
			return;
		}
		if (emails.stream().anyMatch((email) -> email.draft().sendAt() == null && !email.hasNoRecipients())) {
			this.doorbell.ring();
		}
		this.publisher.publishEvent(new Accepted("transactional", emails.size()));
	}

	private void recover(List<CommitQueue.Waiting> requests, RuntimeException error) {
		Failure failure = Failure.of(error);
		if (failure == Failure.DATABASE) {
			log.warn("{} requests could not be committed: {}", requests.size(), error.toString());
			requests.forEach((request) -> request.refuse(EmailRefusals.BUSY
				.because("The database did not confirm this request; send it again with the same Idempotency-Key")
				.retryAfter(RETRY_AFTER)));
		}
		else if (requests.size() > 1) {
			commit(requests.subList(0, requests.size() / 2));
			commit(requests.subList(requests.size() / 2, requests.size()));
		}
		else if (failure == Failure.KEY_HELD) {
			requests.getFirst().refuse(Idempotency.inProgress());
		}
		else {
			log.error("A request cannot be written", error);
			requests.getFirst().refuse(INTERNAL.because("This request could not be stored; no part of it was"));
		}
	}

	@Override
	public void start() {
		this.queue.open();
		this.notifications = this.doorbell.notifications().subscribe();
		for (int i = 1; i <= this.settings.loops(); i++) {
			this.threads.add(Thread.ofPlatform().name("committer-" + i).daemon().start(this::run));
		}
	}

	/** Commits the requests that are still in the queue, then stops. */
	@Override
	public void stop() {
		this.queue.close();
		for (Thread thread : this.threads) {
			try {
				thread.join(COMMIT_TIMEOUT);
			}
			catch (InterruptedException _) {
				Thread.currentThread().interrupt();
			}
		}
		this.threads.clear();
		this.notifications.dispose();
	}

	@Override
	public boolean isRunning() {
		return !this.threads.isEmpty();
	}

	/** Cause of a failed commit. */
	private enum Failure {

		/** A row of the group cannot be written; the others can. */
		ROW,

		/** One of the group's keys is held by a request that has not ended. */
		KEY_HELD,

		/** The database is unavailable, or the outcome of the commit is unknown. */
		DATABASE;

		/** Reads the cause from the SQLSTATE (PostgreSQL manual, appendix A). */
		static Failure of(Throwable error) {
			if (Idempotency.isHeld(error)) {
				return KEY_HELD;
			}
			@Nullable String state = sqlState(error);
			if (state == null) {
				return DATABASE;
			}
			return switch (state.substring(0, 2)) {
				case "21", "22", "23", "40", "42", "44" -> ROW;
				default -> DATABASE;
			};
		}

		private static @Nullable String sqlState(Throwable error) {
			for (Throwable cause = error; cause != null; cause = cause.getCause()) {
				if (cause instanceof R2dbcException exception) {
					return exception.getSqlState();
				}
			}
			return null;
		}

	}

}
