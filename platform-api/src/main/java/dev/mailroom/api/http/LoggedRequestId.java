package dev.mailroom.api.http;

import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Carries a request's id to whichever thread works on it, so that its log lines say it.
 */
final class LoggedRequestId implements ThreadLocalAccessor<String> {

	@Override
	public Object key() {
		return RequestIds.CONTEXT;
	}

	@Override
	public @Nullable String getValue() {
		return MDC.get(RequestIds.CONTEXT);
	}

	@Override
	public void setValue(String id) {
		MDC.put(RequestIds.CONTEXT, id);
	}

	@Override
	public void setValue() {
		MDC.remove(RequestIds.CONTEXT);
	}

}
