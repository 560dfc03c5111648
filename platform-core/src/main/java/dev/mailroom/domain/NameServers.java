package dev.mailroom.domain;

import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;
import org.xbill.DNS.lookup.LookupSession;
import org.xbill.DNS.lookup.NoSuchDomainException;
import org.xbill.DNS.lookup.NoSuchRRSetException;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * The name servers that all lookups use. Lookups are not cached, so that a record is seen
 * as soon as it is published.
 */
@Component
public class NameServers {

	private static final int PORT = 53;

	/** Timeout of one query to one server. */
	private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(3);

	private static final int RETRIES = 2;

	private static final Duration LOOKUP_TIMEOUT = Duration.ofSeconds(8);

	private static final int MAX_REDIRECTS = 8;

	private final Resolver resolver;

	private final LookupSession session;

	NameServers(DomainSettings settings) throws UnknownHostException {
		this.resolver = resolver(settings.dnsServers());
		this.session = LookupSession.builder().resolver(this.resolver).maxRedirects(MAX_REDIRECTS).build();
	}

	/** Resolver that queries the configured servers. */
	public Resolver resolver() {
		return this.resolver;
	}

	/**
	 * Looks up the TXT records of a name, each with its strings joined (RFC 7208 3.3).
	 */
	Mono<Answer> txt(String host) {
		return lookUp(host, Type.TXT);
	}

	/**
	 * Looks up the hosts of a name's MX records, lower-case and without the final dot.
	 */
	Mono<Answer> mx(String host) {
		return lookUp(host, Type.MX);
	}

	private Mono<Answer> lookUp(String host, int type) {
		return Mono.fromCompletionStage(() -> this.session.lookupAsync(name(host), type))
			.timeout(LOOKUP_TIMEOUT)
			.<Answer>map((result) -> new Answer.Found(result.getRecords().stream().map(NameServers::text).toList()))
			.onErrorResume((error) -> Mono.just(doesNotExist(error) ? new Answer.Found(List.of())
					: new Answer.Unknown("The name servers did not answer for " + host + "; the lookup is repeated")));
	}

	private static boolean doesNotExist(Throwable error) {
		Throwable cause = (error.getCause() != null) ? error.getCause() : error;
		return error instanceof NoSuchDomainException || error instanceof NoSuchRRSetException
				|| cause instanceof NoSuchDomainException || cause instanceof NoSuchRRSetException;
	}

	private static String text(Record record) {
		return switch (record) {
			case TXTRecord txt -> String.join("", txt.getStrings());
			case MXRecord mx -> mx.getTarget().toString(true).toLowerCase(Locale.ROOT);
			default -> record.rdataToString();
		};
	}

	private static Name name(String host) {
		try {
			return Name.fromString(host, Name.root);
		}
		catch (TextParseException ex) {
			throw new IllegalArgumentException("Not a domain name: " + host, ex);
		}
	}

	private static Resolver resolver(List<String> servers) throws UnknownHostException {
		List<String> configured = servers.stream().map(String::strip).filter((server) -> !server.isEmpty()).toList();
		ExtendedResolver resolver = configured.isEmpty() ? new ExtendedResolver()
				: new ExtendedResolver(configured.stream().<Resolver>map(NameServers::server).toList());
		resolver.setTimeout(QUERY_TIMEOUT);
		resolver.setRetries(RETRIES);
		return resolver;
	}

	private static Resolver server(String text) {
		int colon = text.lastIndexOf(':');
		boolean port = colon > 0 && text.indexOf(':') == colon;
		return new SimpleResolver(new InetSocketAddress(port ? text.substring(0, colon) : text,
				port ? Integer.parseInt(text.substring(colon + 1)) : PORT));
	}

	/** Result of a lookup. */
	sealed interface Answer {

		/** All values; empty if the name or the type does not exist. */
		record Found(List<String> values) implements Answer {
		}

		/** The lookup failed. */
		record Unknown(String reason) implements Answer {
		}

	}

}
