package dev.mailroom.upkeep;

import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.SqlStatement;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL that reads and replaces sealed secrets. */
@Repository
@AcrossAccounts("the master key is the same for all accounts; the caller takes the role that sees them all")
class SecretStore {

	/**
	 * Reads secrets in the order of their rows. The place is the text that a secret was
	 * sealed for; see {@link dev.mailroom.secret.Seal#seal}.
	 */
	List<SealedSecret> dkimKeys(JdbcClient jdbc, UUID after, int limit) {
		return read(jdbc, """
				select id, 'dkim_key/' || id || '/' || account_id as place, sealed_private_key as sealed from dkim_key
				 where id > :after order by id limit :limit
				""", after, limit);
	}

	List<SealedSecret> webhookSecrets(JdbcClient jdbc, UUID after, int limit) {
		return read(jdbc, """
				select id, 'webhook_endpoint/' || id || '/' || account_id as place, sealed_secret as sealed
				  from webhook_endpoint
				 where id > :after order by id limit :limit
				""", after, limit);
	}

	List<SealedSecret> previousWebhookSecrets(JdbcClient jdbc, UUID after, int limit) {
		return read(jdbc, """
				select id, 'webhook_endpoint/' || id || '/' || account_id as place, sealed_previous as sealed
				  from webhook_endpoint
				 where id > :after and sealed_previous is not null order by id limit :limit
				""", after, limit);
	}

	List<SealedSecret> secondFactors(JdbcClient jdbc, UUID after, int limit) {
		return read(jdbc, """
				select account_id as id, 'second_factor/' || account_id as place, sealed_secret as sealed
				  from second_factor
				 where account_id > :after order by account_id limit :limit
				""", after, limit);
	}

	List<SealedSecret> certificateKeys(JdbcClient jdbc, UUID after, int limit) {
		return read(jdbc, """
				select id, 'tracking_domain/' || id as place, sealed_key as sealed from tracking_domain
				 where id > :after and sealed_key is not null order by id limit :limit
				""", after, limit);
	}

	List<SealedSecret> authorityKeys(JdbcClient jdbc, UUID after, int limit) {
		return read(jdbc, """
				select id, 'acme_account/' || id as place, sealed_key as sealed from acme_account
				 where id > :after order by id limit :limit
				""", after, limit);
	}

	/** Keys of access tokens, which are replaced by rotation. */
	List<SealedSecret> signingKeys(JdbcClient jdbc, UUID after, int limit) {
		return read(jdbc, """
				select id, 'signing_key/' || id as place, sealed_jwk as sealed from signing_key
				 where id > :after order by id limit :limit
				""", after, limit);
	}

	/** Replaces a secret unless it was changed meanwhile. */
	long replaceDkimKey(JdbcClient jdbc, SealedSecret secret, byte[] renewed) {
		return replace(jdbc, """
				update dkim_key set sealed_private_key = :renewed where id = :id and sealed_private_key = :sealed
				""", secret, renewed);
	}

	long replaceWebhookSecret(JdbcClient jdbc, SealedSecret secret, byte[] renewed) {
		return replace(jdbc, """
				update webhook_endpoint set sealed_secret = :renewed where id = :id and sealed_secret = :sealed
				""", secret, renewed);
	}

	long replacePreviousWebhookSecret(JdbcClient jdbc, SealedSecret secret, byte[] renewed) {
		return replace(jdbc, """
				update webhook_endpoint set sealed_previous = :renewed where id = :id and sealed_previous = :sealed
				""", secret, renewed);
	}

	long replaceSecondFactor(JdbcClient jdbc, SealedSecret secret, byte[] renewed) {
		return replace(jdbc, """
				update second_factor set sealed_secret = :renewed where account_id = :id and sealed_secret = :sealed
				""", secret, renewed);
	}

	long replaceCertificateKey(JdbcClient jdbc, SealedSecret secret, byte[] renewed) {
		return replace(jdbc, "update tracking_domain set sealed_key = :renewed where id = :id and sealed_key = :sealed",
				secret, renewed);
	}

	long replaceAuthorityKey(JdbcClient jdbc, SealedSecret secret, byte[] renewed) {
		return replace(jdbc, "update acme_account set sealed_key = :renewed where id = :id and sealed_key = :sealed",
				secret, renewed);
	}

	private List<SealedSecret> read(JdbcClient jdbc, String sql, UUID after, int limit) {
		return SqlStatement.of(sql)
			.bind("after", after)
			.bind("limit", limit)
			.list(jdbc, (row) -> new SealedSecret(value(row, "id", UUID.class), text(row, "place"),
					value(row, "sealed", byte[].class)));
	}

	private long replace(JdbcClient jdbc, String sql, SealedSecret secret, byte[] renewed) {
		return SqlStatement.of(sql)
			.bind("renewed", renewed)
			.bind("id", secret.id())
			.bind("sealed", secret.sealed())
			.update(jdbc);
	}

	/**
	 * A sealed secret of a row.
	 *
	 * @param place the place that it was sealed for
	 */
	record SealedSecret(UUID id, String place, byte[] sealed) {
	}

}
