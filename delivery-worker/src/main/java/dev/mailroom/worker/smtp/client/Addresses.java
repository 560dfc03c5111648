package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.Function;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Addresses of a host. The name is resolved on a thread that may block, because blocking
 * an event loop would delay every session.
 */
final class Addresses {

	private final String host;

	private final Resolver resolver;

	Addresses(String host, Resolver resolver) {
		this.host = host;
		this.resolver = resolver;
	}

	/** Tries one address after another until an attempt succeeds (RFC 5321 5.1). */
	<T> Mono<T> firstSuccess(Function<InetAddress, Mono<T>> attempt) {
		return Mono.fromCallable(() -> List.of(this.resolver.resolve(this.host)))
			.onErrorMap(UnknownHostException.class, (ex) -> new IOException("its name is unknown", ex))
			.subscribeOn(Schedulers.boundedElastic())
			.flatMap((all) -> firstSuccess(all, attempt));
	}

	private static <T> Mono<T> firstSuccess(List<InetAddress> addresses, Function<InetAddress, Mono<T>> attempt) {
		Mono<T> first = attempt.apply(addresses.getFirst());
		return (addresses.size() == 1) ? first
				: first.onErrorResume((error) -> firstSuccess(addresses.subList(1, addresses.size()), attempt)
					.onErrorMap((later) -> moreSpecific(error, later)));
	}

	/** An error that a server reported is preferred to a failed connection. */
	private static Throwable moreSpecific(Throwable first, Throwable later) {
		return (first instanceof ConnectException) ? later : first;
	}

	/** Blocking lookup of a name's addresses. */
	interface Resolver {

		InetAddress[] resolve(String host) throws UnknownHostException;

	}

}
