package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.mailroom.mail.queue.Route;
import dev.mailroom.worker.smtp.client.NotOpened;
import dev.mailroom.worker.smtp.client.Session;
import dev.mailroom.worker.smtp.client.Transport;
import reactor.core.publisher.Sinks;

/**
 * A session borrowed by the thread of a lane. It is discarded unless it is released,
 * because it may be in the middle of a transaction.
 */
final class LaneSession implements AutoCloseable {

	/** Exceeds the time that a transport takes to open a session or to give up. */
	private static final Duration OPEN_TIMEOUT = Duration.ofMinutes(5);

	private final CompletableFuture<Session> opened = new CompletableFuture<>();

	private final Sinks.Empty<Void> end = Sinks.empty();

	private final CompletableFuture<Boolean> use;

	/** Begins to open a session or to wait for a free one. */
	LaneSession(Transport transport, Route route) {
		this.use = Sender.start(transport.with(route, (session) -> {
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
			throw new IllegalStateException("The lane was interrupted", ex);
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
