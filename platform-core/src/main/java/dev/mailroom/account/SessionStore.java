package dev.mailroom.account;

import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

@Repository
class SessionStore {

	private final DatabaseClient database;

	SessionStore(DatabaseClient database) {
		this.database = database;
	}

	@AcrossAccounts("a refresh token is found before its account is known")
	Mono<Session> byFamily(Secret family) {
		return this.database.sql("select id, account_id from session_by_family(:family)")
			.bind("family", family.hash())
			.mapProperties(Session.class)
			.one();
	}

	@AcrossAccounts("every request of a person asks it, once, outside any transaction")
	Mono<Boolean> stands(UUID id, UUID account) {
		return this.database.sql("select session_stands(:id, :account) as stands")
			.bind("id", id)
			.bind("account", account)
			.mapValue(Boolean.class)
			.one();
	}

	/**
	 * Starts a session where the account still has the password that was compared: the
	 * lock on the account waits for a password that is being replaced. Sessions that are
	 * past go with it.
	 */
	Mono<Boolean> start(Session session, RefreshToken token, String passwordHash) {
		return this.database.sql("""
				with past as (delete from session where account_id = :account and expires_at <= now())
				insert into session (id, account_id, family_hash, secret_hash, expires_at)
				select :id, id, :family, :secret, now() + :lifetime::interval
				  from account where id = :account and password_hash = :password for share
				""")
			.bind("id", session.id())
			.bind("account", session.accountId())
			.bind("family", token.family().hash())
			.bind("secret", token.secret().hash())
			.bind("lifetime", SignIn.REFRESH_LIFETIME.toString())
			.bind("password", passwordHash)
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	/** Puts the next secret in the place of this one: of many who try, one does. */
	Mono<Boolean> rotate(Session session, RefreshToken from, RefreshToken to) {
		return this.database.sql("""
				update session set secret_hash = :to, expires_at = now() + :lifetime::interval
				 where id = :id and account_id = :account and secret_hash = :from and expires_at > now()
				""")
			.bind("to", to.secret().hash())
			.bind("lifetime", SignIn.REFRESH_LIFETIME.toString())
			.bind("id", session.id())
			.bind("account", session.accountId())
			.bind("from", from.secret().hash())
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	Mono<Void> end(Session session) {
		return this.database.sql("delete from session where id = :id and account_id = :account")
			.bind("id", session.id())
			.bind("account", session.accountId())
			.then();
	}

	Mono<Void> endAll(Scope scope) {
		return this.database.sql("delete from session where account_id = :account")
			.bind("account", scope.account())
			.then();
	}

}
