package dev.mailroom.account;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

@Repository
class AccountStore {

	private static final String SHOWN = """
			id, email, name, email_verified_at is not null as email_verified, plan, role, paused_reason, created_at
			""";

	private final DatabaseClient database;

	AccountStore(DatabaseClient database) {
		this.database = database;
	}

	@AcrossAccounts("who signs in is not known before their address is looked up")
	Mono<StoredCredentials> byEmail(EmailAddress email) {
		return this.database.sql("""
				select id as account_id, email, password_hash, email_verified_at is not null as verified, role
				  from account_by_email(:key)
				""").bind("key", email.key()).mapProperties(StoredCredentials.class).one();
	}

	Mono<StoredCredentials> holder(Scope scope) {
		return this.database.sql("""
				select id as account_id, email, password_hash, email_verified_at is not null as verified, role
				  from account where id = :account
				""").bind("account", scope.account()).mapProperties(StoredCredentials.class).one();
	}

	Mono<Account> find(Scope scope) {
		return this.database.sql("select " + SHOWN + " from account where id = :account")
			.bind("account", scope.account())
			.mapProperties(Account.class)
			.one();
	}

	/** Whether the account was added; not where its address has one already. */
	Mono<Boolean> add(NewAccount account) {
		return this.database
			.sql("""
					insert into account (id, email, email_key, name, password_hash, email_verified_at, plan, role, created_at)
					values (:accountId, :email, :emailKey, :name, :passwordHash, :emailVerifiedAt, :plan, :role, :createdAt)
					on conflict do nothing
					""")
			.bindProperties(account)
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	Mono<Account> rename(Scope scope, String name) {
		return this.database.sql("update account set name = :name where id = :account returning " + SHOWN)
			.bind("name", name)
			.bind("account", scope.account())
			.mapProperties(Account.class)
			.one();
	}

	/** The address is the owner's: they have read what was sent there. */
	Mono<Account> verify(Scope scope) {
		return this.database.sql("""
				update account set email_verified_at = coalesce(email_verified_at, now()) where id = :account
				returning\s""" + SHOWN).bind("account", scope.account()).mapProperties(Account.class).one();
	}

	Mono<Void> setPassword(Scope scope, String hash) {
		return this.database.sql("update account set password_hash = :hash where id = :account")
			.bind("hash", hash)
			.bind("account", scope.account())
			.then();
	}

	/** Takes a password away that somebody set who had not shown the address theirs. */
	Mono<Void> dropPassword(Scope scope) {
		return this.database.sql("update account set password_hash = null where id = :account")
			.bind("account", scope.account())
			.then();
	}

	/** Gives the account an address that its issuer vouches for, and nobody else has. */
	Mono<Void> adopt(Scope scope, EmailAddress email) {
		return this.database
			.sql("update account set email = :email, email_key = :key, email_verified_at = now() where id = :account")
			.bind("email", email.toString())
			.bind("key", email.key())
			.bind("account", scope.account())
			.then();
	}

	Mono<Void> promote(Scope scope) {
		return this.database.sql("update account set role = 'operator', plan = 'unlimited' where id = :account")
			.bind("account", scope.account())
			.then();
	}

	Mono<TransportChoice> way(Scope scope) {
		return this.database.sql("select id as account, transport from account where id = :account")
			.bind("account", scope.account())
			.mapProperties(TransportChoice.class)
			.one();
	}

	Mono<TransportChoice> take(Scope scope, @Nullable String transport) {
		String sql = "update account set transport = :transport where id = :account returning id as account, transport";
		DatabaseClient.GenericExecuteSpec update = this.database.sql(sql).bind("account", scope.account());
		return ((transport != null) ? update.bind("transport", transport) : update.bindNull("transport", String.class))
			.mapProperties(TransportChoice.class)
			.one();
	}

	@AcrossAccounts("plans belong to no account")
	Mono<Boolean> planExists(String name) {
		return this.database.sql("select exists (select from plan where name = :name) as found")
			.bind("name", name)
			.mapValue(Boolean.class)
			.one();
	}

}
