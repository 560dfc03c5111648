package dev.mailroom.upkeep;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.WithCore;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.secret.Seal;
import dev.mailroom.secret.Seals;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

/** Secrets under an earlier key beside those of other tests, which have the current. */
@WithCore
class ResealingTest {

	/** The master key of the tests. */
	private static final String CURRENT = Base64.getEncoder()
		.encodeToString("mailroom-mailroom-mailroom-mail!".getBytes(StandardCharsets.UTF_8));

	private static final String EARLIER = Base64.getEncoder().encodeToString(new byte[32]);

	private static final String UNKNOWN = Base64.getEncoder()
		.encodeToString("x".repeat(32).getBytes(StandardCharsets.UTF_8));

	private static final byte[] SECRET = { 1, 2, 3 };

	@Autowired
	JdbcTransactions transactions;

	@Autowired
	SecretStore store;

	@Test
	void secretsOfAnEarlierKeyAreSealedUnderTheCurrentOne() {
		Resealing resealing = new Resealing(this.transactions, this.store, Seals.of(CURRENT, EARLIER));
		assertThat(resealing.remaining()).as("before the first pass").isEmpty();
		pass(resealing);
		long others = resealing.remaining().orElseThrow();
		UUID account = Given.account("free");
		int keys = 2 * Resealing.BATCH_SIZE + 1;
		UUID endpoint = UUID.randomUUID();
		insert(account, keys, endpoint);
		assertThat(pass(resealing)).isEqualTo(keys + 2);
		assertThat(resealing.remaining().orElseThrow()).isEqualTo(others);
		Seal current = Seals.of(CURRENT);
		String place = "webhook_endpoint/" + endpoint + "/" + account;
		for (String column : new String[] { "sealed_secret", "sealed_previous" }) {
			assertThat(current.open(sealed(column, endpoint), place)).isEqualTo(SECRET);
		}
		assertThat(pass(resealing)).as("nothing is left").isZero();
	}

	@Test
	void everySealedColumnIsSealedAnewOrRotated() {
		assertThat(Given.rows("select table_name || '.' || column_name from information_schema.columns "
				+ "where table_schema = 'public' and column_name like 'sealed\\_%%' order by 1"))
			.containsExactly("acme_account.sealed_key", "dkim_key.sealed_private_key", "second_factor.sealed_secret",
					"signing_key.sealed_jwk", "tracking_domain.sealed_key", "webhook_endpoint.sealed_previous",
					"webhook_endpoint.sealed_secret");
		UUID account = Given.account("free");
		Given.run("insert into second_factor (account_id, sealed_secret) values ('%s', '\\x%s')", account,
				hex(Seals.of(EARLIER).seal(SECRET, "second_factor/" + account)));
		UUID authority = UUID.randomUUID();
		Given.run(
				"insert into acme_account (id, directory, sealed_key, created_at) values ('%1$s', '%1$s', '\\x%2$s', now())",
				authority, hex(Seals.of(EARLIER).seal(SECRET, "acme_account/" + authority)));
		UUID name = UUID.randomUUID();
		Given.run(
				"insert into tracking_domain (id, account_id, domain_id, name, sealed_key, created_at) values "
						+ "('%1$s', '%2$s', '%3$s', '%1$s.test', '\\x%4$s', now())",
				name, account, Given.domain(account), hex(Seals.of(EARLIER).seal(SECRET, "tracking_domain/" + name)));
		pass(new Resealing(this.transactions, this.store, Seals.of(CURRENT, EARLIER)));
		assertThat(Seals.of(CURRENT).open(key("acme_account", authority), "acme_account/" + authority))
			.isEqualTo(SECRET);
		assertThat(Seals.of(CURRENT).open(key("tracking_domain", name), "tracking_domain/" + name)).isEqualTo(SECRET);
		byte[] sealed = HexFormat.of()
			.parseHex(Given
				.rows("select encode(sealed_secret, 'hex') from second_factor where account_id = '%s'", account)
				.getFirst());
		assertThat(Seals.of(CURRENT).open(sealed, "second_factor/" + account)).isEqualTo(SECRET);
	}

	@Test
	void aSecretOfAnUnknownKeyIsLeftAndCounted() {
		Resealing resealing = new Resealing(this.transactions, this.store, Seals.of(CURRENT, EARLIER));
		pass(resealing);
		long others = resealing.remaining().orElseThrow();
		UUID account = Given.account("free");
		UUID endpoint = UUID.randomUUID();
		endpoint(account, endpoint, Seals.of(UNKNOWN));
		assertThat(pass(resealing)).isZero();
		assertThat(resealing.remaining().orElseThrow()).isEqualTo(others + 2);
		Given.run("delete from webhook_endpoint where id = '%s'", endpoint);
	}

	@Test
	void withoutEarlierKeysNothingIsRead() {
		Resealing resealing = new Resealing(this.transactions, this.store, Seals.of(CURRENT));
		assertThat(resealing.reseal()).isZero();
		assertThat(resealing.remaining().orElseThrow()).isZero();
	}

	/** Calls until a pass is complete; returns the number of secrets sealed anew. */
	private static long pass(Resealing resealing) {
		return resealing.reseal();
	}

	private static void insert(UUID account, int keys, UUID endpoint) {
		Seal earlier = Seals.of(EARLIER);
		UUID domain = Given.domain(account);
		StringBuilder rows = new StringBuilder();
		for (int i = 0; i < keys; i++) {
			UUID id = UUID.randomUUID();
			rows.append(rows.isEmpty() ? "" : ",")
				.append("('%s', '%s', '%s', 's%d', 'ed25519-sha256', 'p', '\\x%s', false, now())".formatted(id, account,
						domain, i, hex(earlier.seal(SECRET, "dkim_key/" + id + "/" + account))));
		}
		Given.run(
				"insert into dkim_key (id, account_id, domain_id, selector, algorithm, public_key, sealed_private_key, "
						+ "active, created_at) values %s",
				rows);
		endpoint(account, endpoint, earlier);
	}

	private static void endpoint(UUID account, UUID endpoint, Seal seal) {
		String place = "webhook_endpoint/" + endpoint + "/" + account;
		Given.run("insert into webhook_endpoint (id, account_id, url, events, active, sealed_secret, sealed_previous, "
				+ "previous_until, created_at) values ('%s', '%s', 'https://x.test/', '{}', false, '\\x%s', '\\x%s', "
				+ "now(), now())", endpoint, account, hex(seal.seal(SECRET, place)), hex(seal.seal(SECRET, place)));
	}

	private static byte[] key(String table, UUID id) {
		return HexFormat.of()
			.parseHex(Given.rows("select encode(sealed_key, 'hex') from %s where id = '%s'", table, id).getFirst());
	}

	private static String hex(byte[] bytes) {
		return HexFormat.of().formatHex(bytes);
	}

	private static byte[] sealed(String column, UUID endpoint) {
		return HexFormat.of()
			.parseHex(Given.rows("select encode(%s, 'hex') from webhook_endpoint where id = '%s'", column, endpoint)
				.getFirst());
	}

}
