package dev.mailroom.inbound;

import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Allowed;
import dev.mailroom.Scope;
import dev.mailroom.blob.Blobs;
import dev.mailroom.database.Transactions;
import dev.mailroom.event.Event;
import dev.mailroom.event.Events;
import dev.mailroom.tracking.Links;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Service;

/**
 * Storage of received mail: finds the account and the routes of a domain and stores mail
 * for it.
 */
@Service
public class ReceivedMails {

	/** Delay until a newly verified or deleted domain or a changed route is noticed. */
	private static final Duration CACHE_TTL = Duration.ofSeconds(5);

	private static final int CACHE_SIZE = 10_000;

	private final Cache<String, Optional<ReceivingDomain.Owner>> owners = Caffeine.newBuilder()
		.expireAfterWrite(CACHE_TTL)
		.maximumSize(CACHE_SIZE)
		.build();

	private final Cache<UUID, Boolean> full = Caffeine.newBuilder()
		.expireAfterWrite(CACHE_TTL)
		.maximumSize(CACHE_SIZE)
		.build();

	private final Settings settings;

	private final ReceivedMailStore store;

	private final Transactions transactions;

	private final Blobs blobs;

	private final Events events;

	private final Links links;

	private final NoArgGenerator ids;

	private final Clock clock;

	ReceivedMails(Settings settings, ReceivedMailStore store, Transactions transactions, Blobs blobs, Events events,
			Links links, NoArgGenerator ids, Clock clock) {
		this.settings = settings;
		this.store = store;
		this.transactions = transactions;
		this.blobs = blobs;
		this.events = events;
		this.links = links;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Finds a verified domain and its account; empty if the domain receives no mail here.
	 * Fails with {@link DomainMoved} if its account was moved to another cell.
	 * @param name the domain in lower-case ASCII
	 */
	public Mono<ReceivingDomain.Owner> owner(String name) {
		Optional<ReceivingDomain.Owner> cached = this.owners.getIfPresent(name);
		return (cached != null) ? Mono.justOrEmpty(cached)
				: this.store.owner(name)
					.map(Optional::of)
					.defaultIfEmpty(Optional.empty())
					.doOnNext((owner) -> this.owners.put(name, owner))
					.flatMap(Mono::justOrEmpty);
	}

	/**
	 * Whether an account has received as much today as it may. Checked again after a few
	 * seconds; the mail of these seconds can exceed the limit.
	 */
	public Mono<Boolean> isFull(UUID account) {
		if (this.settings.dailyBytes() == 0) {
			return Mono.just(false);
		}
		@Nullable Boolean cached = this.full.getIfPresent(account);
		Scope scope = Scope.of(account);
		return (cached != null) ? Mono.just(cached)
				: this.transactions.in(scope, this.store.bytesToday(scope))
					.map((bytes) -> bytes >= this.settings.dailyBytes())
					.doOnNext((isFull) -> this.full.put(account, isFull));
	}

	/**
	 * Stores a mail for all of its destinations in one transaction. A destination that
	 * has the mail already is skipped. Large parts are put into the bucket before the
	 * commit.
	 * @return the ids of the stored mails by domain
	 */
	public Mono<Map<UUID, UUID>> keep(ArrivedMail mail, List<ReceivingDomain> destinations) {
		List<MailCopy> copies = destinations.stream()
			.map((destination) -> MailCopy.of(email(mail, destination), destination, mail, this.blobs))
			.toList();
		Mono<Map<UUID, UUID>> stored = Flux.fromIterable(copies)
			.concatMap((copy) -> keep(mail, copy).map((id) -> Map.entry(copy.email().domainId(), id)))
			.collectMap(Map.Entry::getKey, Map.Entry::getValue);
		return Flux.fromIterable(copies)
			.filter((copy) -> !copy.outside().isEmpty())
			.concatMap((copy) -> this.blobs.put(copy.scope(), copy.outside()))
			.then(Mono.defer(() -> this.transactions.of(destinations.stream().map(ReceivingDomain::accountId).toList(),
					stored)));
	}

	/** Stores a copy, unless it is stored already; emits its id. */
	private Mono<UUID> keep(ArrivedMail mail, MailCopy copy) {
		byte @Nullable [] fingerprint = mail.fingerprint(copy.recipients());
		return this.store.insert(copy.email(), copy.recipients(), fingerprint)
			.flatMap((inserted) -> (inserted == 0 && fingerprint != null) ? this.store.find(copy, fingerprint)
					: this.store.insertContent(copy, mail)
						.then(this.store.insertFiles(copy, mail.files()))
						.then(this.store.countBytes(copy.scope(), mail.raw().length))
						.then(this.blobs.refer(copy.names()))
						.then(this.events.record(List.of(event(copy))))
						.thenReturn(copy.email().id()));
	}

	private Event event(MailCopy copy) {
		Event event = copy.email().event();
		if (!copy.sourceLinked()) {
			return event;
		}
		Map<String, Object> data = new LinkedHashMap<>(event.data());
		data.put("source_url", this.links.sourceUrl(copy.accountId(), copy.email().id()));
		return new Event(event.accountId(), event.kind(), event.emailId(), data);
	}

	private InboundEmail email(ArrivedMail mail, ReceivingDomain destination) {
		UUID id = this.ids.generate();
		ArrivedMail.Heading heading = mail.heading();
		ArrivedMail.Verdicts verdicts = mail.verdicts();
		return new InboundEmail(id, destination.accountId(), destination.domainId(), heading.fromEmail(),
				heading.fromName(), heading.toEmails(), heading.ccEmails(), heading.subject(), verdicts.spam(),
				verdicts.virus(), verdicts.spf(), verdicts.dkim(), verdicts.dmarc(), "received",
				this.clock.instant().truncatedTo(ChronoUnit.MILLIS));
	}

	/**
	 * Limits of received mail.
	 *
	 * @param dailyBytes bytes that are stored for one account in a day of UTC; 0 for no
	 * limit
	 */
	@ConfigurationProperties("mailroom.inbound")
	record Settings(
			@DefaultValue("1073741824") @Allowed(from = "26214400", to = "1000000000000", or = "0") long dailyBytes) {
	}

	/** A domain whose account was moved, and whose MX records still lead to this cell. */
	public static final class DomainMoved extends RuntimeException {

		private static final long serialVersionUID = 1L;

		DomainMoved(String name) {
			super(name + " has moved to other servers, try again later", null, false, false);
		}

	}

}
