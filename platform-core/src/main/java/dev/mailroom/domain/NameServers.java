package dev.mailroom.domain;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import dev.mailroom.dmarc.Lookups;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.CAARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.MXRecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.ReverseMap;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;
import org.xbill.DNS.lookup.LookupSession;
import org.xbill.DNS.lookup.NoSuchDomainException;
import org.xbill.DNS.lookup.NoSuchRRSetException;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/**
 * The name servers that all lookups use. Lookups are not cached, so that a record is seen
 * as soon as it is published.
 */
@Component
public class NameServers implements Lookups {

	private static final int PORT = 53;

	/** Timeout of one query to one server. */
	private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(3);

	private static final int RETRIES = 2;

	private static final Duration LOOKUP_TIMEOUT = Duration.ofSeconds(8);

	private static final int MAX_REDIRECTS = 8;

	/** Names of an address that are looked up. */
	private static final int MAX_HOST_NAMES = 3;

	private static final Pattern HOST_NAME = Pattern.compile("[a-z0-9._-]{1,253}");

	private final Supplier<ExtendedResolver> resolvers;

	private final Resolver resolver;

	private final LookupSession session;

	NameServers(DomainSettings settings, ApplicationEventPublisher publisher) {
		this.resolvers = () -> resolver(settings.dnsServers(), publisher);
		this.resolver = this.resolvers.get();
		this.session = LookupSession.builder().resolver(this.resolver).maxRedirects(MAX_REDIRECTS).build();
	}

	/**
	 * Resolver that queries the configured servers and publishes a {@link Query} for each
	 * response.
	 */
	public Resolver resolver() {
		return this.resolver;
	}

	/** Another resolver of the same servers, whose options its user may change. */
	public ExtendedResolver ownResolver() {
		return this.resolvers.get();
	}

	/**
	 * Looks up the TXT records of a name, each with its strings joined (RFC 7208 3.3).
	 */
	Mono<Answer> txt(String host) {
		return lookUp(host, Type.TXT);
	}

	@Override
	public Mono<List<String>> texts(String name) {
		return found(name, Type.TXT);
	}

	@Override
	public Mono<Boolean> exists(String name) {
		return Mono.fromCompletionStage(() -> this.session.lookupAsync(name(name), Type.A))
			.timeout(LOOKUP_TIMEOUT)
			.map((_) -> true)
			.onErrorResume((error) -> doesNotExist(error) ? Mono.just(!isMissing(error)) : Mono.error(
					new UncheckedIOException(new IOException("The name servers did not answer for " + name, error))));
	}

	/**
	 * Looks up the hosts of a name's MX records, lower-case and without the final dot.
	 */
	Mono<Answer> mx(String host) {
		return lookUp(host, Type.MX);
	}

	/**
	 * Hosts that accept the mail of a domain; none if it has no MX records, and an empty
	 * result if the name servers do not answer.
	 */
	public Mono<Optional<List<String>>> mailHosts(String domain) {
		return mx(domain).map((answer) -> switch (answer) {
			case Found(var hosts) -> Optional.of(hosts);
			case Unknown _ -> Optional.empty();
		});
	}

	/**
	 * Names to which a CNAME record of a name leads, lower-case and without the final
	 * dot; none if it has none, and an empty result if the name servers do not answer.
	 */
	public Mono<Optional<List<String>>> aliases(String name) {
		return lookUp(name, Type.CNAME).map((answer) -> switch (answer) {
			case Found(var names) -> Optional.of(names);
			case Unknown _ -> Optional.empty();
		});
	}

	/**
	 * Finds the host name of an address, lower-case and without the final dot; empty if
	 * it has none that leads back to it. Ends as {@link #texts} does.
	 */
	public Mono<Optional<String>> hostName(InetAddress address) {
		return found(ReverseMap.fromAddress(address).toString(true), Type.PTR).flatMapIterable((names) -> names)
			.filter((name) -> HOST_NAME.matcher(name).matches())
			.take(MAX_HOST_NAMES)
			.concatMap((name) -> found(name, (address instanceof Inet4Address) ? Type.A : Type.AAAA)
				.filter((addresses) -> addresses.stream().map(InetAddress::ofLiteral).anyMatch(address::equals))
				.map((_) -> Optional.of(name)), 0)
			.next()
			.defaultIfEmpty(Optional.empty());
	}

	/** The values of records. It fails if the name servers do not answer. */
	private Mono<List<String>> found(String host, int type) {
		return lookUp(host, type).map((answer) -> switch (answer) {
			case Found(var values) -> values;
			case Unknown(var reason) -> throw new UncheckedIOException(reason, new IOException(reason));
		});
	}

	/**
	 * Whether the CAA records of the closest name that has any permit one of these
	 * authorities (RFC 8659). It fails if the name servers do not answer.
	 */
	public Mono<Boolean> mayIssue(String name, Collection<String> authorities) {
		return lookUp(name, Type.CAA).flatMap((answer) -> switch (answer) {
			case Unknown(var reason) -> Mono.error(new UncheckedIOException(reason, new IOException(reason)));
			case Found(var values) when values.isEmpty() -> (name.indexOf('.') > 0)
					? mayIssue(name.substring(name.indexOf('.') + 1), authorities) : Mono.just(true);
			case Found(var values) -> {
				List<String> issuers = values.stream()
					.filter((value) -> value.startsWith("issue "))
					.map((value) -> value.substring("issue ".length()).split(";", -1)[0].strip())
					.toList();
				yield Mono.just(issuers.isEmpty()
						|| authorities.stream().anyMatch((it) -> issuers.stream().anyMatch(it::equalsIgnoreCase)));
			}
		});
	}

	private Mono<Answer> lookUp(String host, int type) {
		return Mono.fromCompletionStage(() -> this.session.lookupAsync(name(host), type))
			.timeout(LOOKUP_TIMEOUT)
			.<Answer>map((result) -> new Found(result.getRecords().stream().map(NameServers::text).toList()))
			.onErrorResume((error) -> Mono.just(doesNotExist(error) ? new Found(List.of())
					: new Unknown("The name servers did not answer for " + host + "; the lookup is repeated")));
	}

	private static boolean doesNotExist(Throwable error) {
		Throwable cause = (error.getCause() != null) ? error.getCause() : error;
		return error instanceof NoSuchDomainException || error instanceof NoSuchRRSetException
				|| cause instanceof NoSuchDomainException || cause instanceof NoSuchRRSetException;
	}

	/** Whether the name itself does not exist, and not only the type. */
	private static boolean isMissing(Throwable error) {
		return error instanceof NoSuchDomainException || error.getCause() instanceof NoSuchDomainException;
	}

	private static String text(Record record) {
		return switch (record) {
			case TXTRecord txt -> String.join("", txt.getStrings());
			case CAARecord permission -> permission.getTag().toLowerCase(Locale.ROOT) + " " + permission.getValue();
			case CNAMERecord alias -> alias.getTarget().toString(true).toLowerCase(Locale.ROOT);
			case PTRRecord reverse -> reverse.getTarget().toString(true).toLowerCase(Locale.ROOT);
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

	private static ExtendedResolver resolver(List<String> servers, ApplicationEventPublisher publisher) {
		ExtendedResolver resolver = new PublishingResolver(servers.stream().map(NameServers::server).toList(),
				publisher);
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

	}

	/** All values; empty if the name or the type does not exist. */
	record Found(List<String> values) implements Answer {
	}

	/** The lookup failed. */
	record Unknown(String reason) implements Answer {
	}

	/**
	 * Application event, published when a query to the name servers ends.
	 *
	 * @param took time until the response, with all retries
	 */
	public record Query(Kind kind, Result result, Duration took) {
	}

	/** The type of the records that were queried. */
	public enum Kind {

		/** MX. */
		MX,
		/** A or AAAA. */
		ADDRESS,
		/** TXT. */
		TXT,
		/** All others. */
		OTHER;

		static Kind of(Message query) {
			@Nullable Record question = query.getQuestion();
			return switch ((question != null) ? question.getType() : Type.ANY) {
				case Type.MX -> MX;
				case Type.A, Type.AAAA -> ADDRESS;
				case Type.TXT -> TXT;
				default -> OTHER;
			};
		}

	}

	/** The kind of response. */
	public enum Result {

		/** Records. */
		FOUND,
		/** The name does not exist, or has no records of this type. */
		NONE,
		/** No response, or one that is an error. */
		FAILED;

		static Result of(@Nullable Message response) {
			if (response == null) {
				return FAILED;
			}
			return switch (response.getRcode()) {
				case Rcode.NOERROR -> response.getSection(Section.ANSWER).isEmpty() ? NONE : FOUND;
				case Rcode.NXDOMAIN -> NONE;
				default -> FAILED;
			};
		}

	}

	/** Publishes the end of each query. */
	private static final class PublishingResolver extends ExtendedResolver {

		private final ApplicationEventPublisher publisher;

		/**
		 * Creates a resolver that queries these servers, or else those of the machine.
		 */
		PublishingResolver(List<Resolver> servers, ApplicationEventPublisher publisher) {
			super(servers.isEmpty() ? List.of(new ExtendedResolver().getResolvers()) : servers);
			this.publisher = publisher;
		}

		@Override
		public CompletionStage<Message> sendAsync(Message query, Executor executor) {
			long begin = System.nanoTime();
			return super.sendAsync(query, executor).whenComplete((response, _) -> this.publisher.publishEvent(
					new Query(Kind.of(query), Result.of(response), Duration.ofNanos(System.nanoTime() - begin))));
		}

	}

}
