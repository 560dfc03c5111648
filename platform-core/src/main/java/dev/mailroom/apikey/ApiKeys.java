package dev.mailroom.apikey;

import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;

/** Makes, shows and revokes API keys, and tells whose a key is. */
@Service
public class ApiKeys {

	/** What every key begins with. */
	public static final String PREFIX = "ek_";

	private static final Logger log = LoggerFactory.getLogger(ApiKeys.class);

	private static final Set<String> PERMISSIONS = Set.of("send", "emails.read", "inbound.read", "analytics.read");

	private static final int LONGEST_NAME = 100;

	/** No more often than this is written when a key was used. */
	private static final Duration COARSE = Duration.ofMinutes(1);

	private final ApiKeyStore store;

	private final KnownKeys known;

	private final Transactions transactions;

	private final NoArgGenerator ids;

	private final Clock clock;

	ApiKeys(ApiKeyStore store, KnownKeys known, Transactions transactions, NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.known = known;
		this.transactions = transactions;
		this.ids = ids;
		this.clock = clock;
	}

	/** Whose key this is; empty where it is nobody's, no longer or mistyped. */
	public Mono<ApiKey> authenticate(String text) {
		return Mono.justOrEmpty(KeyText.read(text))
			.flatMap((shown) -> this.known.find(shown.prefix())
				.filter((known) -> MessageDigest.isEqual(known.secretHash(), shown.hash())))
			.delayUntil(this::used)
			.map(ApiKeyStore.Known::key);
	}

	/**
	 * Makes a key of a verified domain.
	 * @param permissions null for the usual one, to send
	 * @throws dev.mailroom.Refused {@code Invalid request data},
	 * {@code Domain not found}, {@code Domain not verified} or {@code Duplicate name}
	 */
	public Mono<ApiKey.Issued> create(Scope scope, UUID domainId, @Nullable String name,
			@Nullable List<@Nullable String> permissions) {
		return Mono.defer(() -> {
			KeyText text = KeyText.random();
			ApiKey key = new ApiKey(this.ids.generate(), scope.account(), domainId, name(name), text.prefix(),
					(permissions != null) ? permissions(permissions) : List.of("send"), this.clock.instant(), null);
			Mono<ApiKey> made = this.store.domainStatus(scope, domainId)
				.switchIfEmpty(
						Mono.error(() -> ApiKeyRefusals.DOMAIN_NOT_FOUND.because("There is no domain " + domainId)))
				.filter((status) -> status.equals("verified") || status.equals("temporary_failure"))
				.switchIfEmpty(Mono.error(() -> ApiKeyRefusals.DOMAIN_NOT_VERIFIED
					.because("A key belongs to a verified domain: publish the records of GET /domains/:id, then POST "
							+ "/domains/:id/verify")))
				.flatMap((_) -> this.store.insert(key, text.hash()))
				.switchIfEmpty(Mono.error(() -> duplicate(key.name())));
			return this.transactions.in(scope, made).map((it) -> new ApiKey.Issued(it, text.text()));
		});
	}

	/** The account's keys, newest first. */
	public Mono<Page<ApiKey>> list(Scope scope, Page.Request page) {
		Mono<Page<ApiKey>> found = this.store.list(scope, page)
			.collectList()
			.flatMap((keys) -> this.store.count(scope).map((total) -> new Page<>(keys, page, total)));
		return this.transactions.in(scope, found);
	}

	/** One of the account's keys. */
	public Mono<ApiKey> find(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, id)).switchIfEmpty(Mono.error(() -> missing(id)));
	}

	/** Changes a key's name or permissions; null leaves as it is. */
	public Mono<ApiKey> update(Scope scope, UUID id, @Nullable String name,
			@Nullable List<@Nullable String> permissions) {
		return Mono.defer(() -> {
			String newName = (name != null) ? name(name) : null;
			List<String> newPermissions = (permissions != null) ? permissions(permissions) : null;
			Mono<ApiKey> changed = this.store.find(scope, id)
				.flatMap((key) -> this.store.update(scope, id, (newName != null) ? newName : key.name(),
						(newPermissions != null) ? newPermissions : key.permissions()));
			return this.transactions.in(scope, changed)
				.doOnNext((_) -> this.known.forget(id))
				.onErrorMap(DuplicateKeyException.class, (_) -> duplicate(String.valueOf(newName)))
				.switchIfEmpty(Mono.error(() -> missing(id)));
		});
	}

	/** Revokes a key at once. */
	public Mono<Void> delete(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.delete(scope, id))
			.doOnNext((_) -> this.known.forget(id))
			.filter((count) -> count > 0)
			.switchIfEmpty(Mono.error(() -> missing(id)))
			.then();
	}

	private Mono<Void> used(ApiKeyStore.Known key) {
		Instant now = this.clock.instant();
		if (key.lastUsedAt() != null && key.lastUsedAt().isAfter(now.minus(COARSE))) {
			return Mono.empty();
		}
		this.known.usedAt(key, now);
		Scope scope = Scope.of(key.accountId());
		return this.transactions.in(scope, this.store.used(scope, key.id())).onErrorResume((ex) -> {
			log.debug("When key {} was used was not written", key.prefix(), ex);
			return Mono.empty();
		});
	}

	private static String name(@Nullable String name) {
		String trimmed = (name != null) ? name.strip() : "";
		if (trimmed.isEmpty() || trimmed.length() > LONGEST_NAME
				|| trimmed.chars().anyMatch(EmailAddress::breaksALine)) {
			throw invalid("keyName", "is required: one line of at most " + LONGEST_NAME + " characters");
		}
		return trimmed;
	}

	private static List<String> permissions(List<@Nullable String> asked) {
		Set<String> permissions = new LinkedHashSet<>();
		for (String permission : asked) {
			if (permission == null || !PERMISSIONS.contains(permission)) {
				throw invalid("permissions", "may be send, emails.read, inbound.read and analytics.read");
			}
			permissions.add(permission);
		}
		if (permissions.isEmpty()) {
			throw invalid("permissions", "must name at least one permission");
		}
		return List.copyOf(permissions);
	}

	private static RuntimeException invalid(String field, String message) {
		return ApiKeyRefusals.INVALID.because(field + " " + message, List.of(new Refusal.Detail(field, message)));
	}

	private static RuntimeException duplicate(String name) {
		return ApiKeyRefusals.DUPLICATE.because("There is a key named " + name + " already");
	}

	private static RuntimeException missing(UUID id) {
		return ApiKeyRefusals.NOT_FOUND.because("There is no API key " + id);
	}

}
