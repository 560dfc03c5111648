package dev.mailroom.upkeep;

import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL that reads and replaces sealed secrets. */
@Repository
@AcrossAccounts("the master key is the same for all accounts; the caller takes the role that sees them all")
class SecretStore {

	private final DatabaseClient database;

	SecretStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Reads secrets in the order of their rows. The place is the text that a secret was
	 * sealed for; see {@link dev.mailroom.secret.Seal#seal}.
	 */
	Flux<SealedSecret> dkimKeys(UUID after, int limit) {
		return read("""
				select id, 'dkim_key/' || id || '/' || account_id as place, sealed_private_key as sealed from dkim_key
				 where id > :after order by id limit :limit
				""", after, limit);
	}

	Flux<SealedSecret> webhookSecrets(UUID after, int limit) {
		return read("""
				select id, 'webhook_endpoint/' || id || '/' || account_id as place, sealed_secret as sealed
				  from webhook_endpoint
				 where id > :after order by id limit :limit
				""", after, limit);
	}

	Flux<SealedSecret> previousWebhookSecrets(UUID after, int limit) {
		return read("""
				select id, 'webhook_endpoint/' || id || '/' || account_id as place, sealed_previous as sealed
				  from webhook_endpoint
				 where id > :after and sealed_previous is not null order by id limit :limit
				""", after, limit);
	}

	Flux<SealedSecret> secondFactors(UUID after, int limit) {
		return read(
				"""
						select account_id as id, 'second_factor/' || account_id as place, sealed_secret as sealed from second_factor
						 where account_id > :after order by account_id limit :limit
						""",
				after, limit);
	}

	/** Keys of access tokens, which are replaced by rotation. */
	Flux<SealedSecret> signingKeys(UUID after, int limit) {
		return read("""
				select id, 'signing_key/' || id as place, sealed_jwk as sealed from signing_key
				 where id > :after order by id limit :limit
				""", after, limit);
	}

	/** Replaces a secret unless it was changed meanwhile. */
	Mono<Long> replaceDkimKey(SealedSecret secret, byte[] renewed) {
		return replace("""
				update dkim_key set sealed_private_key = :renewed where id = :id and sealed_private_key = :sealed
				""", secret, renewed);
	}

	Mono<Long> replaceWebhookSecret(SealedSecret secret, byte[] renewed) {
		return replace("""
				update webhook_endpoint set sealed_secret = :renewed where id = :id and sealed_secret = :sealed
				""", secret, renewed);
	}

	Mono<Long> replacePreviousWebhookSecret(SealedSecret secret, byte[] renewed) {
		return replace("""
				update webhook_endpoint set sealed_previous = :renewed where id = :id and sealed_previous = :sealed
				""", secret, renewed);
	}

	Mono<Long> replaceSecondFactor(SealedSecret secret, byte[] renewed) {
		return replace("""
				update second_factor set sealed_secret = :renewed where account_id = :id and sealed_secret = :sealed
				""", secret, renewed);
	}

	private Flux<SealedSecret> read(String sql, UUID after, int limit) {
		return this.database.sql(sql).bind("after", after).bind("limit", limit).mapProperties(SealedSecret.class).all();
	}

	private Mono<Long> replace(String sql, SealedSecret secret, byte[] renewed) {
		return this.database.sql(sql)
			.bind("renewed", renewed)
			.bind("id", secret.id())
			.bind("sealed", secret.sealed())
			.fetch()
			.rowsUpdated();
	}

	/**
	 * A sealed secret of a row.
	 *
	 * @param place the place that it was sealed for
	 */
	record SealedSecret(UUID id, String place, byte[] sealed) {
	}

}
