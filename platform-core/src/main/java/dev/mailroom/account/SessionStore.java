package dev.mailroom.account;

import java.time.Duration;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of sessions. */
@Repository
class SessionStore {

	private final DatabaseClient database;

	SessionStore(DatabaseClient database) {
		this.database = database;
	}

	@AcrossAccounts("a refresh token is looked up before its account is known")
	Mono<Row> find(Secret family) {
		return this.database.sql("select id, account_id from session_by_family(:family)")
			.bind("family", family.hash())
			.mapProperties(Row.class)
			.one();
	}

	/** The account and role of a person with a session; empty if either has ended. */
	@AcrossAccounts("checked once per request of a person, outside any transaction")
	Mono<Membership> member(UUID id, UUID person) {
		return this.database.sql("select account_id, role from session_member(:id, :person)")
			.bind("id", id)
			.bind("person", person)
			.mapProperties(MemberRow.class)
			.one()
			.map((row) -> new Membership(person, row.accountId(), MemberRole.parse(row.role()).orElseThrow()));
	}

	/**
	 * Inserts a session and deletes the account's expired ones.
	 * @param device the client's device; empty if it is unknown
	 */
	Mono<Void> insert(SignInSession session, RefreshToken token, String device) {
		return this.database.sql("""
				with expired as (delete from session where account_id = :account and expires_at <= now())
				insert into session (id, account_id, family_hash, secret_hash, expires_at, device)
				values (:id, :account, :family, :secret, now() + :lifetime::interval, nullif(:device, ''))
				""")
			.bind("id", session.id())
			.bind("account", session.accountId())
			.bind("family", token.family().hash())
			.bind("secret", token.secret().hash())
			.bind("lifetime", Sessions.LIFETIME.toString())
			.bind("device", device)
			.then();
	}

	/**
	 * Replaces the secret of a refresh token and extends the session until its absolute
	 * end. Of concurrent attempts one succeeds.
	 * @return whether {@code from} was the session's valid token
	 */
	Mono<Boolean> replace(SignInSession session, RefreshToken from, RefreshToken to) {
		return this.database
			.sql("""
					update session
					   set secret_hash = :to, expires_at = least(now() + :lifetime::interval, created_at + :longest::interval)
					 where id = :id and account_id = :account and secret_hash = :from and expires_at > now()
					""")
			.bind("to", to.secret().hash())
			.bind("lifetime", Sessions.LIFETIME.toString())
			.bind("longest", Sessions.LONGEST.toString())
			.bind("id", session.id())
			.bind("account", session.accountId())
			.bind("from", from.secret().hash())
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	/** Whether a session began within a period. */
	Mono<Boolean> isYounger(Scope scope, UUID id, Duration age) {
		return this.database.sql("""
				select exists (select from session
				                where id = :id and account_id = :account and created_at > now() - :age::interval)
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("age", age.toString())
			.mapValue(Boolean.class)
			.one();
	}

	Mono<Void> delete(SignInSession session) {
		return this.database.sql("delete from session where id = :id and account_id = :account")
			.bind("id", session.id())
			.bind("account", session.accountId())
			.then();
	}

	/** The account's sessions that have not expired, newest first. */
	Flux<Sessions.Open> list(Scope scope) {
		return this.database.sql("""
				select id, account_id, created_at, expires_at, device from session
				 where account_id = :account and expires_at > now() order by created_at desc, id limit 100
				""").bind("account", scope.account()).mapProperties(Sessions.Open.class).all();
	}

	/** Deletes a session of the account; 0 if there is none with this id. */
	Mono<Long> delete(Scope scope, UUID id) {
		return this.database.sql("delete from session where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.fetch()
			.rowsUpdated();
	}

	Mono<Void> deleteAll(Scope scope) {
		return this.database.sql("delete from session where account_id = :account")
			.bind("account", scope.account())
			.then();
	}

	/** The account of a person with a session, and the contract's name of the role. */
	record MemberRow(UUID accountId, String role) {
	}

	/** Keys of a stored session. */
	record Row(UUID id, UUID accountId) {
	}

}
