package dev.mailroom.dmarcreport;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.domain.NameServers;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Names of the servers that reports mention by their addresses. They are looked up when
 * figures are read, and kept for an hour.
 */
@Component
class ServerNames {

	private static final int MAX_KNOWN = 20_000;

	private static final Duration KEPT = Duration.ofHours(1);

	/** Servers whose names are looked up at a time, for one reader. */
	private static final int CONCURRENCY = 16;

	/** Time for which figures wait for names. */
	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	/** Names by address; empty for servers without one. */
	private final Cache<String, String> known = Caffeine.newBuilder()
		.maximumSize(MAX_KNOWN)
		.expireAfterWrite(KEPT)
		.build();

	private final NameServers dns;

	ServerNames(NameServers dns) {
		this.dns = dns;
	}

	/** The names of those servers that have one; without those that take too long. */
	Mono<Map<String, String>> of(Collection<String> addresses) {
		return Flux.fromIterable(addresses)
			.filter((address) -> this.known.getIfPresent(address) == null)
			.flatMap(this::lookUp, CONCURRENCY)
			.take(TIMEOUT)
			.then(Mono.fromSupplier(() -> this.known.getAllPresent(addresses)
				.entrySet()
				.stream()
				.filter((entry) -> !entry.getValue().isEmpty())
				.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue))));
	}

	private Mono<String> lookUp(String address) {
		return this.dns.hostName(InetAddress.ofLiteral(address))
			.map((name) -> name.orElse(""))
			.doOnNext((name) -> this.known.put(address, name))
			.onErrorComplete();
	}

}
