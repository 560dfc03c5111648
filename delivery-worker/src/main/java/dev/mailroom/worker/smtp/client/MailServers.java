package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.io.Serial;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.domain.NameServers;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Cache;
import org.xbill.DNS.DClass;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.TLSARecord;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;
import org.xbill.DNS.lookup.LookupSession;
import org.xbill.DNS.lookup.NoSuchDomainException;
import org.xbill.DNS.lookup.NoSuchRRSetException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * DNS lookups of the servers that accept a domain's mail (RFC 5321 section 5.1). Answers
 * are cached for their TTL, within limits.
 */
@Component
class MailServers {

	private static final Duration LOOKUP_TIMEOUT = Duration.ofSeconds(10);

	private static final int MAX_CACHE_ENTRIES = 20_000;

	private static final int MAX_TTL_SECONDS = 3600;

	private static final int MAX_NEGATIVE_TTL_SECONDS = 300;

	private final LookupSession session;

	private final Set<String> ownNames;

	@Autowired
	MailServers(NameServers servers, MxSettings settings, @Value("${mailroom.mx-host}") String mxHost) {
		this(servers.resolver(),
				Stream.of(settings.helo(), mxHost)
					.map((name) -> name.toLowerCase(Locale.ROOT))
					.collect(Collectors.toUnmodifiableSet()));
	}

	/**
	 * Creates the lookups.
	 * @param ownNames host names of this platform's servers, in lower case
	 */
	MailServers(Resolver resolver, Set<String> ownNames) {
		this.ownNames = ownNames;
		Cache cache = new Cache(DClass.IN);
		cache.setMaxEntries(MAX_CACHE_ENTRIES);
		cache.setMaxCache(MAX_TTL_SECONDS);
		cache.setMaxNCache(MAX_NEGATIVE_TTL_SECONDS);
		this.session = LookupSession.builder().resolver(resolver).cache(cache).maxRedirects(8).build();
	}

	/**
	 * Hosts that accept a domain's mail in the order of their preference, shuffled where
	 * it is equal; the domain itself if it has no MX record. If this platform is among
	 * them, hosts of the same or a lower preference are left out (RFC 5321 section 5.1),
	 * unless this platform is the first: its listener accepts or refuses the mail and
	 * relays nothing, which excludes a loop. Fails with {@link Undeliverable} if the
	 * domain does not exist or accepts no mail (RFC 7505).
	 */
	Mono<List<String>> of(String domain) {
		return lookup(domain, Type.MX)
			.onErrorMap(NoSuchDomainException.class,
					(_) -> new Undeliverable("550 5.1.2 The domain does not exist: " + domain))
			.flatMap((records) -> inOrder(domain, records));
	}

	/** Hosts of a domain by its MX records, as {@link #of(String)} has them. */
	Mono<List<String>> inOrder(String domain, List<Record> records) {
		if (records.isEmpty()) {
			return Mono.just(List.of(domain));
		}
		List<MXRecord> servers = new ArrayList<>();
		records.stream()
			.filter(MXRecord.class::isInstance)
			.map(MXRecord.class::cast)
			.filter((server) -> !server.getTarget().equals(Name.root))
			.forEach(servers::add);
		if (servers.isEmpty()) {
			return Mono.error(new Undeliverable("556 5.1.10 The domain accepts no mail: " + domain));
		}
		Collections.shuffle(servers);
		servers.sort(Comparator.comparingInt(MXRecord::getPriority));
		int ownPriority = servers.stream()
			.filter((server) -> this.ownNames.contains(name(server)))
			.mapToInt(MXRecord::getPriority)
			.min()
			.orElse(Integer.MAX_VALUE);
		boolean isFirst = servers.getFirst().getPriority() == ownPriority;
		return Mono.just(servers.stream()
			.filter((server) -> isFirst || server.getPriority() < ownPriority)
			.map(MailServers::name)
			.distinct()
			.toList());
	}

	private static String name(MXRecord server) {
		return server.getTarget().toString(true).toLowerCase(Locale.ROOT);
	}

	/**
	 * Addresses of a host; empty if it has none. IPv4 comes first, because more sending
	 * servers have reverse DNS for it. An error for one version is ignored if the other
	 * has addresses, because some name servers fail on AAAA queries.
	 */
	Mono<List<InetAddress>> addresses(String host) {
		return Flux.just(Type.A, Type.AAAA)
			.flatMapSequential(
					(type) -> lookup(host, type).onErrorReturn(NoSuchDomainException.class, List.of()).materialize())
			.collectList()
			.flatMap(MailServers::merge);
	}

	/** Addresses of both answers; an error only if there are none. */
	private static Mono<List<InetAddress>> merge(List<Signal<List<Record>>> answers) {
		List<InetAddress> addresses = new ArrayList<>();
		@Nullable Throwable error = null;
		for (Signal<List<Record>> answer : answers) {
			@Nullable List<Record> records = answer.get();
			if (records != null) {
				records.forEach((record) -> addresses.add(address(record)));
			}
			else {
				error = answer.getThrowable();
			}
		}
		return (addresses.isEmpty() && error != null) ? Mono.error(error) : Mono.just(addresses);
	}

	/**
	 * Text records of a name; empty if it has none. The strings of a record are joined.
	 */
	Mono<List<String>> texts(String name) {
		return lookup(name, Type.TXT).onErrorReturn(NoSuchDomainException.class, List.of())
			.map((records) -> records.stream()
				.map((record) -> String.join("", ((TXTRecord) record).getStrings()))
				.toList());
	}

	/** TLSA records of a name, as {@code 3 1 1} and the data in hexadecimal digits. */
	Mono<List<String>> tlsa(String name) {
		return lookup(name, Type.TLSA).onErrorReturn(NoSuchDomainException.class, List.of())
			.map((records) -> records.stream()
				.map(TLSARecord.class::cast)
				.map((record) -> record.getCertificateUsage() + " " + record.getSelector() + " "
						+ record.getMatchingType() + " "
						+ HexFormat.of().formatHex(record.getCertificateAssociationData()))
				.toList());
	}

	private static InetAddress address(Record record) {
		return switch (record) {
			case ARecord a -> a.getAddress();
			case AAAARecord aaaa -> aaaa.getAddress();
			default -> throw new IllegalStateException("Not an address: " + record);
		};
	}

	/** Records of one type; empty if the name exists with other types only. */
	private Mono<List<Record>> lookup(String name, int type) {
		return Mono.defer(() -> Mono.fromCompletionStage(this.session.lookupAsync(parse(name), type)))
			.timeout(LOOKUP_TIMEOUT)
			.map((result) -> result.getRecords().stream().filter((record) -> record.getType() == type).toList())
			.onErrorMap(CompletionException.class, (error) -> (error.getCause() != null) ? error.getCause() : error)
			.onErrorResume(NoSuchRRSetException.class, (_) -> Mono.just(List.of()))
			.onErrorMap((error) -> !(error instanceof NoSuchDomainException),
					(error) -> new IOException("the name servers did not answer the query for " + name, error));
	}

	private static Name parse(String name) {
		try {
			return Name.fromString(name, Name.root);
		}
		catch (TextParseException ex) {
			throw new IllegalArgumentException("Not a domain name: " + name, ex);
		}
	}

	/** According to DNS, a domain permanently accepts no mail. */
	static final class Undeliverable extends IOException {

		@Serial
		private static final long serialVersionUID = 1L;

		Undeliverable(String reply) {
			super(reply);
		}

	}

}
