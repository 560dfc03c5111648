package dev.mailroom.event;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The span of a sampled request, which the spans of its mails continue.
 *
 * @param traceId 32 hexadecimal digits
 * @param spanId 16 hexadecimal digits
 */
public record TraceParent(String traceId, String spanId) {

	/** The header {@code traceparent} (W3C Trace Context, 3.2) of a sampled span. */
	private static final Pattern FORMAT = Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-01");

	/** Parses the stored form; empty if there is none. */
	public static Optional<TraceParent> parse(@Nullable String text) {
		if (text == null) {
			return Optional.empty();
		}
		Matcher matcher = FORMAT.matcher(text);
		return matcher.matches() ? Optional.of(new TraceParent(matcher.group(1), matcher.group(2))) : Optional.empty();
	}

	/** The span in the context of a publisher; empty if the request is not sampled. */
	public static Optional<TraceParent> in(ContextView context) {
		return context.getOrEmpty(TraceParent.class);
	}

	/** Adds this span to the context of a publisher. */
	public Context addTo(Context context) {
		return context.put(TraceParent.class, this);
	}

	/** The form of the header {@code traceparent}, in which the span is stored. */
	@Override
	public String toString() {
		return "00-" + this.traceId + "-" + this.spanId + "-01";
	}

}
