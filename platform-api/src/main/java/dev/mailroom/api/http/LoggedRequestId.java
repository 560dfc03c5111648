package dev.mailroom.api.http;

import java.util.Objects;

import org.slf4j.MDC;
import reactor.util.context.ContextView;

/**
 * Sets the request id for log entries. It is set explicitly where a request logs, because
 * automatic context propagation would slow down every operator of every request.
 */
public final class LoggedRequestId {

	private LoggedRequestId() {
	}

	/** Runs code that logs, with the request id of the Reactor context. */
	public static void with(ContextView context, Runnable logging) {
		with(Objects.requireNonNullElse(context.<String>getOrDefault(RequestIds.CONTEXT, ""), ""), logging);
	}

	static void with(String id, Runnable logging) {
		try (var _ = MDC.putCloseable(RequestIds.CONTEXT, id)) {
			logging.run();
		}
	}

}
