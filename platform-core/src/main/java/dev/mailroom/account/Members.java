package dev.mailroom.account;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Reads and changes the members of accounts. Changes join the caller's transaction. */
@Service
public class Members {

	private final MemberStore store;

	private final Transactions transactions;

	Members(MemberStore store, Transactions transactions) {
		this.store = store;
		this.transactions = transactions;
	}

	/** The account that a person uses; empty if there is none. */
	public Mono<Membership> of(UUID person) {
		return this.store.find(person)
			.map((row) -> new Membership(person, row.accountId(), MemberRole.parse(row.role()).orElseThrow()));
	}

	/** The members of an account, the first one first; at most 500. */
	public Mono<List<Member>> list(Scope scope) {
		return this.transactions.in(scope, this.store.list(scope).collectList());
	}

	/** A member of an account; empty if there is none. */
	public Mono<Member> find(Scope scope, UUID person) {
		return this.transactions.in(scope, this.store.find(scope, person));
	}

	/** Adds a person who belongs to no account yet. */
	public Mono<Void> add(Scope scope, UUID person, MemberRole role) {
		return this.transactions.in(scope, this.store.insert(scope, person, role));
	}

	/** Sets a member's role; false if the account would have no owner. */
	public Mono<Boolean> setRole(Scope scope, UUID person, MemberRole role) {
		return this.transactions.in(scope, this.store.setRole(scope, person, role));
	}

	/** Removes a member; false if the account would have no owner. */
	public Mono<Boolean> remove(Scope scope, UUID person) {
		return this.transactions.in(scope, this.store.delete(scope, person));
	}

}
