package dev.mailroom.trackingdomain;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import dev.mailroom.secret.Seal;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Certificates of tracking domains: when they are ordered, where they are kept, and what
 * the API answers to the authority.
 */
@Service
public class Certificates {

	/** Orders of an hour; authorities limit them too. */
	static final int MAX_ORDERS = 20;

	private static final Duration HOUR = Duration.ofHours(1);

	/** Limit on the time that an order takes. */
	private static final Duration LEASE = Duration.ofMinutes(10);

	private static final Duration FIRST_DELAY = Duration.ofMinutes(1);

	private static final Duration LONGEST_DELAY = Duration.ofDays(1);

	private static final int MAX_DOUBLINGS = 11;

	/** Share of the lifetime after which a certificate is renewed, and its spread. */
	private static final double RENEWAL = 2.0 / 3;

	private static final double SPREAD = 0.1;

	private static final Duration ORDERS_KEPT = Duration.ofDays(30);

	private static final int MAX_ERROR_LENGTH = 500;

	private static final int SHOWN = 100;

	/** Prefix of names in the place of tokens; no token has a slash. */
	private static final String CHALLENGE = "acme_challenge/";

	private final CertificateStore store;

	private final JdbcTransactions threads;

	private final Transactions transactions;

	private final Seal seal;

	private final NoArgGenerator ids;

	Certificates(CertificateStore store, JdbcTransactions threads, Transactions transactions, Seal seal,
			NoArgGenerator ids) {
		this.store = store;
		this.threads = threads;
		this.transactions = transactions;
		this.seal = seal;
		this.ids = ids;
	}

	/**
	 * Takes the name whose certificate is to be ordered next. The orders of an hour are
	 * limited; only one worker calls this.
	 */
	public Optional<Order> begin() {
		return this.threads.acrossAccounts((jdbc) -> {
			this.store.clean(jdbc, ORDERS_KEPT, LEASE);
			Optional<Order> order = this.store.due(jdbc, MAX_ORDERS, HOUR);
			order.ifPresent((it) -> this.store.begin(jdbc, it, LEASE));
			return order;
		});
	}

	/**
	 * Stores the certificate that an order has brought.
	 * @param chain the certificate and its issuers (PEM)
	 */
	public void issued(Order order, PrivateKey key, String chain, Instant begins, Instant expires) {
		byte[] sealed = this.seal.seal(key.getEncoded(), place(order.domain()));
		double share = RENEWAL * (1 + ThreadLocalRandom.current().nextDouble(-SPREAD, SPREAD));
		Instant renew = begins.plusMillis((long) (Duration.between(begins, expires).toMillis() * share));
		this.threads.runAcrossAccounts((jdbc) -> this.store.issued(jdbc, order, sealed, chain, expires, renew));
	}

	/** Records that an order failed; the next one waits the longer, the more failed. */
	public void failed(Order order, String error) {
		Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(order.failures(), MAX_DOUBLINGS));
		Duration again = (delay.compareTo(LONGEST_DELAY) > 0) ? LONGEST_DELAY : delay;
		String text = error.substring(0, Math.min(error.length(), MAX_ERROR_LENGTH)).replace('\0', '\uFFFD');
		this.threads.runAcrossAccounts((jdbc) -> this.store.failed(jdbc, order, text, again));
	}

	/** Publishes what the API answers to the authority. */
	public void publish(String token, String answer) {
		this.threads.runAcrossAccounts((jdbc) -> this.store.answer(jdbc, token, answer, LEASE));
	}

	/** The answer to the authority; empty if the token is not one of an order. */
	public Mono<String> answer(String token) {
		return this.transactions.acrossAccounts(this.store.answer(token));
	}

	/** Publishes the certificate that the API shows to the authority for a name. */
	public void publish(String name, Certificate certificate) {
		byte[] sealed = this.seal.seal(certificate.key().getEncoded(), CHALLENGE + name);
		publish(CHALLENGE + name, String.join("\n", certificate.key().getAlgorithm(),
				Base64.getEncoder().encodeToString(sealed), certificate.chain()));
	}

	/** The certificate for the authority; empty if the name is not one of an order. */
	public Mono<Certificate> challenge(String name) {
		return answer(CHALLENGE + name).map((answer) -> {
			String[] parts = answer.split("\n", 3);
			byte[] sealed = Base64.getDecoder().decode(parts[1]);
			return new Certificate(key(parts[0], sealed, CHALLENGE + name), parts[2]);
		});
	}

	/**
	 * Key of the installation's account at an authority (PEM), which is kept for later
	 * orders.
	 * @param created a key for the first order
	 */
	public byte[] accountKey(String directory, byte[] created) {
		return this.threads.acrossAccounts((jdbc) -> {
			UUID id = this.ids.generate();
			this.store.saveAccount(jdbc, directory,
					new CertificateStore.Sealed(id, this.seal.seal(created, "acme_account/" + id)));
			CertificateStore.Sealed kept = this.store.account(jdbc, directory).orElseThrow();
			return this.seal.open(kept.key(), "acme_account/" + kept.id());
		});
	}

	/** The certificate of a name that has not expired; empty if there is none. */
	public Mono<Certificate> find(String name) {
		return this.transactions.acrossAccounts(this.store.certificate(name, TrackingDomains.KEPT))
			.map((stored) -> new Certificate(key("EC", stored.key().key(), place(stored.key().id())), stored.chain()));
	}

	private PrivateKey key(String algorithm, byte[] sealed, String place) {
		try {
			return KeyFactory.getInstance(algorithm)
				.generatePrivate(new PKCS8EncodedKeySpec(this.seal.open(sealed, place)));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("The key of a certificate cannot be read", ex);
		}
	}

	private static String place(UUID domain) {
		return "tracking_domain/" + domain;
	}

	/** Numbers of names by the state of their certificate. */
	public Map<String, Long> counts() {
		return this.threads.acrossAccounts(this.store::counts);
	}

	/** The last orders, the newest first. */
	public Mono<List<CertificateOrder>> orders() {
		return this.transactions.acrossAccounts(this.store.orders(SHOWN).collectList());
	}

	/**
	 * A certificate to order.
	 *
	 * @param domain the tracking domain
	 * @param failures orders that failed since its last certificate
	 */
	public record Order(UUID id, UUID domain, UUID accountId, String name, int failures) {
	}

	/**
	 * A certificate with its key.
	 *
	 * @param chain the certificate and its issuers (PEM)
	 */
	public record Certificate(PrivateKey key, String chain) {
	}

}
