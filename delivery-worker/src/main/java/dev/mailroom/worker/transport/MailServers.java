package dev.mailroom.worker.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
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
 * Which servers take a domain's mail (RFC 5321 5.1), by DNS. Answers are kept as long as
 * they say, and no more of them than fit.
 */
@Component
class MailServers {

	private static final Duration LONGEST = Duration.ofSeconds(10);

	private static final int MOST_KEPT = 20_000;

	/** For longer than this nothing is kept, whatever an answer says (s). */
	private static final int LONGEST_KEPT = 3600;

	private static final int LONGEST_MISSED = 300;

	private final LookupSession session;

	private final Set<String> ourselves;

	@Autowired
	MailServers(NameServers servers, MxSettings settings, @Value("${mailroom.mx-host}") String mxHost) {
		this(servers.resolver(),
				Stream.of(settings.helo(), mxHost)
					.map((name) -> name.toLowerCase(Locale.ROOT))
					.collect(Collectors.toUnmodifiableSet()));
	}

	/**
	 * Servers as some name server has them.
	 * @param ourselves names that our own servers go by, in lower case
	 */
	MailServers(Resolver resolver, Set<String> ourselves) {
		this.ourselves = ourselves;
		Cache cache = new Cache(DClass.IN);
		cache.setMaxEntries(MOST_KEPT);
		cache.setMaxCache(LONGEST_KEPT);
		cache.setMaxNCache(LONGEST_MISSED);
		this.session = LookupSession.builder().resolver(resolver).cache(cache).maxRedirects(8).build();
	}

	/**
	 * The hosts that take a domain's mail, the preferred first; those of equal preference
	 * in any order. The domain itself where it names none. Where some are preferred to
	 * ourselves, only those are meant: the rest would hand it back to them (RFC 5321
	 * 5.1). Where none is, our own listener has the last word, and relays nothing, so
	 * that no mail goes in circles.
	 * @throws Undeliverable where it is not there, or takes no mail (RFC 7505)
	 */
	Mono<List<String>> of(String domain) {
		return ask(domain, Type.MX)
			.onErrorMap(NoSuchDomainException.class,
					(_) -> new Undeliverable("550 5.1.2 There is no such domain: " + domain))
			.flatMap((records) -> records.isEmpty() ? Mono.just(List.of(domain)) : inOrder(domain, records));
	}

	private Mono<List<String>> inOrder(String domain, List<Record> records) {
		List<MXRecord> servers = new ArrayList<>();
		records.stream()
			.filter(MXRecord.class::isInstance)
			.map(MXRecord.class::cast)
			.filter((server) -> !server.getTarget().equals(Name.root))
			.forEach(servers::add);
		if (servers.isEmpty()) {
			return Mono.error(new Undeliverable("556 5.1.10 The domain takes no mail: " + domain));
		}
		Collections.shuffle(servers);
		servers.sort(Comparator.comparingInt(MXRecord::getPriority));
		int ours = servers.stream()
			.filter((server) -> this.ourselves.contains(name(server)))
			.mapToInt(MXRecord::getPriority)
			.min()
			.orElse(Integer.MAX_VALUE);
		boolean isFirst = servers.getFirst().getPriority() == ours;
		return Mono.just(servers.stream()
			.filter((server) -> isFirst || server.getPriority() < ours)
			.map(MailServers::name)
			.distinct()
			.toList());
	}

	private static String name(MXRecord server) {
		return server.getTarget().toString(true).toLowerCase(Locale.ROOT);
	}

	/**
	 * A host's addresses, those of version 4 first: far more servers that send have a
	 * name for one. Those of one version are enough, for there are name servers that fail
	 * at the other. Empty where it has none.
	 */
	Mono<List<InetAddress>> addresses(String host) {
		return Flux.just(Type.A, Type.AAAA)
			.flatMapSequential(
					(type) -> ask(host, type).onErrorReturn(NoSuchDomainException.class, List.of()).materialize())
			.collectList()
			.flatMap(MailServers::known);
	}

	/**
	 * What either says; an error only where that is nothing, for then there may be more.
	 */
	private static Mono<List<InetAddress>> known(List<Signal<List<Record>>> answers) {
		List<InetAddress> found = new ArrayList<>();
		@Nullable Throwable missed = null;
		for (Signal<List<Record>> answer : answers) {
			@Nullable List<Record> records = answer.get();
			if (records != null) {
				records.forEach((record) -> found.add(address(record)));
			}
			else {
				missed = answer.getThrowable();
			}
		}
		return (found.isEmpty() && missed != null) ? Mono.error(missed) : Mono.just(found);
	}

	private static InetAddress address(Record record) {
		return switch (record) {
			case ARecord a -> a.getAddress();
			case AAAARecord aaaa -> aaaa.getAddress();
			default -> throw new IllegalStateException("Not an address: " + record);
		};
	}

	/** What there is of one type; empty where the name has only others. */
	private Mono<List<Record>> ask(String name, int type) {
		return Mono.defer(() -> Mono.fromCompletionStage(this.session.lookupAsync(read(name), type)))
			.timeout(LONGEST)
			.map((result) -> result.getRecords().stream().filter((record) -> record.getType() == type).toList())
			.onErrorMap(CompletionException.class, (error) -> (error.getCause() != null) ? error.getCause() : error)
			.onErrorResume(NoSuchRRSetException.class, (_) -> Mono.just(List.of()))
			.onErrorMap((error) -> !(error instanceof NoSuchDomainException),
					(error) -> new IOException("the name servers did not answer for " + name, error));
	}

	private static Name read(String name) {
		try {
			return Name.fromString(name, Name.root);
		}
		catch (TextParseException ex) {
			throw new IllegalArgumentException("Not a name: " + name, ex);
		}
	}

}
