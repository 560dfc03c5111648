package dev.mailroom.account;

import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.ClientNetwork;
import dev.mailroom.EmailAddress;
import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import dev.mailroom.domain.Domain;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;

/** Creates, reads, changes, replaces, revokes and authenticates API keys. */
@Service
public class ApiKeys {

	/** Start of every key's text. */
	public static final String PREFIX = "ek_";

	private static final Logger log = LoggerFactory.getLogger(ApiKeys.class);

	private static final int MAX_NAME_LENGTH = 100;

	/** Shortest interval between two updates of the time of a key's last use. */
	private static final Duration LAST_USE_INTERVAL = Duration.ofMinutes(1);

	/** Time for which both keys are valid after a rotation. */
	private static final Duration OVERLAP = Duration.ofHours(24);

	private final ApiKeyStore store;

	private final ApiKeyCache cache;

	private final Transactions transactions;

	private final Audits audits;

	private final Cell cell;

	private final NoArgGenerator ids;

	private final Clock clock;

	ApiKeys(ApiKeyStore store, ApiKeyCache cache, Transactions transactions, Audits audits, Cell cell,
			NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.cache = cache;
		this.transactions = transactions;
		this.audits = audits;
		this.cell = cell;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Finds the key with a text; empty if the key is unknown, revoked, expired or
	 * mistyped.
	 * @throws dev.mailroom.Refused {@code Misdirected} if its account was moved
	 */
	public Mono<ApiKey> authenticate(String text) {
		return Mono.justOrEmpty(KeyText.parse(text))
			.flatMap((presented) -> this.cache.find(presented.prefix())
				.filter((stored) -> MessageDigest.isEqual(stored.secretHash(), presented.hash())))
			.doOnNext((stored) -> {
				if (stored.movedTo() != null) {
					throw MovedAccounts.moved(stored.movedTo());
				}
			})
			.filter((stored) -> stored.expiresAt() == null || !stored.key().isExpired(this.clock.instant()))
			.delayUntil(this::recordUse)
			.map(ApiKeyStore.StoredKey::key);
	}

	/**
	 * Creates a key of a verified domain.
	 * @param permissions null for the default, {@code send}
	 * @throws dev.mailroom.Refused {@code Invalid request data},
	 * {@code Domain not found}, {@code Domain not verified} or {@code Duplicate name}
	 */
	public Mono<ApiKey.Issued> create(Scope scope, UUID domainId, @Nullable String name,
			@Nullable List<@Nullable String> permissions) {
		return create(scope, domainId, name, permissions, null);
	}

	/**
	 * Creates a key of a verified domain, as {@link #create(Scope, UUID, String, List)}.
	 * @param expiresAt the time from which it is refused; null for none
	 */
	public Mono<ApiKey.Issued> create(Scope scope, UUID domainId, @Nullable String name,
			@Nullable List<@Nullable String> permissions, @Nullable Instant expiresAt) {
		return Mono.defer(() -> {
			requireFuture(expiresAt, this.clock.instant());
			KeyText text = KeyText.random(this.cell.name());
			ApiKey key = key(scope, domainId, name(name), text, (permissions != null)
					? names(permissions(permissions, false)) : List.of(Permission.EVERYTHING.contractName()),
					expiresAt);
			Mono<ApiKey> created = this.store.domainStatus(scope, domainId)
				.switchIfEmpty(
						Mono.error(() -> ApiKeyRefusals.DOMAIN_NOT_FOUND.because("There is no domain " + domainId)))
				.filter(Domain.Status::maySend)
				.switchIfEmpty(Mono.error(() -> ApiKeyRefusals.DOMAIN_NOT_VERIFIED.because(
						"An API key needs a verified domain: publish the records that GET /domains/:id returns, then "
								+ "POST /domains/:id/verify")))
				.flatMap((_) -> insert(scope, key, text, Map.of()));
			return this.transactions.in(scope, created).map((stored) -> new ApiKey.Issued(stored, text.text()));
		});
	}

	/**
	 * Creates a key of the whole account.
	 * @param creator the role of the person who creates it
	 * @param permissions required
	 * @param expiresAt the time from which it is refused; null for none
	 * @throws dev.mailroom.Refused {@code Invalid request data}, {@code Forbidden} if the
	 * creator has not the right behind a permission, or {@code Duplicate name}
	 */
	public Mono<ApiKey.Issued> createForAccount(Scope scope, MemberRole creator, @Nullable String name,
			@Nullable List<@Nullable String> permissions, @Nullable Instant expiresAt) {
		return Mono
			.defer(() -> create(scope, wanted(creator, name, permissions, expiresAt, this.clock.instant()), Map.of()));
	}

	/**
	 * Checks a key of the whole account that is to be created.
	 * @throws dev.mailroom.Refused as {@link #createForAccount}, except
	 * {@code Duplicate name}
	 */
	static Wanted wanted(MemberRole creator, @Nullable String name, @Nullable List<@Nullable String> permissions,
			@Nullable Instant expiresAt, Instant now) {
		if (permissions == null) {
			throw invalid("permissions", "is required: what a key of the account may do");
		}
		requireFuture(expiresAt, now);
		return new Wanted(name(name), names(given(creator, permissions(permissions, true))), expiresAt);
	}

	/**
	 * Creates a key of the whole account.
	 * @param origin what the audit log has to show besides the key
	 * @throws dev.mailroom.Refused {@code Duplicate name}
	 */
	Mono<ApiKey.Issued> create(Scope scope, Wanted wanted, Map<String, Object> origin) {
		KeyText text = KeyText.random(this.cell.name());
		ApiKey key = key(scope, null, wanted.name(), text, wanted.permissions(), wanted.expiresAt());
		return this.transactions.in(scope, insert(scope, key, text, origin))
			.map((stored) -> new ApiKey.Issued(stored, text.text()));
	}

	private ApiKey key(Scope scope, @Nullable UUID domain, String name, KeyText text, List<String> permissions,
			@Nullable Instant expiresAt) {
		return new ApiKey(this.ids.generate(), scope.account(), domain, name, text.prefix(), permissions,
				this.clock.instant(), expiresAt, null, scope.person().account(), null);
	}

	private Mono<ApiKey> insert(Scope scope, ApiKey key, KeyText text, Map<String, Object> origin) {
		Map<String, Object> details = details(key);
		details.putAll(origin);
		return this.store.insert(key, text.hash())
			.switchIfEmpty(Mono.error(() -> duplicate(key.name())))
			.delayUntil((stored) -> this.audits.record(scope, Act.API_KEY_CREATED, stored.id(), details));
	}

	/** Lists the account's keys, newest first, and counts them. */
	public Mono<Page<ApiKey>> list(Scope scope, Page.Request page) {
		return this.transactions.list(scope, read(scope, page)
			.flatMap((keys) -> this.store.count(scope).map((total) -> Page.of(keys, page, total))));
	}

	/** The keys of a page, newest first. They are not counted. */
	public Mono<List<ApiKey>> read(Scope scope, Page.Request page) {
		return this.transactions.list(scope, this.store.list(scope, page).collectList());
	}

	/**
	 * Finds one of the account's keys.
	 * @throws dev.mailroom.Refused {@code API key not found}
	 */
	public Mono<ApiKey> find(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, id)).switchIfEmpty(Mono.error(() -> notFound(id)));
	}

	/**
	 * Changes a key's name or permissions; null leaves them unchanged.
	 * @param changer the role of the person who changes it
	 * @throws dev.mailroom.Refused {@code Invalid request data}, {@code Forbidden} if the
	 * changer has not the right behind a permission, {@code Duplicate name} or
	 * {@code API key not found}
	 */
	public Mono<ApiKey> update(Scope scope, MemberRole changer, UUID id, @Nullable String name,
			@Nullable List<@Nullable String> permissions) {
		return Mono.defer(() -> {
			String newName = (name != null) ? name(name) : null;
			if (permissions != null) {
				// Names that no key has are refused before the key is looked up.
				permissions(permissions, true);
			}
			Mono<ApiKey> changed = this.store.find(scope, id)
				.flatMap((key) -> this.store.update(scope, id, (newName != null) ? newName : key.name(),
						(permissions != null) ? names(given(changer, permissions(permissions, key.domainId() == null)))
								: key.permissions()))
				.delayUntil((key) -> this.audits.record(scope, Act.API_KEY_CHANGED, id, details(key)));
			return this.transactions.in(scope, changed)
				.doOnNext((_) -> this.cache.remove(id))
				.onErrorMap(DuplicateKeyException.class, (_) -> duplicate(String.valueOf(newName)))
				.switchIfEmpty(Mono.error(() -> notFound(id)));
		});
	}

	/**
	 * Replaces a key with one of the same name, domain, permissions and lifetime. The old
	 * one gets another name, and is refused after 24 hours.
	 * @param rotator the role of the person who replaces it
	 * @throws dev.mailroom.Refused {@code Forbidden} if the rotator has not the right
	 * behind a permission, or {@code API key not found}
	 */
	public Mono<ApiKey.Issued> rotate(Scope scope, MemberRole rotator, UUID id) {
		return Mono.defer(() -> {
			Instant now = this.clock.instant();
			KeyText text = KeyText.random(this.cell.name());
			Mono<ApiKey> rotated = this.store.find(scope, id)
				.doOnNext((old) -> given(rotator, permissions(List.copyOf(old.permissions()), old.domainId() == null)))
				.delayUntil((old) -> this.store.retire(scope, id, retiredName(old), now.plus(OVERLAP)))
				.flatMap((old) -> insert(scope,
						key(scope, old.domainId(), old.name(), text, old.permissions(), (old.expiresAt() != null)
								? now.plus(Duration.between(old.createdAt(), old.expiresAt())) : null),
						text, Map.of("replaces", id.toString())));
			return this.transactions.in(scope, rotated)
				.doOnNext((_) -> this.cache.remove(id))
				.map((stored) -> new ApiKey.Issued(stored, text.text()))
				.switchIfEmpty(Mono.error(() -> notFound(id)));
		});
	}

	/** Unique, as it ends with the prefix. */
	private static String retiredName(ApiKey old) {
		int length = Math.min(old.name().length(), MAX_NAME_LENGTH - old.prefix().length() - 1);
		return old.name().substring(0, length) + " " + old.prefix();
	}

	/**
	 * Revokes a key with immediate effect.
	 * @throws dev.mailroom.Refused {@code API key not found}
	 */
	public Mono<Void> delete(Scope scope, UUID id) {
		Mono<String> deleted = this.store.delete(scope, id)
			.delayUntil((name) -> this.audits.record(scope, Act.API_KEY_REVOKED, id, Map.of("name", name)));
		return this.transactions.in(scope, deleted)
			.doOnNext((_) -> this.cache.remove(id))
			.switchIfEmpty(Mono.error(() -> notFound(id)))
			.then();
	}

	private static Map<String, Object> details(ApiKey key) {
		Map<String, Object> details = new LinkedHashMap<>(Map.of("name", key.name(), "permissions", key.permissions()));
		if (key.domainId() != null) {
			details.put("domain_id", key.domainId());
		}
		else {
			details.put("account", true);
		}
		if (key.expiresAt() != null) {
			details.put("expires_at", key.expiresAt().toString());
		}
		return details;
	}

	private Mono<Void> recordUse(ApiKeyStore.StoredKey key) {
		Instant now = this.clock.instant();
		if (key.lastUsedAt() != null && key.lastUsedAt().isAfter(now.minus(LAST_USE_INTERVAL))) {
			return Mono.empty();
		}
		this.cache.usedAt(key, now);
		Scope scope = Scope.of(key.accountId());
		Mono<Void> used = ClientNetwork.address().flatMap((address) -> this.store.setUsed(scope, key.id(), address));
		return this.transactions.in(scope, used).onErrorResume((ex) -> {
			log.debug("The time of the last use of API key {} was not stored", key.prefix(), ex);
			return Mono.empty();
		});
	}

	private static String name(@Nullable String name) {
		String trimmed = (name != null) ? name.strip() : "";
		if (trimmed.isEmpty() || trimmed.length() > MAX_NAME_LENGTH
				|| trimmed.chars().anyMatch(EmailAddress::breaksALine)) {
			throw invalid("keyName", "is required: one line of at most " + MAX_NAME_LENGTH + " characters");
		}
		return trimmed;
	}

	private static Set<Permission> permissions(List<@Nullable String> names, boolean ofAccount) {
		Set<Permission> permissions = new LinkedHashSet<>();
		for (String name : names) {
			permissions.add(Permission.parse(name)
				.filter((permission) -> ofAccount || permission.isOfDomainKeys())
				.orElseThrow(() -> invalid("permissions", "may be " + String.join(", ", Permission.names(ofAccount)))));
		}
		if (permissions.isEmpty()) {
			throw invalid("permissions", "must name at least one permission");
		}
		return permissions;
	}

	/** Refuses permissions that stand for a right which the role does not have. */
	private static Set<Permission> given(MemberRole role, Set<Permission> permissions) {
		permissions.stream().filter((permission) -> !permission.mayBeGivenBy(role)).findFirst().ifPresent((missing) -> {
			throw ApiKeyRefusals.FORBIDDEN.because("Your role in this account, " + role.contractName()
					+ ", does not permit a key with the permission " + missing.contractName() + ".");
		});
		return permissions;
	}

	private static List<String> names(Set<Permission> permissions) {
		return permissions.stream().map(Permission::contractName).toList();
	}

	private static void requireFuture(@Nullable Instant expiresAt, Instant now) {
		if (expiresAt != null && !expiresAt.isAfter(now)) {
			throw invalid("expires_at", "must be in the future");
		}
	}

	private static RuntimeException invalid(String field, String message) {
		return Refusal.INVALID_REQUEST.field(field, message);
	}

	private static RuntimeException duplicate(String name) {
		return ApiKeyRefusals.DUPLICATE.because("There is already an API key named " + name);
	}

	private static RuntimeException notFound(UUID id) {
		return ApiKeyRefusals.NOT_FOUND.because("There is no API key " + id);
	}

	/** A checked key of the whole account that is to be created. */
	record Wanted(String name, List<String> permissions, @Nullable Instant expiresAt) {
	}

}
