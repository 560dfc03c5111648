package dev.mailroom.account;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.directory.Directory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** The people who sign in to an account that another person founded. */
@Service
public class People {

	private final AccountStore store;

	private final Passwords passwords;

	private final AddressProof proof;

	private final Transactions transactions;

	private final Directory directory;

	private final AccountSettings settings;

	private final Clock clock;

	People(AccountStore store, Passwords passwords, AddressProof proof, Transactions transactions, Directory directory,
			AccountSettings settings, Clock clock) {
		this.directory = directory;
		this.store = store;
		this.passwords = passwords;
		this.proof = proof;
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
	 * Claims the address of a person who will join an account in the directory of cells.
	 * To be called outside of transactions.
	 * @param address reads the address, which is not known without a directory
	 * @throws dev.mailroom.Refused {@code Misdirected} if another cell has the address,
	 * or {@code Service unavailable}
	 */
	Mono<Void> claim(UUID account, Mono<String> address) {
		return this.directory.isUsed() ? address.flatMap((text) -> Mono.justOrEmpty(EmailAddress.parse(text)))
			.flatMap((known) -> this.directory.claim(account, known)) : Mono.empty();
	}

	/**
	 * Creates a person who has shown control of the address. Joins the caller's
	 * transaction.
	 * @param joined the account with the person
	 * @return empty if the address signs in already
	 */
	Mono<Account> create(Scope joined, String email, String name, String passwordHash) {
		EmailAddress address = EmailAddress.parse(email).orElseThrow();
		NewAccount person = NewAccount
			.tenant(joined.person().account(), address, name, passwordHash, this.settings.defaultPlan(),
					this.clock.instant())
			.verified()
			.member();
		return this.proof.release(joined, address)
			.then(this.store.insert(person))
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
