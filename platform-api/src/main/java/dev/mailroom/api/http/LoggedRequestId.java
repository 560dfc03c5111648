package dev.mailroom.api.http;

import java.util.Objects;

import org.slf4j.MDC;
import reactor.util.context.ContextView;

/**
 * Puts a request's id into what is logged on its behalf. At the few places that log, and
 * not by carrying it from thread to thread: every operator of every request would pay.
 */
public final class LoggedRequestId {

	private LoggedRequestId() {
	}

	/** Logs within a request, whose id its context holds. */
	public static void with(ContextView context, Runnable logging) {
		with(Objects.requireNonNullElse(context.<String>getOrDefault(RequestIds.CONTEXT, ""), ""), logging);
	}

	static void with(String id, Runnable logging) {
		try (var _ = MDC.putCloseable(RequestIds.CONTEXT, id)) {
			logging.run();
		}
	}

}
