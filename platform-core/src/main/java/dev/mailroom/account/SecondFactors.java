package dev.mailroom.account;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

import com.google.common.io.BaseEncoding;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.account.SecondFactorStore.Factor;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import dev.mailroom.secret.Seal;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Sets up and removes second factors, and checks their codes. A second factor belongs to
 * a person. Each code is valid once.
 */
@Service
public class SecondFactors {

	private static final Refusal ACTIVE = Refusal.conflict("Second factor active");

	private static final Refusal NOT_FOUND = Refusal.notFound("Second factor not found");

	private static final int RECOVERY_CODES = 10;

	/** 16 characters of base32. */
	private static final int RECOVERY_CODE_BYTES = 10;

	/** As authenticator apps read it: without padding (RFC 4648). */
	private static final BaseEncoding BASE32 = BaseEncoding.base32().omitPadding();

	private static final SecureRandom RANDOM = new SecureRandom();

	private final SecondFactorStore store;

	private final Seal seal;

	private final Transactions transactions;

	private final Audits audits;

	private final Clock clock;

	SecondFactors(SecondFactorStore store, Seal seal, Transactions transactions, Audits audits, Clock clock) {
		this.store = store;
		this.seal = seal;
		this.transactions = transactions;
		this.audits = audits;
		this.clock = clock;
	}

	/**
	 * Generates a secret, which is required at sign-in once it is confirmed.
	 * @param name the person's address, as authenticator apps show it
	 * @throws Refused {@code Second factor active} if another one is confirmed
	 */
	public Mono<Enrolment> begin(Scope person, String name) {
		byte[] secret = random(Totp.SECRET_BYTES);
		return this.transactions.in(person, this.store.begin(person, this.seal.seal(secret, place(person))))
			.flatMap((begun) -> begun ? Mono.just(Enrolment.of(secret, name))
					: Mono.error(() -> ACTIVE.because("A second factor is active: remove it first.")));
	}

	/**
	 * Confirms the secret with a first code.
	 * @return the recovery codes, which are not readable later
	 * @throws Refused {@code Invalid request data} if the code is wrong
	 */
	public Mono<List<String>> confirm(Scope person, Secret code) {
		List<String> codes = Stream.generate(SecondFactors::recoveryCode).limit(RECOVERY_CODES).toList();
		List<byte[]> hashes = codes.stream().map((text) -> normalized(text).hash()).toList();
		Mono<Boolean> confirmed = this.store.find(person).filter((factor) -> !factor.confirmed()).flatMap((factor) -> {
			OptionalLong step = step(person, factor, code);
			return step.isEmpty() ? Mono.just(false) : this.store.confirm(person, factor, step.getAsLong());
		});
		Mono<Void> recorded = this.store.addRecoveryCodes(person, hashes)
			.then(Mono.defer(() -> this.audits.record(person, Act.SECOND_FACTOR_ADDED, "", Map.of())));
		return this.transactions.in(person, confirmed.filter(Boolean::booleanValue).delayUntil((_) -> recorded))
			.map((_) -> codes)
			.switchIfEmpty(Mono.error(() -> Refusal.INVALID_REQUEST.because("The second factor was not set up.",
					List.of(new Refusal.Detail("code", "is not the code that the app shows now")))));
	}

	/** Whether signing in requires a second factor of the person. */
	public Mono<Boolean> isActive(Scope person) {
		return this.transactions.in(person, this.store.find(person)).map(Factor::confirmed).defaultIfEmpty(false);
	}

	/** The state of a person's second factor. */
	public Mono<Status> status(Scope person) {
		return this.transactions.in(person, this.store.find(person)
			.map(Factor::confirmed)
			.defaultIfEmpty(false)
			.flatMap((active) -> this.store.countRecoveryCodes(person).map((left) -> new Status(active, left))));
	}

	/**
	 * Removes a second factor.
	 * @throws Refused {@code Second factor not found}
	 */
	public Mono<Void> remove(Scope person) {
		return this.transactions
			.in(person,
					this.store.delete(person)
						.filter(Boolean::booleanValue)
						.delayUntil((_) -> this.audits.record(person, Act.SECOND_FACTOR_REMOVED, "", Map.of())))
			.switchIfEmpty(Mono.error(() -> NOT_FOUND.because("There is no second factor.")))
			.then();
	}

	/**
	 * Removes a second factor that another person may have set up. Joins the caller's
	 * transaction.
	 */
	public Mono<Void> discard(Scope person) {
		return this.store.delete(person).then();
	}

	/** Ends sign-ins that wait for a code. Joins the caller's transaction. */
	public Mono<Void> endChallenges(Scope person) {
		return this.store.deleteChallenges(person);
	}

	/**
	 * Uses a code of the app or a recovery code.
	 * @return whether it was valid
	 */
	Mono<Boolean> use(Scope person, Secret code) {
		Mono<Boolean> totp = this.store.find(person).filter(Factor::confirmed).flatMap((factor) -> {
			OptionalLong step = step(person, factor, code);
			return step.isEmpty() ? Mono.just(false) : this.store.useStep(person, step.getAsLong());
		});
		return totp.defaultIfEmpty(false)
			.flatMap((valid) -> valid ? Mono.just(true)
					: this.store.useRecoveryCode(person, normalized(code.text()).hash()));
	}

	private OptionalLong step(Scope person, Factor factor, Secret code) {
		byte[] secret = this.seal.open(factor.sealedSecret(), place(person));
		return Totp.step(secret, normalized(code.text()).text(), this.clock.instant());
	}

	/** People type codes with spaces and dashes, and recovery codes in either case. */
	private static Secret normalized(String text) {
		return Secret.of(text.replaceAll("[\\s-]", "").toLowerCase(Locale.ROOT));
	}

	private static String recoveryCode() {
		return BASE32.lowerCase().withSeparator("-", 4).encode(random(RECOVERY_CODE_BYTES));
	}

	private static byte[] random(int length) {
		byte[] bytes = new byte[length];
		RANDOM.nextBytes(bytes);
		return bytes;
	}

	private static String place(Scope person) {
		return "second_factor/" + person.account();
	}

	/**
	 * The state of a second factor.
	 *
	 * @param active whether signing in requires it
	 * @param recoveryCodes number of recovery codes that were not used
	 */
	public record Status(boolean active, int recoveryCodes) {
	}

	/**
	 * A secret to store in an authenticator app.
	 *
	 * @param secret the secret in base32
	 * @param url the same as a URL, which apps read from a QR code
	 */
	public record Enrolment(Secret secret, Secret url) {

		private static Enrolment of(byte[] secret, String name) {
			String text = BASE32.encode(secret);
			String label = URLEncoder.encode("Mailroom:" + name, StandardCharsets.UTF_8).replace("+", "%20");
			return new Enrolment(Secret.of(text),
					Secret.of("otpauth://totp/%s?secret=%s&issuer=Mailroom&algorithm=SHA1&digits=%d&period=%d"
						.formatted(label, text, Totp.DIGITS, Totp.STEP.toSeconds())));
		}

	}

}
