package dev.mailroom.dmarc;

import java.util.List;

import reactor.core.publisher.Mono;

/**
 * Lookups in DNS. Both end with an {@link java.io.UncheckedIOException} if the name
 * servers do not answer.
 */
public interface Lookups {

	/** The TXT records of a name, each with its strings joined. */
	Mono<List<String>> texts(String name);

	/** Whether a name exists, with records of any type. */
	Mono<Boolean> exists(String name);

}
