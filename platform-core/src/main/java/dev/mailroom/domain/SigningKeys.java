package dev.mailroom.domain;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.secret.Seal;

import org.springframework.stereotype.Service;

/** Unseals the DKIM keys of domains for the worker. */
@Service
public class SigningKeys {

	private final JdbcTransactions transactions;

	private final DkimKeyStore store;

	private final Seal seal;

	SigningKeys(JdbcTransactions transactions, DkimKeyStore store, Seal seal) {
		this.transactions = transactions;
		this.store = store;
		this.seal = seal;
	}

	/** Returns the active keys of a domain; empty if the domain does not exist. */
	public Optional<List<SigningKey>> of(UUID domainId) {
		Optional<List<DkimKey>> active = this.transactions
			.acrossAccounts((jdbc) -> Optional.of(this.store.active(jdbc, domainId))
				.filter((keys) -> !keys.isEmpty() || this.store.domainExists(jdbc, domainId)));
		return active.map((keys) -> keys.stream().map(this::open).toList());
	}

	/** Age of the oldest key that signs, in seconds; 0 without keys. */
	public double oldestSeconds() {
		return this.transactions.<Double>acrossAccounts(this.store::oldestSeconds);
	}

	private SigningKey open(DkimKey key) {
		byte[] secret = this.seal.open(key.sealedPrivateKey(), key.place());
		return new SigningKey(key.domain(), key.selector(), key.algorithm(), privateKey(key.algorithm(), secret));
	}

	private static PrivateKey privateKey(String algorithm, byte[] pkcs8) {
		try {
			String type = algorithm.startsWith("rsa") ? "RSA" : "Ed25519";
			return KeyFactory.getInstance(type).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("A stored DKIM key is not readable", ex);
		}
	}

}
