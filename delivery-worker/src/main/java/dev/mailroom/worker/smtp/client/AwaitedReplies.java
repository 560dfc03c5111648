package dev.mailroom.worker.smtp.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Sinks;

/**
 * Replies that one connection awaits, in the order of the commands, with a single timer:
 * a check that comes too early for the oldest reply is repeated, so that a busy
 * connection needs a timer once per timeout and not for each reply. Used on the event
 * loop only.
 */
final class AwaitedReplies {

	private final Channel channel;

	private final Consumer<Throwable> late;

	private final Queue<Exchange> pending = new ArrayDeque<>();

	private @Nullable Future<?> check;

	private long checkTime;

	/**
	 * Creates an empty queue.
	 * @param late called if the deadline of the oldest reply passes
	 */
	AwaitedReplies(Channel channel, Consumer<Throwable> late) {
		this.channel = channel;
		this.late = late;
	}

	/** Adds the reply to the connection itself, whose time is limited elsewhere. */
	void add(Sinks.One<Reply> greeting) {
		this.pending.add(new Exchange("", greeting, this.channel.voidPromise(), new Deadline(Long.MAX_VALUE, "")));
	}

	void add(List<Exchange> exchanges) {
		this.pending.addAll(exchanges);
		exchanges.forEach((exchange) -> schedule(exchange.deadline().time()));
	}

	/** Removes the oldest; null if no reply is awaited. */
	@Nullable Exchange poll() {
		return this.pending.poll();
	}

	/** Ends all with an error. */
	void fail(Throwable reason) {
		if (this.check != null) {
			this.check.cancel(false);
			this.check = null;
		}
		for (Exchange next = this.pending.poll(); next != null; next = this.pending.poll()) {
			next.reply().tryEmitError(reason);
		}
	}

	/** Schedules a check, unless there is an earlier one. */
	private void schedule(long time) {
		Future<?> scheduled = this.check;
		if (scheduled != null && time - this.checkTime >= 0) {
			return;
		}
		if (scheduled != null) {
			scheduled.cancel(false);
		}
		this.checkTime = time;
		this.check = this.channel.eventLoop()
			.schedule(this::checkOldest, time - System.nanoTime(), TimeUnit.NANOSECONDS);
	}

	private void checkOldest() {
		this.check = null;
		Exchange oldest = this.pending.peek();
		if (oldest == null) {
			return;
		}
		if (System.nanoTime() - oldest.deadline().time() >= 0) {
			this.late.accept(new TimeoutException(oldest.deadline().description()));
		}
		else {
			schedule(oldest.deadline().time());
		}
	}

	/**
	 * A message, its reply, the completion of its write, and the deadline of its reply.
	 */
	record Exchange(Object message, Sinks.One<Reply> reply, ChannelPromise written, Deadline deadline) {
	}

	/**
	 * Time by which a reply must arrive.
	 *
	 * @param time on the clock of {@link System#nanoTime()}
	 * @param description error message if it passes
	 */
	record Deadline(long time, String description) {

		static Deadline in(Duration timeout) {
			return new Deadline(System.nanoTime() + timeout.toNanos(), "no reply within " + timeout.toSeconds() + " s");
		}

		static Deadline ofMessage(Duration timeout) {
			return new Deadline(System.nanoTime() + timeout.toNanos(),
					"no reply to the message within " + timeout.toSeconds() + " s");
		}

	}

}
