package dev.mailroom.api.email;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.http.RequestIds;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** Conditions under which a request is handled by {@link DirectSends}. */
final class DirectRequests {

	private static final String BEARER = "Bearer ";

	private static final Pattern API_KEY = Pattern.compile("ek_[A-Za-z0-9_-]{1,200}");

	/** Larger bodies are passed on: their cost is not that of the filters. */
	private static final long MAX_BYTES = 2 * 1024 * 1024;

	private static final Set<String> JSON = Set.of("application/json", "application/json;charset=utf-8",
			"application/json; charset=utf-8");

	private static final Set<String> ACCEPTED = Set.of("*/*", "application/json");

	private DirectRequests() {
	}

	/**
	 * Whether no filter but those repeated by {@link DirectSends} affects the request.
	 */
	static boolean isUsual(ServerHttpRequest request) {
		HttpHeaders headers = request.getHeaders();
		long length = headers.getContentLength();
		return HttpMethod.POST.equals(request.getMethod()) && request.getURI().getRawQuery() == null && length > 0
				&& length <= MAX_BYTES && !headers.containsHeader(HttpHeaders.ORIGIN)
				&& !headers.containsHeader(HttpHeaders.TRANSFER_ENCODING)
				&& isOneOf(headers, HttpHeaders.CONTENT_TYPE, JSON, false)
				&& isOneOf(headers, HttpHeaders.ACCEPT, ACCEPTED, true) && RequestIds.isUsable(headers)
				&& IdempotencyKey.isUsable(headers);
	}

	private static boolean isOneOf(HttpHeaders headers, String name, Collection<String> values, boolean optional) {
		List<String> sent = headers.getOrDefault(name, List.of());
		return sent.isEmpty() ? optional
				: sent.size() == 1 && values.contains(sent.getFirst().toLowerCase(Locale.ROOT));
	}

	/** The API key of the request; null if it has none, or an invalid one. */
	static @Nullable String apiKey(HttpHeaders headers) {
		List<String> sent = headers.getOrDefault(HttpHeaders.AUTHORIZATION, List.of());
		if (sent.size() != 1 || !sent.getFirst().startsWith(BEARER)) {
			return null;
		}
		String token = sent.getFirst().substring(BEARER.length());
		return API_KEY.matcher(token).matches() ? token : null;
	}

}
