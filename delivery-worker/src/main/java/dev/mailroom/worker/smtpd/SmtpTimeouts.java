package dev.mailroom.worker.smtpd;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * How long one client is waited for: as long as the standard asks, and much less where
 * others are waiting for its place.
 */
final class SmtpTimeouts {

	/** For a client's next word in a crowd, and for hearing our last one. */
	private static final Duration HURRIED = Duration.ofSeconds(10);

	/** For a whole mail in a crowd. */
	private static final Duration HURRIED_MAIL = Duration.ofMinutes(5);

	private final SmtpLimits limits;

	private final ConnectionLimits room;

	private @Nullable ScheduledFuture<?> timer;

	private long answered = System.nanoTime();

	SmtpTimeouts(SmtpLimits limits, ConnectionLimits room) {
		this.limits = limits;
		this.room = room;
	}

	/** The client was told something: what it says next begins now. */
	void answered() {
		this.answered = System.nanoTime();
	}

	/** Waits for the next command, or for more of a mail, and for neither for ever. */
	void await(ChannelHandlerContext context, boolean insideAMail, Runnable over) {
		end();
		this.timer = context.executor()
			.schedule(over, longest(insideAMail, this.room.isCrowded()).toMillis(), TimeUnit.MILLISECONDS);
	}

	/** Who reads nothing does not read the last word either, and would stay for ever. */
	void lastWord(ChannelHandlerContext context) {
		end();
		this.timer = context.executor().schedule(() -> {
			context.close();
		}, shorter(this.limits.command(), HURRIED).toMillis(), TimeUnit.MILLISECONDS);
	}

	private Duration longest(boolean insideAMail, boolean crowded) {
		Duration pause = insideAMail ? this.limits.block() : this.limits.command();
		if (!insideAMail) {
			return crowded ? shorter(pause, HURRIED) : pause;
		}
		Duration whole = crowded ? shorter(this.limits.mail(), HURRIED_MAIL) : this.limits.mail();
		return shorter(whole.minusNanos(System.nanoTime() - this.answered), crowded ? shorter(pause, HURRIED) : pause);
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	void end() {
		if (this.timer != null) {
			this.timer.cancel(false);
			this.timer = null;
		}
	}

}
