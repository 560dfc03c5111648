package dev.mailroom.account;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** The people who sign in to an account that another person founded. */
@Service
public class People {

	private final AccountStore store;

	private final Passwords passwords;

	private final Transactions transactions;

	private final AccountSettings settings;

	private final Clock clock;

	People(AccountStore store, Passwords passwords, Transactions transactions, AccountSettings settings, Clock clock) {
		this.store = store;
		this.passwords = passwords;
		this.transactions = transactions;
		this.settings = settings;
		this.clock = clock;
	}

	/** Addresses and names of people, founders included. */
	public Mono<List<Account>> find(Collection<UUID> people) {
		return this.transactions.of(people, this.store.findAll(people).collectList());
	}

	/** Hashes the password of a person. */
	public Mono<String> hash(Secret password) {
		return this.passwords.hash(password);
	}

	/**
	 * Creates a person with a verified address. Joins the caller's transaction.
	 * @return empty if the address signs in already
	 */
	public Mono<Account> create(UUID id, String email, String name, String passwordHash) {
		NewAccount person = NewAccount
			.tenant(id, EmailAddress.parse(email).orElseThrow(), name, passwordHash, this.settings.defaultPlan(),
					this.clock.instant())
			.verified()
			.member();
		return this.transactions.in(Scope.of(id), this.store.insert(person))
			.filter(Boolean::booleanValue)
			.map((_) -> person.account());
	}

	/**
	 * Deletes a person who founded no account, with the sessions, and closes other
	 * registrations of the address. Joins the caller's transaction.
	 */
	public Mono<Void> delete(UUID person) {
		Scope scope = Scope.of(person);
		return this.transactions.in(scope, this.store.closeOthers(scope).then(this.store.deleteMember(scope)));
	}

	/** A request to join an account. */
	public record Joining(Secret token, Secret password, String name) {

		/**
		 * Validates the fields of a request.
		 * @throws dev.mailroom.Refused with all invalid fields
		 */
		public static Joining of(@Nullable Secret token, @Nullable Secret password, @Nullable String name) {
			FieldReader fields = new FieldReader();
			Optional<Secret> link = fields.token("token", token);
			Optional<Secret> secret = fields.newPassword(password);
			Optional<String> displayName = fields.name(name);
			fields.requireValid();
			return new Joining(link.orElseThrow(), secret.orElseThrow(), displayName.orElseThrow());
		}

	}

}
