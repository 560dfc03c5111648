package dev.mailroom.account;

import java.util.Collection;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.account.Accounts.TransportChoice;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of accounts. */
@Repository
class AccountStore {

	private static final String COLUMNS = """
			id, email, name, email_verified_at is not null as email_verified, plan, role, paused_reason, created_at,
			time_zone
			""";

	private final DatabaseClient database;

	AccountStore(DatabaseClient database) {
		this.database = database;
	}

	@AcrossAccounts("the account is not known before its address is looked up")
	Mono<StoredCredentials> findByEmail(EmailAddress email) {
		return this.database
			.sql("""
					select id as account_id, email, password_hash, email_verified_at is not null as verified, role, second_of
					  from account_by_email(:key)
					""")
			.bind("key", email.key())
			.mapProperties(StoredCredentials.class)
			.one();
	}

	/**
	 * Finds a second registration of an address.
	 * @param first the account that had the address before
	 * @param hash hash of the password; null for any
	 */
	@AcrossAccounts("the account is not known before its address is looked up")
	Mono<StoredCredentials> findSecond(UUID first, @Nullable String hash) {
		DatabaseClient.GenericExecuteSpec query = this.database
			.sql("""
					select id as account_id, email, password_hash, email_verified_at is not null as verified, role, second_of
					  from second_registration(:first, :hash)
					""")
			.bind("first", first);
		return ((hash != null) ? query.bind("hash", hash) : query.bindNull("hash", String.class))
			.mapProperties(StoredCredentials.class)
			.one();
	}

	Mono<StoredCredentials> credentials(Scope scope) {
		return this.database
			.sql("""
					select id as account_id, email, password_hash, email_verified_at is not null as verified, role, second_of
					  from account where id = :account
					""")
			.bind("account", scope.account())
			.mapProperties(StoredCredentials.class)
			.one();
	}

	Mono<Account> find(Scope scope) {
		return this.database.sql("select " + COLUMNS + " from account where id = :account")
			.bind("account", scope.account())
			.mapProperties(Account.class)
			.one();
	}

	@AcrossAccounts("the people of one account have rows of their own")
	Flux<Account> findAll(Collection<UUID> people) {
		return this.database.sql("select " + COLUMNS + " from account where id = any(:people::uuid[])")
			.bind("people", people.stream().map(UUID::toString).collect(Collectors.joining(",", "{", "}")))
			.mapProperties(Account.class)
			.all();
	}

	/** Deletes a person who signs in to another account. */
	Mono<Void> deleteMember(Scope scope) {
		return this.database.sql("delete from account where id = :account and role = 'member'")
			.bind("account", scope.account())
			.then();
	}

	/**
	 * Locks an account against a change of its password until the transaction ends.
	 * @return the account; empty if it has another password hash by now
	 */
	Mono<Account> lockWithPassword(Scope scope, String passwordHash) {
		return this.database
			.sql("select " + COLUMNS + " from account where id = :account and password_hash = :password for share")
			.bind("account", scope.account())
			.bind("password", passwordHash)
			.mapProperties(Account.class)
			.one();
	}

	/**
	 * Inserts an account.
	 * @return false if another account has its address
	 */
	Mono<Boolean> insert(NewAccount account) {
		return this.database
			.sql("""
					insert into account (id, email, email_key, name, password_hash, email_verified_at, plan, role, created_at,
					                     second_of, time_zone)
					values (:accountId, :email, :emailKey, :name, :passwordHash, :emailVerifiedAt, :plan, :role, :createdAt,
					        :secondOf, :timeZone)
					on conflict do nothing
					""")
			.bindProperties(account)
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	Mono<Account> rename(Scope scope, String name) {
		return this.database.sql("update account set name = :name where id = :account returning " + COLUMNS)
			.bind("name", name)
			.bind("account", scope.account())
			.mapProperties(Account.class)
			.one();
	}

	Mono<Account> setTimeZone(Scope scope, String zone) {
		return this.database.sql("update account set time_zone = :zone where id = :account returning " + COLUMNS)
			.bind("zone", zone)
			.bind("account", scope.account())
			.mapProperties(Account.class)
			.one();
	}

	/** Marks the account's address as verified. */
	Mono<Account> verify(Scope scope) {
		return this.database.sql("""
				update account set email_verified_at = coalesce(email_verified_at, now()) where id = :account
				returning\s""" + COLUMNS).bind("account", scope.account()).mapProperties(Account.class).one();
	}

	/**
	 * Deletes the second registrations of an account's address with all that they own.
	 * @return their number
	 */
	Mono<Long> closeOthers(Scope scope) {
		return this.database.sql("select close_second_registrations(:account)")
			.bind("account", scope.account())
			.mapValue(Long.class)
			.one();
	}

	/**
	 * Deletes the account of an address if it is not verified, and the second
	 * registrations of the address, with all that they own.
	 * @return the number of deleted accounts
	 */
	@AcrossAccounts("the account is another than the caller's")
	Mono<Long> release(EmailAddress address) {
		return this.database.sql("select release_address(:key)").bind("key", address.key()).mapValue(Long.class).one();
	}

	/**
	 * Replaces an account that is not verified by an empty, verified one.
	 * @return the number of deleted accounts; 0 if the account is verified
	 */
	Mono<Long> replace(Scope stranger, UUID owner, @Nullable String passwordHash) {
		DatabaseClient.GenericExecuteSpec query = this.database.sql("select replace_account(:stranger, :owner, :hash)")
			.bind("stranger", stranger.account())
			.bind("owner", owner);
		return value(query, "hash", passwordHash, String.class).mapValue(Long.class).one();
	}

	Mono<Void> setPassword(Scope scope, String hash) {
		return this.database.sql("update account set password_hash = :hash where id = :account")
			.bind("hash", hash)
			.bind("account", scope.account())
			.then();
	}

	/** Sets a verified address, which no other account may have. */
	Mono<Void> setVerifiedEmail(Scope scope, EmailAddress email) {
		return this.database
			.sql("update account set email = :email, email_key = :key, email_verified_at = now() where id = :account")
			.bind("email", email.toString())
			.bind("key", email.key())
			.bind("account", scope.account())
			.then();
	}

	Mono<Void> makeOperator(Scope scope) {
		return this.database.sql("update account set role = 'operator', plan = 'unlimited' where id = :account")
			.bind("account", scope.account())
			.then();
	}

	Mono<TransportChoice> transport(Scope scope) {
		return this.database.sql("select id as account, transport from account where id = :account")
			.bind("account", scope.account())
			.mapProperties(TransportChoice.class)
			.one();
	}

	Mono<TransportChoice> setTransport(Scope scope, @Nullable String transport) {
		String sql = "update account set transport = :transport where id = :account returning id as account, transport";
		DatabaseClient.GenericExecuteSpec update = this.database.sql(sql).bind("account", scope.account());
		return ((transport != null) ? update.bind("transport", transport) : update.bindNull("transport", String.class))
			.mapProperties(TransportChoice.class)
			.one();
	}

	/** Changes the plan of an account; false if there is no such account. */
	Mono<Boolean> setPlan(Scope scope, String plan) {
		return this.database.sql("update account set plan = :plan where id = :account")
			.bind("plan", plan)
			.bind("account", scope.account())
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	/**
	 * Changes the limits of an account; null for those of its plan or of the platform.
	 * @return false if there is no such account
	 */
	Mono<Boolean> setLimits(Scope scope, @Nullable Long daily, @Nullable Long monthly, @Nullable Integer sendRate) {
		DatabaseClient.GenericExecuteSpec update = this.database.sql("""
				update account set daily_limit = :daily, monthly_limit = :monthly, send_rate = :rate where id = :account
				""").bind("account", scope.account());
		update = value(update, "daily", daily, Long.class);
		update = value(update, "monthly", monthly, Long.class);
		return value(update, "rate", sendRate, Integer.class).fetch().rowsUpdated().map((rows) -> rows > 0);
	}

	@AcrossAccounts("plans belong to no account")
	Mono<Boolean> planExists(String name) {
		return this.database.sql("select exists (select from plan where name = :name) as found")
			.bind("name", name)
			.mapValue(Boolean.class)
			.one();
	}

	/**
	 * The part of an account that is read before its owner has signed in.
	 *
	 * @param passwordHash null if the account has no password
	 * @param verified whether the address is verified
	 * @param secondOf for a second registration of an address, the account that had it
	 * before
	 */
	record StoredCredentials(UUID accountId, String email, @Nullable String passwordHash, boolean verified, String role,
			@Nullable UUID secondOf) {
	}

	private static <T> DatabaseClient.GenericExecuteSpec value(DatabaseClient.GenericExecuteSpec sql, String name,
			@Nullable T value, Class<T> type) {
		return (value != null) ? sql.bind(name, value) : sql.bindNull(name, type);
	}

}
