package dev.mailroom.account;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.ClientDevice;
import dev.mailroom.ClientNetwork;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.secret.Sha256;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.function.Tuple2;
import reactor.util.retry.Retry;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;

/**
 * Sign-in of programs without a browser (RFC 8628): the program gets two codes and polls
 * with the one, and a person compares the other and chooses the permissions of an API key
 * of the account.
 * <p>
 * The approval stores what was chosen, and no secret. The poll that hands the key out
 * creates it, in the transaction that deletes the sign-in. If that transaction does not
 * commit, there is no key. If its response is lost, the secret was only in the memory of
 * that request: the key is listed as never used, and the program starts again.
 */
@Service
public class DeviceSignIns {

	/** Time in which a person has to answer. */
	public static final Duration LIFETIME = Duration.ofMinutes(10);

	/** Time between two polls; added to it for each poll that comes too early. */
	public static final Duration INTERVAL = Duration.ofSeconds(5);

	/** Sign-ins of all accounts that may be pending at the same time. */
	static final int MAX_PENDING = 10_000;

	/** Longest name of a program, and of a key without an addition. */
	private static final int MAX_PROGRAM_LENGTH = 80;

	/** Digits of a code: letters that spell no words and are not mistaken for digits. */
	private static final String CONSONANTS = "BCDFGHJKLMNPQRSTVWXZ";

	private static final int CODE_LENGTH = 8;

	/** Length of the addition to the name of a key that is taken. */
	private static final int ADDITION_LENGTH = 4;

	private static final Refusal FULL = Refusal.unavailable("Service unavailable");

	private static final SecureRandom RANDOM = new SecureRandom();

	private final DeviceSignInStore store;

	private final ApiKeys keys;

	private final Members members;

	private final Throttle throttle;

	private final Transactions transactions;

	private final Clock clock;

	DeviceSignIns(DeviceSignInStore store, ApiKeys keys, Members members, Throttle throttle, Transactions transactions,
			Clock clock) {
		this.store = store;
		this.keys = keys;
		this.members = members;
		this.throttle = throttle;
		this.transactions = transactions;
		this.clock = clock;
	}

	/**
	 * Starts the sign-in of a program.
	 * @param program the name that it gives itself: 1 to 80 characters without control
	 * characters
	 * @param requested the names of permissions that it asks for
	 * @throws Refused {@code Invalid request data}, {@code Rate limit exceeded} after too
	 * many from the client's network, or {@code Service unavailable} if too many are
	 * pending
	 */
	public Mono<DeviceSignIn.Codes> start(@Nullable String program, List<String> requested) {
		if (program == null || program.isBlank() || program.length() > MAX_PROGRAM_LENGTH
				|| program.chars().anyMatch(Character::isISOControl)) {
			return Mono.error(() -> Refusal.INVALID_REQUEST.field("client_id",
					"is required: the name of the program, at most " + MAX_PROGRAM_LENGTH + " characters"));
		}
		for (String name : requested) {
			if (Permission.parse(name).isEmpty()) {
				return Mono.error(() -> Refusal.INVALID_REQUEST.field("scope", "has no permission " + name));
			}
		}
		return this.throttle.countDeviceSignIn()
			.then(Mono.zip(ClientDevice.current(), ClientNetwork.address()))
			.flatMap((client) -> Mono.defer(() -> insert(program, requested, client))
				// A pending sign-in has the same code.
				.retryWhen(Retry.max(1).filter(DuplicateKeyException.class::isInstance)));
	}

	private Mono<DeviceSignIn.Codes> insert(String program, List<String> requested, Tuple2<String, String> client) {
		Instant now = this.clock.instant().truncatedTo(ChronoUnit.MICROS);
		DeviceSignIn asked = new DeviceSignIn(program, client.getT1(), client.getT2(), List.copyOf(requested), now,
				now.plus(LIFETIME));
		Secret device = Secret.random();
		String code = consonants(CODE_LENGTH);
		return this.transactions
			.acrossAccounts(this.store.insert(device.hash(), Sha256.of(code), asked, INTERVAL, MAX_PENDING))
			.filter(Boolean::booleanValue)
			.switchIfEmpty(Mono.error(() -> FULL.because("Too many sign-ins of programs are pending: try again later.")
				.retryAfter(LIFETIME)))
			.thenReturn(new DeviceSignIn.Codes(device,
					code.substring(0, CODE_LENGTH / 2) + "-" + code.substring(CODE_LENGTH / 2)));
	}

	/**
	 * Asks for the key. It is handed out once.
	 * @throws Refused {@code Rate limit exceeded} after too many unknown codes from the
	 * client's network
	 */
	public Mono<DevicePoll> poll(Secret device, String program) {
		byte[] hash = device.hash();
		return this.throttle
			.lookUp(this.transactions
				.acrossAccounts(this.store.poll(hash, program, INTERVAL)
					.flatMap((polled) -> (polled.account() != null && !polled.expired())
							? handOut(hash, program, polled) : Mono.just(state(polled)))))
			.defaultIfEmpty(new DevicePoll.Unknown());
	}

	private static DevicePoll state(DeviceSignInStore.Polled polled) {
		if (polled.expired()) {
			return new DevicePoll.Expired();
		}
		if (polled.state().equals("denied")) {
			return new DevicePoll.Denied();
		}
		return polled.early() ? new DevicePoll.TooEarly() : new DevicePoll.Pending();
	}

	/** The role may have changed since the approval: what it permits now counts. */
	private Mono<DevicePoll> handOut(byte[] device, String program, DeviceSignInStore.Polled polled) {
		UUID account = Objects.requireNonNull(polled.account());
		UUID person = Objects.requireNonNull(polled.person());
		String name = Objects.requireNonNull(polled.keyName());
		Scope scope = Scope.of(account).by(person);
		Map<String, Object> origin = Map.of("program", program, "address", polled.address());
		Mono<DevicePoll> granted = this.members.of(person)
			.filter((member) -> member.account().equals(account) && Right.API_KEYS.permits(member.role()))
			.flatMap((member) -> create(scope, member.role(), name, polled, origin).onErrorResume(
					DeviceSignIns::isDuplicate,
					(_) -> create(scope, member.role(), name + " " + consonants(ADDITION_LENGTH), polled, origin)))
			.<DevicePoll>map(DevicePoll.Granted::new)
			.onErrorResume(Refused.class, (_) -> Mono.empty())
			.defaultIfEmpty(new DevicePoll.Denied());
		return this.store.delete(device).then(granted);
	}

	private Mono<ApiKey.Issued> create(Scope scope, MemberRole role, String name, DeviceSignInStore.Polled polled,
			Map<String, Object> origin) {
		return Mono.defer(() -> this.keys.create(scope,
				ApiKeys.wanted(role, name, polled.keyPermissions(), polled.keyExpiresAt(), this.clock.instant()),
				origin));
	}

	private static boolean isDuplicate(Throwable error) {
		return error instanceof Refused refused && refused.refusal().equals(ApiKeyRefusals.DUPLICATE);
	}

	/**
	 * Finds the pending sign-in with a code; empty if there is none.
	 * @param person the scope of the person who enters the code
	 * @throws Refused {@code Rate limit exceeded} after too many codes of the person
	 */
	public Mono<DeviceSignIn> find(Scope person, String code) {
		return this.throttle.countDeviceCode(person.person().account())
			.then(this.transactions.acrossAccounts(this.store.find(hash(code))));
	}

	/**
	 * Approves a sign-in: its program gets an API key of the account.
	 * @param creator the role of the person who approves it
	 * @param name the name of the key; if it is taken, letters are added
	 * @param expiresAt the time from which the key is refused; null for none
	 * @throws Refused {@code Invalid request data}, {@code Forbidden} if the creator has
	 * not the right behind a permission, or {@code Rate limit exceeded} after too many
	 * codes of the person
	 */
	public Mono<Void> approve(Scope scope, MemberRole creator, String code, @Nullable String name,
			@Nullable List<@Nullable String> permissions, @Nullable Instant expiresAt) {
		return Mono.defer(() -> {
			ApiKeys.Wanted key = ApiKeys.wanted(creator, name, permissions, expiresAt, this.clock.instant());
			if (key.name().length() > MAX_PROGRAM_LENGTH) {
				throw Refusal.INVALID_REQUEST.field("name", "may have at most " + MAX_PROGRAM_LENGTH + " characters");
			}
			return answer(scope, this.store.approve(hash(code), scope, key));
		});
	}

	/**
	 * Denies a sign-in.
	 * @throws Refused {@code Invalid request data}, or {@code Rate limit exceeded} after
	 * too many codes of the person
	 */
	public Mono<Void> deny(Scope scope, String code) {
		return answer(scope, this.store.deny(hash(code)));
	}

	private Mono<Void> answer(Scope scope, Mono<Boolean> answer) {
		return this.throttle.countDeviceCode(scope.person().account())
			.then(this.transactions.acrossAccounts(answer))
			.filter(Boolean::booleanValue)
			.switchIfEmpty(Mono.error(() -> Refusal.INVALID_REQUEST.field("code", "is unknown, used or expired")))
			.then();
	}

	/** People may enter lower case, spaces and hyphens. */
	private static byte[] hash(String code) {
		return Sha256.of(code.toUpperCase(Locale.ROOT).replaceAll("[^A-Z]", ""));
	}

	private static String consonants(int count) {
		StringBuilder letters = new StringBuilder();
		RANDOM.ints(count, 0, CONSONANTS.length()).forEach((letter) -> letters.append(CONSONANTS.charAt(letter)));
		return letters.toString();
	}

}
