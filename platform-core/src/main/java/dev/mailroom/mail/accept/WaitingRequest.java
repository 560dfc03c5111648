package dev.mailroom.mail.accept;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.FairQueue;
import dev.mailroom.event.TraceParent;
import org.jspecify.annotations.Nullable;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A request that waits for its commit.
 *
 * @param trace the span of the request; null unless it is sampled
 * @param arrivedAt the time of its arrival as by {@link System#nanoTime()}
 * @param sink emits its result, or its refusal
 */
record WaitingRequest(SendRequest request, @Nullable TraceParent trace, long bytes, long arrivedAt,
		Sinks.One<SendResult> sink) {

	static WaitingRequest of(SendRequest request, @Nullable TraceParent trace) {
		return new WaitingRequest(request, trace, request.size(), System.nanoTime(), Sinks.one());
	}

	UUID accountId() {
		return this.request.accountId();
	}

	int mails() {
		return Math.max(1, this.request.mails().size());
	}

	boolean isOlderThan(Duration age) {
		return System.nanoTime() - this.arrivedAt > age.toNanos();
	}

	boolean isPending() {
		return !Boolean.TRUE.equals(this.sink.scan(Scannable.Attr.TERMINATED));
	}

	Mono<SendResult> result() {
		return this.sink.asMono();
	}

	void complete(SendResult result) {
		this.sink.tryEmitValue(result);
	}

	void refuse(Throwable reason) {
		this.sink.tryEmitError(reason);
	}

	/**
	 * Waiting requests of one kind: single mails, or batches. Accounts are served in
	 * turn. Guarded by the lock of {@link CommitQueue}.
	 */
	static final class Turns {

		/** By account. */
		private final FairQueue<UUID, WaitingRequest> requests = new FairQueue<>();

		/** Groups that are being committed. */
		private int groups;

		private long nanosPerMail;

		/** When the newest group was taken, on the clock of {@link System#nanoTime()}. */
		private long takenAt;

		void add(WaitingRequest request) {
			this.requests.add(request.accountId(), request);
		}

		boolean isEmpty() {
			return this.requests.isEmpty();
		}

		int groups() {
			return this.groups;
		}

		int waiting() {
			return this.requests.size();
		}

		/**
		 * Time for which requests still gather while a group is being committed; not
		 * positive if they are many or if the group takes long.
		 */
		long gatheringNanos() {
			return (this.requests.size() >= CommitQueue.Settings.GATHERED) ? 0
					: this.takenAt + CommitQueue.Settings.MAX_GATHERING.toNanos() - System.nanoTime();
		}

		List<WaitingRequest> removeAll(UUID account) {
			return this.requests.removeAll(account);
		}

		/**
		 * Takes a group. It ends at the largest number of mails or bytes, or at the
		 * number that is expected to be committed within the permitted time.
		 * @param share of this number that is taken
		 */
		List<WaitingRequest> take(CommitQueue.Settings settings, double share) {
			List<WaitingRequest> group = new ArrayList<>();
			Load size = new Load();
			double limit = limit(settings) * share;
			while (!isEmpty() && size.mails < limit && size.bytes < CommitQueue.Settings.MAX_GROUP_BYTES) {
				WaitingRequest next = Objects.requireNonNull(this.requests.poll());
				size.count(next, 1);
				group.add(next);
			}
			this.groups += group.isEmpty() ? 0 : 1;
			this.takenAt = System.nanoTime();
			return group;
		}

		private int limit(CommitQueue.Settings settings) {
			long timely = (this.nanosPerMail == 0) ? settings.group()
					: CommitQueue.Settings.MAX_COMMIT_TIME.toNanos() / this.nanosPerMail;
			return (int) Math.min(settings.group(), Math.max(CommitQueue.Settings.MIN_GROUP, timely));
		}

		/** Records the end of a group and the duration of its commit. */
		void committed(List<WaitingRequest> group, long nanos) {
			long average = nanos / Math.max(1, group.stream().mapToInt(WaitingRequest::mails).sum());
			this.nanosPerMail = (this.nanosPerMail == 0) ? average : (this.nanosPerMail * 7 + average) / 8;
			this.groups--;
		}

	}

	/** A number of mails and of their bytes. */
	static final class Load {

		int mails;

		long bytes;

		void count(WaitingRequest request, int sign) {
			this.mails += sign * request.mails();
			this.bytes += sign * request.bytes();
		}

	}

}
