package dev.mailroom.account;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of invitations. */
@Repository
class InvitationStore {

	private final DatabaseClient database;

	InvitationStore(DatabaseClient database) {
		this.database = database;
	}

	/** Inserts an invitation, in place of an earlier one to the same address. */
	Mono<Invitation> save(Scope scope, UUID id, EmailAddress email, MemberRole role, byte[] hash, Duration lifetime) {
		return this.database.sql("""
				insert into invitation (id, account_id, email, email_key, role, hash, expires_at)
				values (:id, :account, :email, :key, :role, :hash, now() + :lifetime::interval)
				on conflict (account_id, email_key) do update
				   set id = excluded.id, role = excluded.role, hash = excluded.hash, created_at = now(),
				       expires_at = excluded.expires_at
				returning id, account_id, email, role, created_at, expires_at
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("email", email.toString())
			.bind("key", email.key())
			.bind("role", role.contractName())
			.bind("hash", hash)
			.bind("lifetime", lifetime.toString())
			.mapProperties(Invitation.class)
			.one();
	}

	/** The invitations of an account that have not expired, newest first. */
	Flux<Invitation> list(Scope scope) {
		return this.database.sql("""
				select id, account_id, email, role, created_at, expires_at from invitation
				 where account_id = :account and expires_at > now() order by created_at desc, id limit 500
				""").bind("account", scope.account()).mapProperties(Invitation.class).all();
	}

	/** Deletes an invitation; 0 if there is none with this id. */
	Mono<String> delete(Scope scope, UUID id) {
		return this.database.sql("delete from invitation where id = :id and account_id = :account returning email")
			.bind("id", id)
			.bind("account", scope.account())
			.mapValue(String.class)
			.one();
	}

	@AcrossAccounts("a link is opened before its account is known")
	Mono<UUID> findAccount(byte[] hash) {
		return this.database.sql("select invitation_account(:hash) as account_id")
			.bind("hash", hash)
			.map((row) -> Optional.ofNullable(row.get("account_id", UUID.class)))
			.one()
			.flatMap(Mono::justOrEmpty);
	}

	Mono<String> findAddress(Scope scope, byte[] hash) {
		return this.database.sql("select email from invitation where hash = :hash and account_id = :account")
			.bind("hash", hash)
			.bind("account", scope.account())
			.mapValue(String.class)
			.one();
	}

	/** Uses an invitation of a verified account. Of concurrent attempts one succeeds. */
	Mono<Invitation> take(Scope scope, byte[] hash) {
		return this.database.sql("""
				delete from invitation where hash = :hash and account_id = :account and expires_at > now()
				   and exists (select from account where id = :account and email_verified_at is not null)
				returning id, account_id, email, role, created_at, expires_at
				""").bind("hash", hash).bind("account", scope.account()).mapProperties(Invitation.class).one();
	}

}
