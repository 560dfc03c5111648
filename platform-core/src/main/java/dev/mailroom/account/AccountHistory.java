package dev.mailroom.account;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.audit.AuditEntry;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * The audit log of an account: the changes of its members, of their sign-in too, of its
 * API keys, and of operators.
 */
@Service
public class AccountHistory {

	/** Keys whose names are looked up. */
	private static final int MAX_KEYS = 100;

	private final Members members;

	private final People people;

	private final ApiKeys keys;

	private final Audits audits;

	private final Transactions transactions;

	AccountHistory(Members members, People people, ApiKeys keys, Audits audits, Transactions transactions) {
		this.members = members;
		this.people = people;
		this.keys = keys;
		this.audits = audits;
		this.transactions = transactions;
	}

	/**
	 * The entries that match, newest first, in the order in which the page reads them,
	 * and one more than it holds if there are more.
	 */
	public Mono<List<AuditEntry>> list(Scope scope, AuditEntry.Filter filter, Page.Request page) {
		return this.members.list(scope)
			.map((members) -> members.stream().map(Member::id).collect(Collectors.toSet()))
			.doOnNext((ids) -> ids.add(scope.account()))
			.flatMap((ids) -> this.transactions.of(ids, this.audits.list(ids, filter, page)));
	}

	/** Addresses of the people and names of the API keys among the actors, by id. */
	public Mono<Map<UUID, String>> actors(Scope scope, Collection<AuditEntry> entries) {
		Set<String> kinds = entries.stream().map(AuditEntry::actorKind).collect(Collectors.toSet());
		Mono<Map<UUID, String>> addresses = this.members.list(scope)
			.flatMap((members) -> this.people.find(members.stream().map(Member::id).toList()))
			.map((accounts) -> accounts.stream().collect(Collectors.toMap(Account::id, Account::email)));
		Mono<Map<UUID, String>> names = this.keys.read(scope, new Page.Request(1, MAX_KEYS))
			.map((found) -> found.stream().collect(Collectors.toMap(ApiKey::id, ApiKey::name)));
		return Mono.zip(kinds.contains("person") ? addresses : Mono.just(Map.<UUID, String>of()),
				kinds.contains("api_key") ? names : Mono.just(Map.<UUID, String>of()), (people, programs) -> {
					Map<UUID, String> all = new HashMap<>(people);
					all.putAll(programs);
					return all;
				});
	}

}
