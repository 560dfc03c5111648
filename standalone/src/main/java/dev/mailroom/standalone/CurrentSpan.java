package dev.mailroom.standalone;

import io.opentelemetry.api.trace.Span;
import io.prometheus.metrics.tracer.common.SpanContext;
import org.jspecify.annotations.Nullable;

/**
 * The span that a measurement refers to (an exemplar), from the current thread: each app
 * has a tracer of its own, and the registry belongs to all of them.
 */
final class CurrentSpan implements SpanContext {

	@Override
	public @Nullable String getCurrentTraceId() {
		return span().isValid() ? span().getTraceId() : null;
	}

	@Override
	public @Nullable String getCurrentSpanId() {
		return span().isValid() ? span().getSpanId() : null;
	}

	@Override
	public boolean isCurrentSpanSampled() {
		return span().isSampled();
	}

	@Override
	public void markCurrentSpanAsExemplar() {
		Span.current().setAttribute(EXEMPLAR_ATTRIBUTE_NAME, EXEMPLAR_ATTRIBUTE_VALUE);
	}

	private static io.opentelemetry.api.trace.SpanContext span() {
		return Span.current().getSpanContext();
	}

}
