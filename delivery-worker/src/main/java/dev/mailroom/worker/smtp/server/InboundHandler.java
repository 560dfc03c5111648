package dev.mailroom.worker.smtp.server;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.ClientNetwork;
import dev.mailroom.EmailAddress;
import dev.mailroom.account.Account;
import dev.mailroom.inbound.ArrivedMail;
import dev.mailroom.inbound.InboundRoute;
import dev.mailroom.inbound.ReceivedMails;
import dev.mailroom.inbound.ReceivingDomain;
import dev.mailroom.worker.smtp.server.Feedback.FeedbackKind;
import dev.mailroom.worker.smtp.server.InboundChecks.CheckResults;
import dev.mailroom.worker.smtp.server.MailReader.ParsedMessage;
import dev.mailroom.worker.smtp.server.SmtpHandler.SmtpClient;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.stereotype.Component;

/**
 * SMTP handler of inbound mail: finds the owners of its recipients and the routes that
 * apply to them, and parses, checks and stores it. It relays nothing but what a route
 * forwards, and the same reply refuses every unknown address and those that a route
 * rejects, so that it does not reveal which domains exist.
 */
@Component
class InboundHandler implements SmtpHandler {

	private static final Logger log = LoggerFactory.getLogger(InboundHandler.class);

	private static final SmtpReply RECIPIENT_OK = new SmtpReply(250, "2.1.5", "Ok");

	private static final SmtpReply NO_SUCH_MAILBOX = new SmtpReply(550, "5.1.1", "No such mailbox here");

	private static final SmtpReply RATE_LIMITED = new SmtpReply(450, "4.7.1",
			"Too many mails from this address, try again later");

	private static final SmtpReply ACCOUNT_FULL = new SmtpReply(452, "4.2.2",
			"The account has received too much today, try again later");

	private static final SmtpReply SPAM = new SmtpReply(550, "5.7.1",
			"The recipient does not accept this mail: it looks like spam");

	private static final SmtpReply ACCEPTED = new SmtpReply(250, "2.6.0", "Accepted");

	/**
	 * Parts decoded, as text of two bytes a character, and their copies for PostgreSQL.
	 */
	private static final int MEMORY_FACTOR = 6;

	private final ReceivedMails mails;

	private final Feedback feedback;

	private final DomainReports reports;

	private final InboundChecks checks;

	private final Postmaster postmaster;

	private final Forwarder forwarder;

	private final InboundRate rate;

	private final MeterRegistry registry;

	InboundHandler(ReceivedMails mails, Feedback feedback, DomainReports reports, InboundChecks checks,
			Postmaster postmaster, Forwarder forwarder, InboundSettings settings, MeterRegistry registry) {
		this.mails = mails;
		this.feedback = feedback;
		this.reports = reports;
		this.checks = checks;
		this.postmaster = postmaster;
		this.forwarder = forwarder;
		this.rate = new InboundRate(settings);
		this.registry = registry;
	}

	@Override
	public int memoryFactor() {
		return MEMORY_FACTOR;
	}

	@Override
	public Mono<SmtpReply> sender(SmtpClient client, String sender) {
		if (this.rate.allows(client.address().getAddress())) {
			return Mono.just(OK);
		}
		count("rate_limited");
		return Mono.just(RATE_LIMITED);
	}

	@Override
	public Mono<SmtpReply> recipient(SmtpClient client, String sender, List<String> earlier, String recipient) {
		return (this.feedback.expects(recipient) || this.reports.expects(recipient)) ? Mono.just(RECIPIENT_OK)
				: owner(recipient).filter((owner) -> accepts(owner, recipient))
					.flatMap(this::recipient)
					.onErrorMap(ReceivedMails.DomainMoved.class,
							(moved) -> new SmtpRefused(new SmtpReply(451, "4.3.2", String.valueOf(moved.getMessage()))))
					.switchIfEmpty(Mono.fromSupplier(() -> {
						count("refused");
						return NO_SUCH_MAILBOX;
					}));
	}

	/** Owner of an address; empty if it accepts no mail. */
	private Mono<ReceivingDomain.Owner> owner(String address) {
		return this.postmaster.isPlatforms(address) ? this.postmaster.platform()
				: Mono.justOrEmpty(EmailAddress.parse(address))
					.flatMap((parsed) -> this.mails.owner(parsed.domain()))
					.switchIfEmpty(Mono.defer(() -> this.postmaster.ofReturnPath(address)));
	}

	private boolean accepts(ReceivingDomain.Owner owner, String address) {
		boolean rejected = owner.rule(address)
			.filter((rule) -> rule.action() == InboundRoute.Action.REJECT)
			.isPresent();
		if (rejected) {
			routed("reject");
		}
		return !rejected;
	}

	private void routed(String action) {
		this.registry.counter("mailroom.inbound.routed", "action", action).increment();
	}

	private Mono<SmtpReply> recipient(ReceivingDomain.Owner owner) {
		return this.mails.isFull(owner.accountId()).map((full) -> {
			if (full) {
				count("account_full");
			}
			return full ? ACCOUNT_FULL : RECIPIENT_OK;
		});
	}

	/**
	 * Processes a mail to feedback addresses as feedback, and one to addresses for
	 * reports as a report; stores it for all other recipients and, if it is no feedback,
	 * for the feedback addresses as well. An error leads to a 451; all operations are
	 * idempotent, and the retry counts nothing twice.
	 */
	@Override
	public Mono<SmtpReply> mail(SmtpMail mail) {
		List<String> feedbackAddresses = distinct(mail, this.feedback::expects);
		List<String> reportAddresses = distinct(mail, this.reports::expects);
		IncomingMail incoming = new IncomingMail(mail.client().address().getAddress(), mail.client().helo(),
				mail.mailFrom(), mail.content());
		Flux<String> others = Flux.fromIterable(mail.rcptTo())
			.filter((address) -> !this.feedback.expects(address) && !this.reports.expects(address));
		boolean onlyOthers = feedbackAddresses.isEmpty() && reportAddresses.isEmpty();
		return Flux.fromIterable(reportAddresses)
			.concatMap((address) -> this.reports.take(address, incoming))
			.thenMany(Flux.fromIterable(feedbackAddresses)
				.filterWhen((address) -> this.feedback.take(address, incoming).map(FeedbackKind.NOT_A_REPORT::equals))
				.concatWith(others))
			.collectList()
			.flatMap((addresses) -> store(incoming, addresses, onlyOthers ? NO_SUCH_MAILBOX : ACCEPTED))
			.doOnNext((reply) -> count(reply.equals(ACCEPTED) ? "accepted" : "refused"))
			.doOnError((_) -> count("failed"));
	}

	/** An address given twice, regardless of case, is processed once. */
	private static List<String> distinct(SmtpMail mail, Predicate<String> kind) {
		return mail.rcptTo()
			.stream()
			.filter(kind)
			.map((address) -> address.toLowerCase(Locale.ROOT))
			.distinct()
			.toList();
	}

	private void count(String result) {
		this.registry.counter("mailroom.inbound", "result", result).increment();
	}

	private Mono<SmtpReply> store(IncomingMail incoming, List<String> addresses, SmtpReply withoutRecipients) {
		return Flux.fromIterable(addresses)
			.concatMap((address) -> owner(address).map((owner) -> new Recipient(address, owner)))
			.collectList()
			.flatMap((recipients) -> recipients.isEmpty() ? Mono.just(withoutRecipients) : route(incoming, recipients))
			.doOnError((error) -> log.warn("A received mail could not be stored; the sender is asked to retry", error));
	}

	/**
	 * Leaves out the recipients whose route drops the mail. A recipient whose route
	 * rejects it since RCPT was accepted keeps it.
	 */
	private Mono<SmtpReply> route(IncomingMail mail, List<Recipient> recipients) {
		List<Recipient> kept = recipients.stream().filter((recipient) -> !recipient.drops()).toList();
		IntStream.range(kept.size(), recipients.size()).forEach((_) -> routed("drop"));
		return kept.isEmpty() ? Mono.just(ACCEPTED) : receive(mail, kept);
	}

	/**
	 * Stores a mail for its recipients, and forwards it if it is to a postmaster. Spam is
	 * kept for the recipients without a route that refuses or drops it; without any, it
	 * is refused if a route of one of them says so.
	 */
	private Mono<SmtpReply> receive(IncomingMail mail, List<Recipient> recipients) {
		List<String> addresses = recipients.stream().map(Recipient::address).toList();
		return Mono.fromSupplier(() -> MailReader.read(mail))
			.subscribeOn(Schedulers.boundedElastic())
			.flatMap((message) -> this.checks.check(mail, addresses, message.authors())
				.doOnNext(this::count)
				.flatMap((results) -> {
					List<Recipient> kept = (results.spam() == CheckResult.FAIL) ? withoutSpam(recipients) : recipients;
					if (kept.isEmpty()) {
						return Mono.just(recipients.stream()
							.anyMatch((recipient) -> recipient.spam() == InboundRoute.Spam.REJECT) ? SPAM : ACCEPTED);
					}
					return this.mails.keep(receivedMail(mail, message, results), destinations(kept))
						.flatMap((stored) -> forward(mail, message, results, kept, stored))
						.doOnSuccess((_) -> kept.forEach((recipient) -> recipient.rule()
							.filter((rule) -> rule.action() != InboundRoute.Action.FORWARD)
							.ifPresent((_) -> routed(recipient.isSourceLinked() ? "webhook" : "store"))))
						.then(Mono
							.defer(() -> this.postmaster.forward(mail, message, results.spam(), ofPlatform(kept))))
						.thenReturn(ACCEPTED);
				}));
	}

	/** Forwards a stored mail for the recipients whose route says so. */
	private Mono<Void> forward(IncomingMail mail, ParsedMessage message, CheckResults results, List<Recipient> kept,
			Map<UUID, UUID> stored) {
		List<Forwarder.Recipient> forwarding = kept.stream().flatMap((one) -> one.forwarding().stream()).toList();
		return forwarding.isEmpty() ? Mono.empty()
				: this.forwarder.forward(mail, message, results, forwarding, stored)
					.doOnNext((queued) -> routed(queued ? "forward" : "forward_refused"))
					.then();
	}

	private List<Recipient> withoutSpam(List<Recipient> recipients) {
		return recipients.stream().filter((recipient) -> {
			if (recipient.spam() != InboundRoute.Spam.MARK) {
				routed("spam_" + recipient.spam().contractName());
			}
			return recipient.spam() == InboundRoute.Spam.MARK;
		}).toList();
	}

	private void count(CheckResults results) {
		Map.of("spam", results.spam(), "virus", results.virus(), "spf", results.spf(), "dkim", results.dkim(), "dmarc",
				results.dmarc())
			.forEach((check, result) -> this.registry
				.counter("mailroom.inbound.verdicts", "check", check, "verdict", result.name().toLowerCase(Locale.ROOT))
				.increment());
	}

	private static ArrivedMail receivedMail(IncomingMail mail, ParsedMessage message, CheckResults results) {
		return new ArrivedMail(message.heading(), message.text(), message.files(), results.verdicts(), mail.raw(),
				mail.sender(), message.messageId());
	}

	/**
	 * One destination per domain, because an API key may read only its own domain's mail.
	 */
	private static List<ReceivingDomain> destinations(List<Recipient> recipients) {
		Map<UUID, List<Recipient>> byDomain = new LinkedHashMap<>();
		recipients
			.forEach((recipient) -> byDomain.computeIfAbsent(recipient.owner().domainId(), (_) -> new ArrayList<>())
				.add(recipient));
		return byDomain.values()
			.stream()
			.map((all) -> new ReceivingDomain(all.getFirst().owner().accountId(), all.getFirst().owner().domainId(),
					all.stream().map(Recipient::address).distinct().toList(),
					all.stream().anyMatch(Recipient::isSourceLinked)))
			.toList();
	}

	private static List<String> ofPlatform(List<Recipient> recipients) {
		return recipients.stream()
			.filter((recipient) -> recipient.owner().accountId().equals(Account.PLATFORM))
			.map(Recipient::address)
			.toList();
	}

	/** A recipient of the envelope. */
	private record Recipient(String address, ReceivingDomain.Owner owner) {

		Optional<InboundRoute.Rule> rule() {
			return this.owner.rule(this.address);
		}

		boolean drops() {
			return has(InboundRoute.Action.DROP);
		}

		boolean isSourceLinked() {
			return has(InboundRoute.Action.WEBHOOK);
		}

		private boolean has(InboundRoute.Action action) {
			return rule().filter((rule) -> rule.action() == action).isPresent();
		}

		Optional<Forwarder.Recipient> forwarding() {
			return rule().filter((rule) -> rule.action() == InboundRoute.Action.FORWARD)
				.flatMap((rule) -> EmailAddress.parse(this.address)
					.map((parsed) -> new Forwarder.Recipient(parsed, this.owner, rule.forwarding())));
		}

		InboundRoute.Spam spam() {
			return rule().map(InboundRoute.Rule::spam).orElse(InboundRoute.Spam.MARK);
		}

	}

	/** Limit on the mails that one client may send per minute. */
	static final class InboundRate {

		private static final int MAX_CLIENTS = 100_000;

		private final Cache<String, AtomicInteger> counts = Caffeine.newBuilder()
			.expireAfterWrite(Duration.ofMinutes(1))
			.maximumSize(MAX_CLIENTS)
			.build();

		private final InboundSettings settings;

		InboundRate(InboundSettings settings) {
			this.settings = settings;
		}

		/** Counts one mail and returns whether it is within the limit. */
		boolean allows(InetAddress client) {
			int ofNetwork = count(ClientNetwork.text(client));
			// A site has no count of its own if it is an address of IPv4.
			int ofSite = (client instanceof Inet6Address) ? count(ClientNetwork.site(client)) : ofNetwork;
			return this.settings.pace() == 0 || (ofNetwork <= this.settings.pace()
					&& ofSite <= (long) this.settings.pace() * ClientNetwork.SITE_FACTOR);
		}

		private int count(String network) {
			return this.counts.get(network, (_) -> new AtomicInteger()).incrementAndGet();
		}

	}

}
