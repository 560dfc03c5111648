package dev.mailroom.account;

import java.util.Optional;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.account.OneTimeTokens.Purpose;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of one-time tokens, which are stored as hashes. */
@Repository
class OneTimeTokenStore {

	private final DatabaseClient database;

	OneTimeTokenStore(DatabaseClient database) {
		this.database = database;
	}

	/** The account of a valid token; empty if there is none. */
	@AcrossAccounts("a link is opened before its account is known")
	Mono<UUID> findAccount(byte[] hash, Purpose purpose) {
		return this.database.sql("select one_time_token_account(:hash, :purpose) as account_id")
			.bind("hash", hash)
			.bind("purpose", purpose.contractName())
			.map((row) -> Optional.ofNullable(row.get("account_id", UUID.class)))
			.one()
			.flatMap(Mono::justOrEmpty);
	}

	/** Inserts a token and deletes the account's expired ones. */
	Mono<Void> insert(Scope scope, byte[] hash, Purpose purpose) {
		return this.database.sql("""
				with expired as (delete from one_time_token where account_id = :account and expires_at <= now())
				insert into one_time_token (hash, account_id, purpose, expires_at)
				values (:hash, :account, :purpose, now() + :lifetime::interval)
				""")
			.bind("hash", hash)
			.bind("account", scope.account())
			.bind("purpose", purpose.contractName())
			.bind("lifetime", purpose.lifetime().toString())
			.then();
	}

	/**
	 * Deletes a valid token. Of concurrent attempts one succeeds.
	 * @return whether there was one
	 */
	Mono<Boolean> delete(Scope scope, byte[] hash, Purpose purpose) {
		return this.database.sql("""
				delete from one_time_token
				 where hash = :hash and account_id = :account and purpose = :purpose and expires_at > now()
				""")
			.bind("hash", hash)
			.bind("account", scope.account())
			.bind("purpose", purpose.contractName())
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	/** Deletes all tokens of an account for one purpose. */
	Mono<Void> deleteAll(Scope scope, Purpose purpose) {
		return this.database.sql("delete from one_time_token where account_id = :account and purpose = :purpose")
			.bind("account", scope.account())
			.bind("purpose", purpose.contractName())
			.then();
	}

}
