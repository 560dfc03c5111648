package dev.mailroom.accept;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.mailroom.Refusal;
import dev.mailroom.idempotency.Idempotency;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Commits what waits, in groups. The commit under way is the window in which the next
 * group gathers; there is no timer. A group that cannot be written is halved until the
 * request at fault stands alone. One of the few places where plain code waits for
 * Reactor.
 */
@Component
public class Committer implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(Committer.class);

	/** Longer than the database takes to give up on a statement or a lock. */
	private static final Duration PATIENCE = Duration.ofSeconds(45);

	private static final Duration SOON = Duration.ofSeconds(1);

	private static final Refusal INTERNAL = new Refusal(Refusal.Kind.FAULT, "Internal error");

	private final Acceptor acceptor;

	private final CommitQueue queue;

	private final CommitSettings settings;

	private final Doorbell doorbell;

	private final ApplicationEventPublisher publisher;

	private final List<Thread> loops = new ArrayList<>();

	private Disposable ringing = Disposables.disposed();

	Committer(Acceptor acceptor, CommitSettings settings, Doorbell doorbell, ApplicationEventPublisher publisher) {
		this.acceptor = acceptor;
		this.queue = new CommitQueue(settings);
		this.settings = settings;
		this.doorbell = doorbell;
		this.publisher = publisher;
	}

	/**
	 * Puts a request into the next group. The answer comes after its commit, or it is
	 * refused.
	 */
	public Mono<SendResult> submit(SendRequest request) {
		return Mono.defer(() -> {
			WaitingRequest pending = WaitingRequest.of(request);
			offer(pending);
			return pending.reception();
		});
	}

	private void offer(WaitingRequest pending) {
		if (!this.queue.offer(pending)) {
			pending.refused(EmailRefusals.BUSY
				.because("More mail is waiting to be accepted than this instance takes; nothing of this request was "
						+ "kept, try again shortly")
				.retryAfter(SOON));
		}
	}

	private void run() {
		try {
			for (List<WaitingRequest> group = this.queue.take(); !group.isEmpty(); group = this.queue.take()) {
				commit(group);
			}
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
	}

	private void commit(List<WaitingRequest> requests) {
		Group group = new Group(requests);
		try {
			List<NewEmail> accepted = this.acceptor.accept(group).block(PATIENCE);
			announce((accepted != null) ? accepted : List.of());
		}
		catch (RuntimeException ex) {
			recover(requests, ex);
			return;
		}
		group.tell().forEach(this::offer);
	}

	private void announce(List<NewEmail> accepted) {
		if (accepted.isEmpty()) {
			return;
		}
		if (accepted.stream().anyMatch((entry) -> entry.draft().sendAt() == null && !entry.isLost())) {
			this.doorbell.ring();
		}
		this.publisher.publishEvent(new Accepted("transactional", accepted.size()));
	}

	private void recover(List<WaitingRequest> requests, RuntimeException failure) {
		CommitFailure fault = CommitFailure.of(failure);
		if (fault == CommitFailure.THE_DATABASE) {
			log.warn("{} requests could not be committed: {}", requests.size(), failure.toString());
			requests.forEach((pending) -> pending.refused(EmailRefusals.BUSY
				.because("The database did not confirm this request; send it again with the same Idempotency-Key")
				.retryAfter(SOON)));
		}
		else if (requests.size() > 1) {
			commit(requests.subList(0, requests.size() / 2));
			commit(requests.subList(requests.size() / 2, requests.size()));
		}
		else if (fault == CommitFailure.A_KEY) {
			requests.getFirst().refused(Idempotency.inProgress());
		}
		else {
			log.error("A request cannot be written", failure);
			requests.getFirst().refused(INTERNAL.because("This request could not be stored; nothing of it was kept"));
		}
	}

	@Override
	public void start() {
		this.queue.open();
		this.ringing = this.doorbell.calls().subscribe();
		for (int i = 1; i <= this.settings.loops(); i++) {
			this.loops.add(Thread.ofPlatform().name("committer-" + i).daemon().start(this::run));
		}
	}

	/** Commits what still waits, and then stops. */
	@Override
	public void stop() {
		this.queue.close();
		for (Thread loop : this.loops) {
			try {
				loop.join(PATIENCE);
			}
			catch (InterruptedException _) {
				Thread.currentThread().interrupt();
			}
		}
		this.loops.clear();
		this.ringing.dispose();
	}

	@Override
	public boolean isRunning() {
		return !this.loops.isEmpty();
	}

}
