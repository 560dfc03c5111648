package dev.mailroom.worker.smtp.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.WrongSetting;
import dev.mailroom.domain.NameServers;
import dev.mailroom.worker.smtp.client.DnssecSettings.Mode;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;
import org.xbill.DNS.dnssec.ValidatingResolver;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * DNS answers with the result of their validation by DNSSEC (RFC 4035 section 4.3): by a
 * resolver that is trusted, or by this process. Answers are not cached.
 */
@Component
class SecureDns {

	/**
	 * Keys of the root zone: those of 2017 and 2024, as IANA publishes them in
	 * root-anchors.xml.
	 */
	private static final List<String> ROOT = List.of(
			"20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D",
			"38696 8 2 683D2D0ACB8C9B712A1948B27F741219298D0A450D612C483AF444A4C0FB2B16");

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	/** Size of an answer by UDP that is not fragmented. */
	private static final int MAX_UDP_BYTES = 1232;

	private static final Duration MAX_TTL = Duration.ofHours(1);

	private static final Duration MAX_NEGATIVE_TTL = Duration.ofMinutes(5);

	private static final Executor THREADS = (task) -> Schedulers.boundedElastic().schedule(task);

	private final DnssecSettings settings;

	/** A name that must have no answer; null for none. */
	private final @Nullable Name bogus;

	/** Null if DNSSEC is not used. */
	private final @Nullable Resolver resolver;

	@Autowired
	SecureDns(NameServers servers, DnssecSettings settings) {
		this(settings, servers::ownResolver);
	}

	/**
	 * Creates the look-ups.
	 * @param resolvers creates a resolver whose options may be changed
	 */
	SecureDns(DnssecSettings settings, Supplier<ExtendedResolver> resolvers) {
		this.settings = settings;
		this.bogus = settings.bogusName().isBlank() ? null : name(settings.bogusName());
		this.resolver = switch (settings.mode()) {
			case OFF -> null;
			case RESOLVER -> trusted(resolvers.get(), settings.remote());
			case VALIDATE -> validating(resolvers.get(), settings);
		};
	}

	private static Resolver trusted(ExtendedResolver resolver, boolean remote) {
		boolean local = Stream.of(resolver.getResolvers())
			.allMatch((one) -> one instanceof SimpleResolver simple && simple.getAddress().getAddress() != null
					&& simple.getAddress().getAddress().isLoopbackAddress());
		if (!local && !remote) {
			throw new WrongSetting("MAILROOM_DNSSEC is resolver, but a name server is not at a loopback address. Run a "
					+ "validating resolver on this machine and name it in MAILROOM_DNS_SERVERS, set MAILROOM_DNSSEC to "
					+ "validate, or, if the network between is trusted, MAILROOM_DNSSEC_REMOTE to true.");
		}
		resolver.setEDNS(0, MAX_UDP_BYTES, ExtendedFlags.DO, List.of());
		return resolver;
	}

	/** A resolver that validates the answers of another one, whose options it changes. */
	static Resolver validating(ExtendedResolver resolver, DnssecSettings settings) {
		ValidatingResolver validating = new ValidatingResolver(resolver);
		List<String> anchors = settings.anchors().isEmpty() ? ROOT : settings.anchors();
		String records = anchors.stream().map((anchor) -> ". IN DS " + anchor + "\n").collect(Collectors.joining());
		try {
			validating.loadTrustAnchors(new ByteArrayInputStream(records.getBytes(StandardCharsets.US_ASCII)));
		}
		catch (IOException | IllegalArgumentException ex) {
			throw new WrongSetting("MAILROOM_DNSSEC_ANCHORS", String.join(", ", anchors),
					"DS records of the root zone without their name and type, separated by commas");
		}
		return validating;
	}

	/** Whether DNSSEC is used. */
	boolean isOn() {
		return this.settings.mode() != Mode.OFF;
	}

	/**
	 * Asks for records. Fails if there is no answer, or one that is an error: the
	 * validation that fails counts as such.
	 */
	Mono<Answer> ask(Name name, int type) {
		return Mono.defer(() -> {
			if (this.resolver == null) {
				return Mono.error(new IllegalStateException("DNSSEC is off"));
			}
			Message query = Message.newQuery(Record.newRecord(name, type, DClass.IN));
			query.getHeader().setFlag(Flags.AD);
			return Mono.fromCompletionStage(this.resolver.sendAsync(query, THREADS));
		})
			.timeout(TIMEOUT)
			.onErrorMap(CompletionException.class, (error) -> (error.getCause() != null) ? error.getCause() : error)
			.onErrorMap((error) -> new IOException(
					"the name servers did not answer the query for " + name.toString(true) + " " + Type.string(type),
					error))
			.map((message) -> Answer.of(name, type, message));
	}

	/**
	 * Whether DNSSEC works: the keys of the root zone are validated, and the name that is
	 * configured as bogus has no answer.
	 */
	Mono<Boolean> test() {
		Mono<Boolean> root = ask(Name.root, Type.DNSKEY).map((answer) -> answer.secure() && answer.has(Type.DNSKEY))
			.onErrorReturn(false);
		Mono<Boolean> bogus = (this.bogus == null) ? Mono.just(true)
				: ask(this.bogus, Type.A).map((_) -> false).onErrorReturn(true);
		return root.flatMap((works) -> works ? bogus : Mono.just(false));
	}

	static Name name(String host) {
		try {
			return Name.fromString(host, Name.root);
		}
		catch (TextParseException ex) {
			throw new IllegalArgumentException("Not a domain name: " + host, ex);
		}
	}

	/**
	 * An answer, which may have no records.
	 *
	 * @param name the name at which the records are, after all aliases
	 * @param exists whether the name exists
	 * @param secure whether DNSSEC proves all of it, also that there are no records
	 * @param alias whether the name that was asked for is an alias
	 */
	record Answer(Name name, List<Record> records, boolean exists, boolean secure, boolean alias, Duration ttl) {

		static Answer of(Name asked, int type, Message message) {
			int rcode = message.getRcode();
			if (rcode != Rcode.NOERROR && rcode != Rcode.NXDOMAIN) {
				String reason = "the name servers answered the query for " + asked.toString(true) + " "
						+ Type.string(type) + " with " + Rcode.string(rcode);
				throw new UncheckedIOException(reason, new IOException(reason));
			}
			List<Record> answers = message.getSection(Section.ANSWER);
			Name name = asked;
			for (Record record : answers) {
				if (type != Type.CNAME && record instanceof CNAMERecord alias && alias.getName().equals(name)) {
					name = alias.getTarget();
				}
			}
			List<Record> records = answers.stream().filter((record) -> record.getType() == type).toList();
			return new Answer(name, records, rcode == Rcode.NOERROR, message.getHeader().getFlag(Flags.AD),
					!name.equals(asked), ttl(answers, records, message));
		}

		private static Duration ttl(List<Record> answers, List<Record> records, Message message) {
			long least = answers.stream().mapToLong(Record::getTTL).min().orElse(MAX_TTL.toSeconds());
			if (!records.isEmpty()) {
				return Duration.ofSeconds(Math.min(least, MAX_TTL.toSeconds()));
			}
			long negative = message.getSection(Section.AUTHORITY)
				.stream()
				.filter(SOARecord.class::isInstance)
				.mapToLong((record) -> Math.min(record.getTTL(), ((SOARecord) record).getMinimum()))
				.min()
				.orElse(0);
			return Duration.ofSeconds(Math.min(Math.min(least, negative), MAX_NEGATIVE_TTL.toSeconds()));
		}

		boolean has(int type) {
			return this.records.stream().anyMatch((record) -> record.getType() == type);
		}

	}

}
