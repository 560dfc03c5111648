package dev.mailroom.quota;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.Refused;
import dev.mailroom.Scope;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Hands out the mails that a plan allows in a day and in a month of UTC. Exact under any
 * concurrency: the account's rows are raised first and locked by it, so whoever comes
 * next waits for the commit and counts on.
 */
@Service
public class Quotas {

	private final QuotaStore store;

	Quotas(QuotaStore store) {
		this.store = store;
	}

	/**
	 * Takes from the quota for a group of requests, in order of arrival. Call it inside
	 * the transaction that inserts the mails.
	 * @return for each want, in order: empty where it was granted, else why it was not
	 */
	public Mono<List<Optional<Refused>>> take(List<Reservation> wants, Instant at) {
		if (wants.isEmpty()) {
			return Mono.just(List.of());
		}
		Map<UUID, Long> asked = wants.stream()
			.collect(Collectors.groupingBy(Reservation::accountId, TreeMap::new,
					Collectors.summingLong(Reservation::count)));
		return this.store.raise(asked, at).collectMap(Usage::accountId).flatMap((uses) -> {
			Allocation share = new Allocation(asked, uses, at);
			List<Optional<Refused>> answers = new ArrayList<>();
			wants.forEach((want) -> answers.add(share.grant(want)));
			Map<UUID, Long> surplus = share.surplus();
			return (surplus.isEmpty() ? Mono.<Void>empty() : this.store.lower(surplus, at)).thenReturn(answers);
		});
	}

	/**
	 * Gives back what a mail counted that was never sent.
	 * @param countedAt when it was counted: the day and month that it goes back to
	 */
	public Mono<Void> giveBack(Scope scope, long count, Instant countedAt) {
		return this.store.lower(Map.of(scope.account(), count), countedAt);
	}

}
