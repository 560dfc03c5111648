package dev.mailroom.api.email;

import java.util.Optional;

import dev.mailroom.event.TraceParent;
import io.micrometer.observation.Observation;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.handler.TracingObservationHandler.TracingContext;
import reactor.core.publisher.Mono;

import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Adds the span of a sampled request to the Reactor context, from which it is stored with
 * the request's mails. The worker continues the trace.
 */
@Component
class TracedMail implements WebFilter {

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		Mono<Void> rest = chain.filter(exchange);
		return ServerRequestObservationContext.findCurrent(exchange.getAttributes())
			.flatMap(TracedMail::span)
			.map((span) -> rest.contextWrite(span::addTo))
			.orElse(rest);
	}

	private static Optional<TraceParent> span(Observation.Context observation) {
		return Optional.<TracingContext>ofNullable(observation.get(TracingContext.class))
			.map(TracingContext::getSpan)
			.map(Span::context)
			.filter((span) -> Boolean.TRUE.equals(span.sampled()))
			.map(TracedMail::parent);
	}

	private static TraceParent parent(TraceContext span) {
		return new TraceParent(span.traceId(), span.spanId());
	}

}
