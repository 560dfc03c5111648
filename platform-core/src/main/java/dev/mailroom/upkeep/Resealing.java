package dev.mailroom.upkeep;

import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.secret.Seal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Seals secrets under the current master key that an earlier one sealed, as long as
 * earlier keys are configured. A pass reads all secrets in small batches; it continues
 * with the next call, and starts again in another process or when it is complete, because
 * processes with the earlier configuration may still seal under the earlier key.
 */
@Service
public class Resealing {

	private static final Logger log = LoggerFactory.getLogger(Resealing.class);

	/** Secrets read by one transaction. */
	static final int BATCH_SIZE = 200;

	/** Batches of one call. */
	private static final int MAX_BATCHES = 25;

	private static final UUID START = new UUID(0, 0);

	private final JdbcTransactions transactions;

	private final Seal seal;

	private final List<Column> columns;

	/** Column and row up to which the pass has come. */
	private volatile Position position = new Position(0, START, 0);

	/** Secrets that the last complete pass left under an earlier key; -1 before it. */
	private volatile long left = -1;

	Resealing(JdbcTransactions transactions, SecretStore store, Seal seal) {
		this.transactions = transactions;
		this.seal = seal;
		this.columns = List.of(new Column(store::dkimKeys, store::replaceDkimKey),
				new Column(store::webhookSecrets, store::replaceWebhookSecret),
				new Column(store::previousWebhookSecrets, store::replacePreviousWebhookSecret),
				new Column(store::secondFactors, store::replaceSecondFactor),
				new Column(store::certificateKeys, store::replaceCertificateKey),
				new Column(store::authorityKeys, store::replaceAuthorityKey),
				new Column(store::signingKeys, (_, _, _) -> 0));
	}

	/**
	 * Continues the pass by a limited number of secrets.
	 * @return number of secrets that were sealed anew
	 */
	public long reseal() {
		if (!this.seal.hasEarlierKeys()) {
			return 0;
		}
		long renewed = 0;
		int batches = 0;
		do {
			renewed += batch();
			batches++;
		}
		while (batches < MAX_BATCHES && !this.position.isStart());
		return renewed;
	}

	/**
	 * Secrets that an earlier key sealed, as of the last complete pass: 0 means that the
	 * earlier keys can be removed. Empty before the first pass is complete.
	 */
	public OptionalLong remaining() {
		long remaining = this.seal.hasEarlierKeys() ? this.left : 0;
		return (remaining < 0) ? OptionalLong.empty() : OptionalLong.of(remaining);
	}

	private long batch() {
		Position from = this.position;
		Column column = this.columns.get(from.column());
		Batch batch = this.transactions.acrossAccounts((jdbc) -> {
			List<SecretStore.SealedSecret> secrets = column.read().secrets(jdbc, from.row(), BATCH_SIZE);
			long earlier = 0;
			long renewed = 0;
			for (SecretStore.SealedSecret secret : secrets) {
				if (!this.seal.isCurrent(secret.sealed(), secret.place())) {
					earlier++;
					renewed += renew(jdbc, column, secret);
				}
			}
			return new Batch(earlier, renewed, (secrets.size() < BATCH_SIZE) ? null : secrets.getLast().id());
		});
		advance(from, batch);
		return batch.renewed();
	}

	private long renew(JdbcClient jdbc, Column column, SecretStore.SealedSecret secret) {
		byte[] renewed;
		try {
			renewed = this.seal.seal(this.seal.open(secret.sealed(), secret.place()), secret.place());
		}
		catch (IllegalStateException _) {
			log.warn("The secret of {} was sealed under a master key that is not configured", secret.place());
			return 0;
		}
		return column.write().replace(jdbc, secret, renewed);
	}

	private void advance(Position from, Batch batch) {
		long kept = from.left() + batch.earlier() - batch.renewed();
		if (batch.last() != null) {
			this.position = new Position(from.column(), batch.last(), kept);
		}
		else if (from.column() + 1 < this.columns.size()) {
			this.position = new Position(from.column() + 1, START, kept);
		}
		else {
			this.left = kept;
			this.position = new Position(0, START, 0);
		}
	}

	private interface Read {

		List<SecretStore.SealedSecret> secrets(JdbcClient jdbc, UUID after, int limit);

	}

	private interface Write {

		long replace(JdbcClient jdbc, SecretStore.SealedSecret secret, byte[] renewed);

	}

	private record Column(Read read, Write write) {
	}

	/**
	 * Progress of a pass.
	 *
	 * @param left secrets that the pass left under an earlier key so far
	 */
	private record Position(int column, UUID row, long left) {

		boolean isStart() {
			return this.column == 0 && this.row.equals(START);
		}

	}

	/**
	 * Result of a batch.
	 *
	 * @param earlier secrets that an earlier key sealed
	 * @param last the last row; null if there are no further ones
	 */
	private record Batch(long earlier, long renewed, @Nullable UUID last) {
	}

}
