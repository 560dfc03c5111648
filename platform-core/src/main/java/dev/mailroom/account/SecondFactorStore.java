package dev.mailroom.account;

import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of second factors. */
@Repository
class SecondFactorStore {

	private final DatabaseClient database;

	SecondFactorStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Stores a secret that is not confirmed yet, in place of an earlier one.
	 * @return false if a confirmed secret exists
	 */
	Mono<Boolean> begin(Scope scope, byte[] sealedSecret) {
		return this.database.sql("""
				insert into second_factor as stored (account_id, sealed_secret) values (:account, :secret)
				on conflict (account_id) do update set sealed_secret = :secret, created_at = now()
				 where stored.confirmed_at is null
				""")
			.bind("account", scope.account())
			.bind("secret", sealedSecret)
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	Mono<Factor> find(Scope scope) {
		return this.database.sql(
				"select sealed_secret, confirmed_at is not null as confirmed from second_factor where account_id = :account")
			.bind("account", scope.account())
			.mapProperties(Factor.class)
			.one();
	}

	/**
	 * Confirms a secret with a first code.
	 * @return false if it was replaced or confirmed meanwhile
	 */
	Mono<Boolean> confirm(Scope scope, Factor factor, long step) {
		return this.database.sql("""
				update second_factor set confirmed_at = now(), last_step = :step
				 where account_id = :account and confirmed_at is null and sealed_secret = :secret
				""")
			.bind("account", scope.account())
			.bind("secret", factor.sealedSecret())
			.bind("step", step)
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	Mono<Void> addRecoveryCodes(Scope scope, List<byte[]> hashes) {
		return this.database.sql("""
				insert into recovery_code (account_id, hash)
				select :account, decode(hash, 'hex') from unnest(string_to_array(:hashes, ',')) as hash
				""")
			.bind("account", scope.account())
			.bind("hashes", hashes.stream().map(HexFormat.of()::formatHex).collect(Collectors.joining(",")))
			.then();
	}

	/**
	 * Uses the code of a step. Of concurrent attempts one succeeds.
	 * @return false if a code of this or of a later step was used before
	 */
	Mono<Boolean> useStep(Scope scope, long step) {
		return this.database.sql("""
				update second_factor set last_step = :step
				 where account_id = :account and confirmed_at is not null and last_step < :step
				""").bind("account", scope.account()).bind("step", step).fetch().rowsUpdated().map((rows) -> rows > 0);
	}

	/** Uses a recovery code; false if there is none with this hash. */
	Mono<Boolean> useRecoveryCode(Scope scope, byte[] hash) {
		return this.database.sql("delete from recovery_code where account_id = :account and hash = :hash")
			.bind("account", scope.account())
			.bind("hash", hash)
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	/** The number of recovery codes that were not used. */
	Mono<Integer> countRecoveryCodes(Scope scope) {
		return this.database.sql("select count(*)::int from recovery_code where account_id = :account")
			.bind("account", scope.account())
			.mapValue(Integer.class)
			.one();
	}

	/** Removes a second factor with its recovery codes; false if there is none. */
	Mono<Boolean> delete(Scope scope) {
		return this.database.sql("delete from second_factor where account_id = :account")
			.bind("account", scope.account())
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	/** Inserts a challenge and deletes the account's expired ones. */
	Mono<Void> insertChallenge(Scope scope, byte[] hash, Duration lifetime) {
		return this.database.sql("""
				with expired as (delete from sign_in_challenge where account_id = :account and expires_at <= now())
				insert into sign_in_challenge (hash, account_id, expires_at)
				values (:hash, :account, now() + :lifetime::interval)
				""").bind("hash", hash).bind("account", scope.account()).bind("lifetime", lifetime.toString()).then();
	}

	@AcrossAccounts("the account is the result of the look-up")
	Mono<UUID> findChallenge(byte[] hash) {
		return this.database.sql("select sign_in_challenge_account(:hash) as account_id")
			.bind("hash", hash)
			.map((row) -> Optional.ofNullable(row.get("account_id", UUID.class)))
			.one()
			.flatMap(Mono::justOrEmpty);
	}

	/** Counts an attempt; false if the challenge has had as many as are permitted. */
	Mono<Boolean> countAttempt(Scope scope, byte[] hash, int limit) {
		return this.database.sql("""
				update sign_in_challenge set attempts = attempts + 1
				 where hash = :hash and account_id = :account and attempts < :limit and expires_at > now()
				""")
			.bind("hash", hash)
			.bind("account", scope.account())
			.bind("limit", limit)
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	/** Deletes a challenge; false if another request has completed it. */
	Mono<Boolean> deleteChallenge(Scope scope, byte[] hash) {
		return this.database.sql("delete from sign_in_challenge where account_id = :account and hash = :hash")
			.bind("account", scope.account())
			.bind("hash", hash)
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	Mono<Void> deleteChallenges(Scope scope) {
		return this.database.sql("delete from sign_in_challenge where account_id = :account")
			.bind("account", scope.account())
			.then();
	}

	/**
	 * A stored secret.
	 *
	 * @param confirmed whether signing in requires it
	 */
	record Factor(byte[] sealedSecret, boolean confirmed) {
	}

}
