package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

import dev.mailroom.EmailAddress;
import dev.mailroom.inbound.Forwards;
import dev.mailroom.inbound.Forwards.Failure;
import dev.mailroom.inbound.InboundRoute;
import dev.mailroom.inbound.ReceivingDomain;
import dev.mailroom.mail.draft.Forward;
import dev.mailroom.worker.compose.ArcChain;
import dev.mailroom.worker.smtp.server.DkimCheck.MailHeader;
import dev.mailroom.worker.smtp.server.InboundChecks.CheckResults;
import dev.mailroom.worker.smtp.server.MailReader.ParsedMessage;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/**
 * Forwards received mail for the recipients whose route says so. Its content stays as it
 * is, below the fields that forwarding adds; a mail that its author's domain protects
 * against that has another sender, unless the route keeps it.
 */
@Component
class Forwarder {

	/** Servers that a mail has passed, above which it is in a loop. */
	private static final int MAX_RECEIVED = 30;

	private static final DateTimeFormatter DATE = DateTimeFormatter
		.ofPattern("EEE, d MMM uuuu HH:mm:ss Z", Locale.ENGLISH)
		.withZone(ZoneOffset.UTC);

	/** A value that needs no quotation marks (RFC 8601 section 2.2). */
	private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9.!#$%&'*+/?^_`{|}~@-]{1,254}");

	private final Forwards forwards;

	private final InboundChecks checks;

	private final Settings settings;

	private final Clock clock;

	Forwarder(Forwards forwards, InboundChecks checks, Settings settings, Clock clock) {
		this.forwards = forwards;
		this.checks = checks;
		this.settings = settings;
		this.clock = clock;
	}

	/**
	 * Queues a mail that is stored, once for each address of the routes.
	 * @param stored the ids of the stored mails by domain
	 * @return for each recipient whether it was queued for one of the addresses
	 */
	Flux<Boolean> forward(IncomingMail mail, ParsedMessage message, CheckResults results, List<Recipient> recipients,
			Map<UUID, UUID> stored) {
		Set<String> served = new HashSet<>();
		return findings(mail, message, results).flatMapMany((findings) -> Flux.fromIterable(recipients)
			.publishOn(Schedulers.boundedElastic())
			.concatMap((recipient) -> rewrites(recipient, message, results).flatMap((rewritten) -> {
				InboundRoute.Forwarding route = recipient.forwarding();
				UUID account = recipient.owner().accountId();
				UUID domain = recipient.owner().domainId();
				UUID received = Objects.requireNonNull(stored.get(domain));
				List<String> targets = route.to()
					.stream()
					.filter((target) -> served.add(account + EmailAddress.key(target)))
					.toList();
				Forwards.Order order = new Forwards.Order(account, domain, received, recipient.address(),
						targets.stream().filter(route.confirmed()::contains).toList(), message.heading(),
						traced(mail, recipient.address(), findings.field()),
						new Forward(received, mail.sender().isEmpty(), rewritten, findings.chain()));
				return queue(order, mail, results,
						targets.stream().filter((target) -> !route.confirmed().contains(target)).toList());
			})));
	}

	/** The results of the checks for the seal; empty if the mail is not sealed. */
	private Mono<Findings> findings(IncomingMail mail, ParsedMessage message, CheckResults results) {
		if (!this.settings.arc()) {
			return Mono.just(Findings.NONE);
		}
		return Mono.fromCallable(() -> ArcChain.of(mail.raw()))
			.subscribeOn(Schedulers.boundedElastic())
			.filter(ArcChain::isOpen)
			.flatMap((chain) -> this.checks.arc(chain)
				.flatMap(Mono::justOrEmpty)
				.map((result) -> new Findings(result, field(chain.next(), mail, message, results, result))))
			.defaultIfEmpty(Findings.NONE);
	}

	/** The field with the results (RFC 8617 section 4.1.1, RFC 8601). */
	private String field(int instance, IncomingMail mail, ParsedMessage message, CheckResults results, String chain) {
		String sender = mail.sender().isEmpty() ? mail.helo() : mail.sender();
		StringBuilder field = new StringBuilder("ARC-Authentication-Results: i=").append(instance)
			.append("; ")
			.append(this.settings.mxHost());
		finding(field, "spf=" + result(results.spf()), mail.sender().isEmpty() ? "smtp.helo" : "smtp.mailfrom", sender);
		if (results.signers().isEmpty()) {
			finding(field, "dkim=" + result(results.dkim()), "", "");
		}
		results.signers().forEach((signer) -> finding(field, "dkim=pass", "header.d", signer));
		finding(field, "dmarc=" + result(results.dmarc()), "header.from",
				(message.authors().size() == 1) ? message.authors().getFirst() : "");
		finding(field, "arc=" + chain, "", "");
		return field.append("\r\n").toString();
	}

	/** Adds a result; a value that would have to be quoted is left out. */
	private static void finding(StringBuilder field, String result, String property, String value) {
		field.append(";\r\n ").append(result);
		if (VALUE.matcher(value).matches()) {
			field.append(' ').append(property).append('=').append(value);
		}
	}

	private static String result(CheckResult result) {
		return switch (result) {
			case PASS -> "pass";
			case FAIL -> "fail";
			case GRAY, DISABLED -> "none";
			case PROCESSING_FAILED -> "temperror";
		};
	}

	/** Whether the author is replaced. A mail without exactly one author is kept. */
	private Mono<Boolean> rewrites(Recipient recipient, ParsedMessage message, CheckResults results) {
		return (recipient.forwarding().mode() == InboundRoute.ForwardMode.KEEP || message.authors().size() != 1)
				? Mono.just(false) : this.checks.failsIfForwarded(message.authors().getFirst(), results.signers());
	}

	private Mono<Boolean> queue(Forwards.Order order, IncomingMail mail, CheckResults results,
			List<String> unconfirmed) {
		Mono<Void> refused = unconfirmed.isEmpty() ? Mono.empty() : this.forwards.fail(order, unconfirmed,
				Failure.NOT_CONFIRMED, "The owner of the address has not confirmed");
		if (order.targets().isEmpty()) {
			return refused.thenReturn(unconfirmed.isEmpty());
		}
		Optional<Failure> failure = failure(order, mail, results);
		return refused.then(failure.isEmpty() ? this.forwards.queue(order)
				: this.forwards.fail(order, order.targets(), failure.get(), "").thenReturn(false));
	}

	private Optional<Failure> failure(Forwards.Order order, IncomingMail mail, CheckResults results) {
		if (results.virus() == CheckResult.FAIL) {
			return Optional.of(Failure.VIRUS);
		}
		return isLoop(mail.raw(), order.address()) ? Optional.of(Failure.LOOP) : Optional.empty();
	}

	/**
	 * Whether the mail was forwarded by this address before, or has passed too many
	 * servers (RFC 5321 section 6.3). So does a header that is too long to be read.
	 */
	private static boolean isLoop(byte[] raw, EmailAddress address) {
		try {
			MailHeader header = MailHeader.of(raw);
			return header.getFields("Received").size() >= MAX_RECEIVED || header.getFields("Delivered-To")
				.stream()
				.map((field) -> field.substring(field.indexOf(':') + 1).strip())
				.anyMatch((earlier) -> earlier.equalsIgnoreCase(address.toString()));
		}
		catch (IOException _) {
			return true;
		}
	}

	/** The message below its trace fields. */
	private byte[] traced(IncomingMail mail, EmailAddress address, String findings) {
		String helo = mail.helo().replaceAll("[^A-Za-z0-9.:_\\[\\]-]", "");
		String fields = findings + """
				Delivered-To: %s
				Received: from %s ([%s])
				 by %s with ESMTP
				 for <%s>; %s
				"""
			.formatted(address, helo.isEmpty() ? "unknown" : helo, mail.client().getHostAddress(),
					this.settings.mxHost(), address, DATE.format(this.clock.instant()))
			.replaceAll("\r?\n", "\r\n");
		byte[] trace = fields.getBytes(StandardCharsets.UTF_8);
		byte[] message = new byte[trace.length + mail.raw().length];
		System.arraycopy(trace, 0, message, 0, trace.length);
		System.arraycopy(mail.raw(), 0, message, trace.length, mail.raw().length);
		return message;
	}

	/** A recipient whose route forwards. */
	record Recipient(EmailAddress address, ReceivingDomain.Owner owner, InboundRoute.Forwarding forwarding) {
	}

	/**
	 * Results for the seal of a mail.
	 *
	 * @param chain the result of its chain; null if it is not sealed
	 * @param field the field with the results; empty if it is not sealed
	 */
	private record Findings(@Nullable String chain, String field) {

		static final Findings NONE = new Findings(null, "");

	}

	/**
	 * Settings of forwarding.
	 *
	 * @param mxHost the server that receives inbound mail
	 * @param arc whether forwarded mail is sealed (ARC)
	 */
	@ConfigurationProperties("mailroom")
	record Settings(@DefaultValue("mx.mailroom.localhost") String mxHost, @DefaultValue("true") boolean arc) {
	}

}
