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

	private final DomainSettings settings;

	SigningKeys(JdbcTransactions transactions, DkimKeyStore store, Seal seal, DomainSettings settings) {
		this.transactions = transactions;
		this.store = store;
		this.seal = seal;
		this.settings = settings;
	}

	/** Returns the active keys of a domain; empty if the domain does not exist. */
	public Optional<List<SigningKey>> of(UUID domainId) {
		Optional<List<DkimKey>> active = this.transactions
			.acrossAccounts((jdbc) -> Optional.of(this.store.active(jdbc, domainId))
				.filter((keys) -> !keys.isEmpty() || this.store.domainExists(jdbc, domainId)));
		return active.map((keys) -> keys.stream().map(this::open).toList());
	}

	/**
	 * Returns the key with which the platform signs the mail of others: the RSA key of
	 * its own domain, which every verifier supports. Empty if the domain does not exist.
	 * @param account the platform's account
	 */
	public Optional<SigningKey> ofPlatform(UUID account) {
		String name = DomainName.parse(this.settings.platformDomain()).text();
		return this.transactions.acrossAccounts((jdbc) -> this.store.active(jdbc, account, name))
			.stream()
			.filter((key) -> key.algorithm().startsWith("rsa"))
			.findFirst()
			.map(this::open);
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
