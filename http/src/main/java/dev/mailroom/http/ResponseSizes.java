package dev.mailroom.http;

import org.springframework.http.server.reactive.ServerHttpRequest;

/** Sizes of an app's responses, as far as they are known before they are made. */
@FunctionalInterface
public interface ResponseSizes {

	/** Size of a response that is not counted. */
	long UNCOUNTED = -1;

	/** The bytes to reserve until the size of the response is known. */
	long expected(ServerHttpRequest request);

}
