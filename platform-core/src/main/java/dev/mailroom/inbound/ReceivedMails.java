package dev.mailroom.inbound;

import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Transactions;
import dev.mailroom.blob.Blobs;
import dev.mailroom.event.Events;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Takes mail in: says whose a domain is, and keeps what came for it. */
@Service
public class ReceivedMails {

	/** A domain that was verified or deleted just now is known so soon. */
	private static final Duration KNOWN_FOR = Duration.ofSeconds(5);

	private static final int MOST_KNOWN = 10_000;

	private final Cache<String, Optional<Destination.Owner>> owners = Caffeine.newBuilder()
		.expireAfterWrite(KNOWN_FOR)
		.maximumSize(MOST_KNOWN)
		.build();

	private final ReceivedMailStore store;

	private final Transactions transactions;

	private final Blobs blobs;

	private final Events events;

	private final NoArgGenerator ids;

	private final Clock clock;

	ReceivedMails(ReceivedMailStore store, Transactions transactions, Blobs blobs, Events events, NoArgGenerator ids,
			Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.blobs = blobs;
		this.events = events;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Whose a domain is; empty where it takes no mail here.
	 * @param name lower-case, ASCII
	 */
	public Mono<Destination.Owner> owner(String name) {
		Optional<Destination.Owner> known = this.owners.getIfPresent(name);
		return (known != null) ? Mono.justOrEmpty(known)
				: this.store.owner(name)
					.map(Optional::of)
					.defaultIfEmpty(Optional.empty())
					.doOnNext((found) -> this.owners.put(name, found))
					.flatMap(Mono::justOrEmpty);
	}

	/**
	 * Keeps a mail for each of its destinations: all of them or none. One that has it
	 * already stays as it is. What is large is in the bucket before anything is
	 * committed, and what no commit refers to is swept from there.
	 */
	public Mono<Void> keep(ReceivedMail mail, List<Destination> destinations) {
		List<MailCopy> copies = destinations.stream()
			.map((each) -> MailCopy.of(email(mail, each), each.recipients(), mail, this.blobs))
			.toList();
		Mono<Void> kept = Flux.fromIterable(copies).concatMap((copy) -> keep(mail, copy)).then();
		return Flux.fromIterable(copies)
			.filter((copy) -> !copy.outside().isEmpty())
			.concatMap((copy) -> this.blobs.put(copy.scope(), copy.outside()))
			.then(Mono
				.defer(() -> this.transactions.of(destinations.stream().map(Destination::accountId).toList(), kept)));
	}

	private Mono<Void> keep(ReceivedMail mail, MailCopy copy) {
		return this.store.insert(copy.email(), copy.recipients(), mail.fingerprint(copy.recipients()))
			.filter((inserted) -> inserted > 0)
			.flatMap((_) -> this.store.insertContent(copy, mail)
				.then(this.store.insertFiles(copy, mail.files()))
				.then(this.blobs.refer(copy.names()))
				.then(this.events.record(List.of(copy.email().event()))));
	}

	private InboundEmail email(ReceivedMail mail, Destination destination) {
		UUID id = this.ids.generate();
		ReceivedMail.Heading heading = mail.heading();
		ReceivedMail.Verdicts verdicts = mail.verdicts();
		return new InboundEmail(id, destination.accountId(), destination.domainId(), heading.fromEmail(),
				heading.fromName(), heading.toEmails(), heading.ccEmails(), heading.subject(), verdicts.spam(),
				verdicts.virus(), verdicts.spf(), verdicts.dkim(), verdicts.dmarc(), "received",
				this.clock.instant().truncatedTo(ChronoUnit.MILLIS));
	}

}
