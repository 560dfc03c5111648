package dev.mailroom.observability;

import java.util.Optional;

import dev.mailroom.event.TraceParent;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.handler.TracingObservationHandler.TracingContext;
import org.slf4j.MDC;
import reactor.util.context.ContextView;

import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.web.server.ServerWebExchange;

/**
 * Sets the ids of a request for log entries: its own id and, if it is traced, that of the
 * trace. They are set explicitly where a request logs, because automatic context
 * propagation would slow down every operator of every request.
 */
public final class LoggedRequest {

	/** The key of the request id in exchanges, Reactor contexts and log entries. */
	public static final String ID = "request_id";

	/** The key of the trace id in log entries (Elastic Common Schema). */
	public static final String TRACE = "trace.id";

	private LoggedRequest() {
	}

	/** Runs code that logs, with the ids in a Reactor context. */
	public static void with(ContextView context, Runnable logging) {
		with(context.<String>getOrEmpty(ID).orElse(""), TraceParent.in(context).map(TraceParent::traceId), logging);
	}

	/** Runs code that logs, with the ids of an exchange. */
	public static void with(ServerWebExchange exchange, Runnable logging) {
		Optional<String> trace = ServerRequestObservationContext.findCurrent(exchange.getAttributes())
			.flatMap((observation) -> Optional.<TracingContext>ofNullable(observation.get(TracingContext.class)))
			.map(TracingContext::getSpan)
			.map(Span::context)
			.map((span) -> span.traceId());
		with(exchange.getAttributeOrDefault(ID, ""), trace, logging);
	}

	private static void with(String id, Optional<String> trace, Runnable logging) {
		MDC.put(ID, id);
		trace.ifPresent((value) -> MDC.put(TRACE, value));
		try {
			logging.run();
		}
		finally {
			MDC.remove(ID);
			MDC.remove(TRACE);
		}
	}

}
