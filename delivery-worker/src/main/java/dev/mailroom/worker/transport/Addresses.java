package dev.mailroom.worker.transport;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.Function;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A host's addresses. Its name is asked for on a thread that may wait: an event loop that
 * waited for DNS would hold up every session.
 */
final class Addresses {

	private final String host;

	private final Resolver resolver;

	Addresses(String host, Resolver resolver) {
		this.host = host;
		this.resolver = resolver;
	}

	/** Tries one after another until one will do (RFC 5321 5.1). */
	<T> Mono<T> inTurn(Function<InetAddress, Mono<T>> attempt) {
		return Mono.fromCallable(() -> List.of(this.resolver.resolve(this.host)))
			.onErrorMap(UnknownHostException.class, (ex) -> new IOException("its name is not known", ex))
			.subscribeOn(Schedulers.boundedElastic())
			.flatMap((all) -> from(all, attempt));
	}

	private static <T> Mono<T> from(List<InetAddress> addresses, Function<InetAddress, Mono<T>> attempt) {
		Mono<T> first = attempt.apply(addresses.getFirst());
		return (addresses.size() == 1) ? first
				: first.onErrorResume((error) -> from(addresses.subList(1, addresses.size()), attempt)
					.onErrorMap((later) -> telling(error, later)));
	}

	/** What a server said tells more than that nobody answered elsewhere. */
	private static Throwable telling(Throwable first, Throwable later) {
		return (first instanceof ConnectException) ? later : first;
	}

	/** Asks for a name's addresses, and waits for the answer. */
	interface Resolver {

		InetAddress[] resolve(String host) throws UnknownHostException;

	}

}
