package dev.mailroom.account;

import java.util.Optional;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

@Repository
class OneTimeTokenStore {

	private final DatabaseClient database;

	OneTimeTokenStore(DatabaseClient database) {
		this.database = database;
	}

	@AcrossAccounts("a link is followed before its account is known")
	Mono<UUID> account(byte[] hash, Purpose purpose) {
		return this.database.sql("select one_time_token_account(:hash, :purpose) as account_id")
			.bind("hash", hash)
			.bind("purpose", purpose.wire())
			.map((row) -> Optional.ofNullable(row.get("account_id", UUID.class)))
			.one()
			.flatMap(Mono::justOrEmpty);
	}

	/** Keeps a token's hash, and clears away those of the account that are past. */
	Mono<Void> add(Scope scope, byte[] hash, Purpose purpose) {
		return this.database.sql("""
				with past as (delete from one_time_token where account_id = :account and expires_at <= now())
				insert into one_time_token (hash, account_id, purpose, expires_at)
				values (:hash, :account, :purpose, now() + :lifetime::interval)
				""")
			.bind("hash", hash)
			.bind("account", scope.account())
			.bind("purpose", purpose.wire())
			.bind("lifetime", purpose.lifetime().toString())
			.then();
	}

	/** Whether the token was there to be taken: of many who try, one is told so. */
	Mono<Boolean> take(Scope scope, byte[] hash, Purpose purpose) {
		return this.database.sql("""
				delete from one_time_token
				 where hash = :hash and account_id = :account and purpose = :purpose and expires_at > now()
				""")
			.bind("hash", hash)
			.bind("account", scope.account())
			.bind("purpose", purpose.wire())
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	Mono<Void> drop(Scope scope, Purpose purpose) {
		return this.database.sql("delete from one_time_token where account_id = :account and purpose = :purpose")
			.bind("account", scope.account())
			.bind("purpose", purpose.wire())
			.then();
	}

}
