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
import dev.mailroom.event.Events;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Takes mail in: says whose a domain is, and keeps what came for it. */
@Service
public class Arrivals {

	/** A domain that was verified or deleted just now is known so soon. */
	private static final Duration KNOWN_FOR = Duration.ofSeconds(5);

	private static final int MOST_KNOWN = 10_000;

	private final Cache<String, Optional<Destination.Owner>> owners = Caffeine.newBuilder()
		.expireAfterWrite(KNOWN_FOR)
		.maximumSize(MOST_KNOWN)
		.build();

	private final ArrivalStore store;

	private final Transactions transactions;

	private final Events events;

	private final NoArgGenerator ids;

	private final Clock clock;

	Arrivals(ArrivalStore store, Transactions transactions, Events events, NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.transactions = transactions;
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
	 * already stays as it is.
	 */
	public Mono<Void> keep(Arrival mail, List<Destination> destinations) {
		Mono<Void> kept = Flux.fromIterable(destinations).concatMap((each) -> keep(mail, each)).then();
		return this.transactions.of(destinations.stream().map(Destination::accountId).toList(), kept);
	}

	private Mono<Void> keep(Arrival mail, Destination destination) {
		InboundEmail email = email(mail, destination);
		return this.store.insert(email, destination.recipients(), mail.fingerprint(destination.recipients()))
			.filter((inserted) -> inserted > 0)
			.flatMap((_) -> this.store.insertContent(email, mail)
				.then(this.store.insertFiles(email, mail.files()))
				.then(this.events.record(List.of(email.event()))));
	}

	private InboundEmail email(Arrival mail, Destination destination) {
		UUID id = this.ids.generate();
		Arrival.Heading heading = mail.heading();
		Arrival.Verdicts verdicts = mail.verdicts();
		return new InboundEmail(id, destination.accountId(), destination.domainId(), heading.fromEmail(),
				heading.fromName(), heading.toEmails(), heading.ccEmails(), heading.subject(), verdicts.spam(),
				verdicts.virus(), verdicts.spf(), verdicts.dkim(), verdicts.dmarc(), "received",
				this.clock.instant().truncatedTo(ChronoUnit.MILLIS));
	}

}
