package dev.mailroom.worker.smtp.server;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * Timeouts of one connection: those of RFC 5321 usually, much shorter ones while the
 * server is crowded.
 */
final class SmtpTimeouts {

	/** Limit on the next bytes while crowded, and on reading the last reply. */
	private static final Duration CROWDED_TIMEOUT = Duration.ofSeconds(10);

	/** Limit on a whole message while crowded. */
	private static final Duration CROWDED_MAIL_TIMEOUT = Duration.ofMinutes(5);

	private final SmtpLimits limits;

	private final ConnectionLimits connections;

	private @Nullable ScheduledFuture<?> timer;

	private long lastReply = System.nanoTime();

	private long lastMail = System.nanoTime();

	SmtpTimeouts(SmtpLimits limits, ConnectionLimits connections) {
		this.limits = limits;
		this.connections = connections;
	}

	/** Records a reply: the time for a whole message counts from the last one. */
	void replied() {
		this.lastReply = System.nanoTime();
	}

	/** Records a complete mail: a session without mail ends after the time for a mail. */
	void receivedMail() {
		this.lastMail = System.nanoTime();
	}

	/** Starts the timeout of the next command or of the next block of a message. */
	void await(ChannelHandlerContext context, boolean receivingData, Runnable expired) {
		cancel();
		this.timer = context.executor()
			.schedule(expired, timeout(receivingData, this.connections.isCrowded()).toMillis(), TimeUnit.MILLISECONDS);
	}

	/** Closes the connection even if the client does not read the last reply. */
	void awaitClose(ChannelHandlerContext context) {
		cancel();
		this.timer = context.executor().schedule(() -> {
			ChannelFuture _ = context.close();
		}, min(this.limits.command(), CROWDED_TIMEOUT).toMillis(), TimeUnit.MILLISECONDS);
	}

	private Duration timeout(boolean receivingData, boolean crowded) {
		Duration pause = receivingData ? this.limits.block() : this.limits.command();
		Duration permitted = crowded ? min(pause, CROWDED_TIMEOUT) : pause;
		if (!receivingData) {
			return min(this.limits.mail().minusNanos(System.nanoTime() - this.lastMail), permitted);
		}
		Duration whole = crowded ? min(this.limits.mail(), CROWDED_MAIL_TIMEOUT) : this.limits.mail();
		return min(whole.minusNanos(System.nanoTime() - this.lastReply), permitted);
	}

	private static Duration min(Duration first, Duration second) {
		return (first.compareTo(second) < 0) ? first : second;
	}

	void cancel() {
		if (this.timer != null) {
			this.timer.cancel(false);
			this.timer = null;
		}
	}

}
