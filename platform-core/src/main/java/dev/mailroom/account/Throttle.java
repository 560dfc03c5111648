package dev.mailroom.account;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Function;

import dev.mailroom.ClientNetwork;
import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Limits failed sign-ins and account mails in windows of 15 minutes, whether or not an
 * address has an account. Failures are counted by address and network together, by
 * network and by site over all addresses, and by address over all networks. A network
 * from which the address has signed in before is limited by the first count only, so that
 * others cannot lock out the owner; other networks are limited by all counts. The counts
 * are stored in the database, so that they hold for all instances together.
 */
@Component
public class Throttle {

	private static final Refusal THROTTLED = Refusal.limited("Rate limit exceeded");

	static final int LIMIT = 10;

	static final Duration WINDOW = Duration.ofMinutes(15);

	/** Failures for one address from all unknown networks. */
	private static final int LIMIT_OF_ALL_NETWORKS = 100;

	/** Failures, registrations and mails of one network, over all addresses. */
	private static final int LIMIT_OF_NETWORK = 50;

	/** Those of one site of IPv6. */
	private static final int LIMIT_OF_SITE = LIMIT_OF_NETWORK * ClientNetwork.SITE_FACTOR;

	private static final String FAILURE = "sign_in";

	private static final String FAILURE_OF_ALL = "sign_in_all";

	private static final String FAILURE_OF_NETWORK = "sign_in_network";

	private static final String MAIL = "letter";

	private static final String MAIL_OF_NETWORK = "letter_network";

	/** Codes for one account from all unknown networks. */
	private static final int CODES_OF_ALL_NETWORKS = 30;

	private static final String CODE = "code";

	private static final String CODE_OF_ALL = "code_all";

	private static final String REGISTRATION = "registration";

	private static final String DEVICE = "device";

	private static final String DEVICE_CODE = "device_code";

	/** Codes of programs that one person may enter. */
	private static final int DEVICE_CODES = 30;

	private static final String PASSWORD = "password";

	private static final String PASSWORD_OF_ALL = "password_all";

	private final LookUps lookUps = new LookUps();

	private final ThrottleStore store;

	private final ThrottleSettings settings;

	Throttle(ThrottleStore store, ThrottleSettings settings) {
		this.store = store;
		this.settings = settings;
	}

	/**
	 * Checks that an address and the client's network are below the limits of failures.
	 * @throws Refused {@code Rate limit exceeded} if they are not
	 */
	public Mono<Void> requireFewFailures(EmailAddress address) {
		return this.settings.enabled() ? ClientNetwork.current()
			.flatMapMany((network) -> failures(address, network))
			.filter(Count::limiting)
			.concatMap(this::require)
			.then() : Mono.empty();
	}

	/**
	 * Counts a failure. Above a limit the error is the same as for a success, so that
	 * concurrent guesses reveal no more than sequential ones.
	 * @param error the error below the limit
	 */
	public <T> Mono<T> countFailure(EmailAddress address, Refused error) {
		if (!this.settings.enabled()) {
			return Mono.error(error);
		}
		return ClientNetwork.current()
			.flatMapMany((network) -> failures(address, network))
			.concatMap((count) -> this.store.count(count.kind(), count.key(), count.limit())
				.map((counted) -> counted || !count.limiting()))
			.all(Boolean::booleanValue)
			.flatMap((below) -> below ? Mono.<T>error(error) : requireFewFailures(address).then(Mono.<T>error(error)));
	}

	/** The counts that a failure belongs to. */
	private Flux<Count> failures(EmailAddress address, String network) {
		Count own = new Count(FAILURE, key(address.key(), network), LIMIT, true);
		if (network.isEmpty()) {
			return Flux.just(own);
		}
		Count ofAll = new Count(FAILURE_OF_ALL, key(address.key(), ""), LIMIT_OF_ALL_NETWORKS, true);
		return this.store.isKnown(own.key())
			.flatMapMany((known) -> Flux.concat(Flux.just(own), networks(FAILURE_OF_NETWORK, !known),
					known ? Flux.empty() : Flux.just(ofAll)));
	}

	/** The counts of the client's network and of its site. */
	private static Flux<Count> networks(String kind, boolean limiting) {
		return Flux.concat(
				ClientNetwork.current()
					.filter((network) -> !network.isEmpty())
					.map((network) -> new Count(kind, key(network, ""), LIMIT_OF_NETWORK, limiting)),
				ClientNetwork.site()
					.filter((site) -> !site.isEmpty())
					.map((site) -> new Count(kind, key(site, ""), LIMIT_OF_SITE, limiting)));
	}

	private Mono<Void> require(Count count) {
		return this.store.timeToWait(count.kind(), count.key(), count.limit()).flatMap(Throttle::tooManyFailures);
	}

	/** Records a sign-in from the client's network. */
	public Mono<Void> succeeded(EmailAddress address) {
		return ClientNetwork.current()
			.filter((network) -> !network.isEmpty())
			.flatMap((network) -> this.store.addKnown(key(address.key(), network)));
	}

	/**
	 * Counts a registration.
	 * @throws Refused {@code Rate limit exceeded} after too many from the client's
	 * network
	 */
	public Mono<Void> countRegistration() {
		return ofNetwork(REGISTRATION).flatMap((permitted) -> permitted ? Mono.empty() : Mono
			.error(THROTTLED.because("Too many registrations from this network: try again later.").retryAfter(WINDOW)));
	}

	/**
	 * Counts the start of a program's sign-in.
	 * @throws Refused {@code Rate limit exceeded} after too many from the client's
	 * network
	 */
	public Mono<Void> countDeviceSignIn() {
		return ofNetwork(DEVICE).flatMap((permitted) -> permitted ? Mono.empty()
				: Mono.error(THROTTLED.because("Too many sign-ins of programs from this network: try again later.")
					.retryAfter(WINDOW)));
	}

	/**
	 * Counts a code of a program that a person enters, before it is looked up.
	 * @throws Refused {@code Rate limit exceeded} after too many
	 */
	public Mono<Void> countDeviceCode(UUID person) {
		return countAll("codes of programs",
				(_) -> Flux.just(new Count(DEVICE_CODE, key(person.toString(), ""), DEVICE_CODES, true)));
	}

	/**
	 * Counts a password that is set for an address before its verification: by the
	 * client's network, unless that is this machine, and over all networks.
	 * @throws Refused {@code Rate limit exceeded} after too many
	 */
	public Mono<Void> countPassword(EmailAddress address) {
		Count ofAll = new Count(PASSWORD_OF_ALL, key(address.key(), ""), LIMIT_OF_ALL_NETWORKS, true);
		return countAll("passwords for this address", (network) -> network.isEmpty() ? Flux.just(ofAll)
				: Flux.just(new Count(PASSWORD, key(address.key(), network), LIMIT, true), ofAll));
	}

	/**
	 * Counts a mail to an address. It is counted before it is known whether the address
	 * has an account; otherwise the mails that the client may still cause would show it.
	 * @return false if a limit is reached and the mail must not be sent
	 */
	public Mono<Boolean> countMail(EmailAddress address) {
		return this.settings.enabled() ? ofNetwork(MAIL_OF_NETWORK).flatMap(
				(permitted) -> permitted ? this.store.count(MAIL, key(address.key(), ""), LIMIT) : Mono.just(false))
				: Mono.just(true);
	}

	private Mono<Boolean> ofNetwork(String kind) {
		return this.settings.enabled()
				? networks(kind, true).concatMap((count) -> this.store.count(count.kind(), count.key(), count.limit()))
					.all(Boolean::booleanValue)
				: Mono.just(true);
	}

	/**
	 * Counts a code that is entered as the second factor of an account: by the client's
	 * network, so that others who have the password do not lock out the owner, and over
	 * all networks from which no valid code came before.
	 * @throws Refused {@code Rate limit exceeded} after too many
	 */
	public Mono<Void> countCode(UUID account) {
		return countAll("codes for this account", (network) -> codes(account, network));
	}

	private Mono<Void> countAll(String counted, Function<String, Flux<Count>> counts) {
		return this.settings.enabled()
				? ClientNetwork.current().flatMapMany(counts).concatMap((count) -> countLimited(count, counted)).then()
				: Mono.empty();
	}

	private Mono<Void> countLimited(Count count, String counted) {
		return this.store.count(count.kind(), count.key(), count.limit())
			.flatMap((below) -> below ? Mono.empty()
					: this.store.timeToWait(count.kind(), count.key(), count.limit())
						.defaultIfEmpty(Duration.ofSeconds(1))
						.flatMap((wait) -> Mono
							.error(THROTTLED.because("Too many " + counted + ": try again later.").retryAfter(wait))));
	}

	/** The counts that a code belongs to. */
	private Flux<Count> codes(UUID account, String network) {
		Count own = new Count(CODE, key(account.toString(), network), LIMIT, true);
		if (network.isEmpty()) {
			return Flux.just(own);
		}
		Count ofAll = new Count(CODE_OF_ALL, key(account.toString(), ""), CODES_OF_ALL_NETWORKS, true);
		return this.store.isKnown(own.key()).flatMapMany((known) -> known ? Flux.just(own) : Flux.just(own, ofAll));
	}

	/**
	 * Clears the codes of an account from the client's network, after a valid one, and
	 * records the network.
	 */
	public Mono<Void> clearCodes(UUID account) {
		return ClientNetwork.current().flatMap((network) -> {
			byte[] key = key(account.toString(), network);
			return this.store.delete(CODE, key).then(network.isEmpty() ? Mono.empty() : this.store.addKnown(key));
		});
	}

	/** Clears the failures of an address, after its owner has set a new password. */
	public Mono<Void> clearFailures(EmailAddress address) {
		return ClientNetwork.current()
			.flatMap((network) -> this.store.delete(FAILURE, key(address.key(), network))
				.then(this.store.delete(FAILURE_OF_ALL, key(address.key(), ""))));
	}

	/**
	 * Looks up a random credential, such as the token of a link.
	 * @param read reads the database; empty if the credential is unknown
	 * @throws Refused {@code Rate limit exceeded} after too many unknown ones from the
	 * client's network
	 */
	<T> Mono<T> lookUp(Mono<T> read) {
		return this.settings.enabled() ? this.lookUps.limit(read) : read;
	}

	private static Mono<Void> tooManyFailures(Duration wait) {
		return Mono.error(THROTTLED.because("Too many failed attempts for this address. Wait, or reset the password.")
			.retryAfter(wait));
	}

	private static byte[] key(String text, String network) {
		return Secret.of(network.isEmpty() ? text : text + " " + network).hash();
	}

	/**
	 * A count in the database.
	 *
	 * @param limiting whether the client is refused at the limit
	 */
	private record Count(String kind, byte[] key, int limit, boolean limiting) {
	}

}
