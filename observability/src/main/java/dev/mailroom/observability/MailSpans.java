package dev.mailroom.observability;

import java.util.Map;

import dev.mailroom.event.TraceParent;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Spans that continue the trace of the request that sent a mail. Without a sampled
 * request or a collector, a span does nothing.
 */
public class MailSpans {

	private final @Nullable Tracer tracer;

	MailSpans(ObjectProvider<Tracer> tracer) {
		this.tracer = tracer.getIfAvailable();
	}

	/**
	 * Begins a span below that of the request.
	 * @param tags attributes, which may not contain addresses of recipients
	 */
	public Span begin(@Nullable TraceParent request, Span.Kind kind, String name, Map<String, String> tags) {
		if (this.tracer == null || request == null) {
			return Span.NOOP;
		}
		TraceContext parent = this.tracer.traceContextBuilder()
			.traceId(request.traceId())
			.spanId(request.spanId())
			.sampled(true)
			.build();
		Span.Builder span = this.tracer.spanBuilder().setParent(parent).kind(kind).name(name);
		tags.forEach(span::tag);
		return span.start();
	}

	/** Begins a call to another server below a span. */
	public Span call(Span parent, String name) {
		return (this.tracer == null || parent.isNoop()) ? Span.NOOP
				: this.tracer.spanBuilder().setParent(parent.context()).kind(Span.Kind.CLIENT).name(name).start();
	}

	/** Runs work whose measurements refer to a span (exemplars). */
	public void measure(Span span, Runnable work) {
		if (this.tracer == null || span.isNoop()) {
			work.run();
			return;
		}
		try (Tracer.SpanInScope _ = this.tracer.withSpan(span)) {
			work.run();
		}
	}

}
