package dev.mailroom.account;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.errorName;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class ApiKeyTest {

	@Autowired
	ApiKeys keys;

	@Autowired
	ApiKeyStore store;

	@Autowired
	Throttle throttle;

	private final Scope scope = Scope.of(Given.account("free"));

	private final UUID domain = Given.domain(this.scope.account());

	@Test
	void aKeyIsValidWithItsCompleteTextOnly() {
		ApiKey.Issued issued = create("one");
		assertThat(issued.text()).matches("ek_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}").startsWith(issued.key().prefix());
		ApiKey found = await(this.keys.authenticate(issued.text()));
		assertThat(found.id()).isEqualTo(issued.key().id());
		assertThat(found.permissions()).containsExactly("send");
		String text = issued.text();
		char last = text.charAt(text.length() - 8);
		String typo = text.substring(0, text.length() - 8) + ((last == 'a') ? 'b' : 'a')
				+ text.substring(text.length() - 7);
		assertThat(await(this.keys.authenticate(typo))).isNull();
		KeyText other = KeyText.random("");
		assertThat(await(this.keys.authenticate(new KeyText(issued.key().prefix(), other.secret()).text()))).isNull();
		assertThat(await(this.keys.authenticate(other.text()))).isNull();
		assertThat(await(this.keys.find(this.scope, issued.key().id())).lastUsedAt()).isNotNull();
	}

	@Test
	void theSecretIsNotStored() {
		String text = create("one").text();
		String secret = text.substring(text.lastIndexOf('_') + 1);
		assertThat(
				Given.rows("select count(*) from api_key where api_key::text like '%%%s%%'", secret.substring(0, 20)))
			.containsExactly("0");
	}

	@Test
	void revokedKeysAndKeysOfADeletedDomainAreInvalid() {
		ApiKey.Issued revoked = create("one");
		await(this.keys.delete(this.scope, revoked.key().id()));
		assertThat(await(this.keys.authenticate(revoked.text()))).isNull();
		awaitRefusal("API key not found", this.keys.delete(this.scope, revoked.key().id()));
		ApiKey.Issued orphan = create("two");
		Given.run("delete from domain where id = '%s'", this.domain);
		assertThat(await(this.keys.authenticate(orphan.text()))).isNull();
	}

	@Test
	void aKeyThatIsRevokedWhileItIsReadIsNotCached() throws Exception {
		ApiKeyCache cache = new ApiKeyCache(this.store, this.throttle, System::nanoTime);
		ApiKey key = create("one").key();
		CompletableFuture<ApiKeyStore.StoredKey> read;
		try (Connection lock = TestDatabase.connect("mailroom"); Statement statement = lock.createStatement()) {
			lock.setAutoCommit(false);
			statement.execute("lock table api_key in access exclusive mode");
			read = cache.find(key.prefix()).toFuture();
			Await.until("the read", () -> !Given.rows("select pid from pg_locks where not granted").isEmpty());
			cache.remove(key.id());
			lock.rollback();
		}
		assertThat(read.get(30, TimeUnit.SECONDS)).isNotNull();
		Given.run("delete from api_key where id = '%s'", key.id());
		assertThat(isEmpty(cache.find(key.prefix()))).isTrue();
	}

	@Test
	void theUseOfAKeyDoesNotDelayItsRevocationOnOtherInstances() {
		AtomicLong nanos = new AtomicLong();
		ApiKeyCache other = new ApiKeyCache(this.store, this.throttle, nanos::get);
		ApiKey.Issued key = create("one");
		String prefix = key.key().prefix();
		ApiKeyStore.StoredKey stored = await(other.find(prefix));
		nanos.addAndGet(Duration.ofMillis(3900).toNanos());
		other.usedAt(stored, Instant.EPOCH);
		await(this.keys.delete(this.scope, key.key().id()));
		assertThat(await(other.find(prefix)).lastUsedAt()).as("still cached").isEqualTo(Instant.EPOCH);
		nanos.addAndGet(Duration.ofMillis(200).toNanos());
		assertThat(isEmpty(other.find(prefix))).isTrue();
	}

	@Test
	void anUnknownKeyIsNotReadAgainForAShortTime() {
		AtomicLong nanos = new AtomicLong();
		ApiKeyCache cache = new ApiKeyCache(this.store, this.throttle, nanos::get);
		String prefix = create("one").key().prefix();
		Given.run("update api_key set prefix = 'other' || prefix where prefix = '%s'", prefix);
		assertThat(isEmpty(cache.find(prefix))).isTrue();
		Given.run("update api_key set prefix = '%s' where prefix = 'other%s'", prefix, prefix);
		assertThat(isEmpty(cache.find(prefix))).isTrue();
		nanos.addAndGet(Duration.ofSeconds(5).toNanos());
		assertThat(await(cache.find(prefix))).isNotNull();
	}

	@Test
	void aKeyRequiresAVerifiedDomainOfTheAccount() {
		awaitRefusal("Domain not found", this.keys.create(this.scope, UUID.randomUUID(), "a", null));
		awaitRefusal("Domain not found", this.keys.create(this.scope, Given.domain(Given.account("free")), "a", null));
		Given.run("update domain set status = 'pending' where id = '%s'", this.domain);
		awaitRefusal("Domain not verified", this.keys.create(this.scope, this.domain, "a", null));
	}

	@Test
	void namesAreUniqueUnderConcurrencyAndPermissionsAreValidated() {
		List<String> outcomes = await(Flux.range(0, 8)
			.flatMap((_) -> errorName(this.keys.create(this.scope, this.domain, "same", null)), 8)
			.collectList());
		assertThat(outcomes).filteredOn("ok"::equals).hasSize(1);
		assertThat(outcomes).filteredOn("Duplicate name"::equals).hasSize(7);
		awaitRefusal("Invalid request data", this.keys.create(this.scope, this.domain, "b", List.of("everything")));
		awaitRefusal("Invalid request data", this.keys.create(this.scope, this.domain, "b", List.of()));
		for (String name : new String[] { null, "", " ", "a\nb", "x".repeat(101) }) {
			awaitRefusal("Invalid request data", this.keys.create(this.scope, this.domain, name, null));
		}
	}

	@Test
	void aKeyCanBeRenamedAndNarrowedButNotToATakenName() {
		ApiKey first = create("first").key();
		ApiKey second = create("second").key();
		ApiKey changed = await(
				this.keys.update(this.scope, MemberRole.DEVELOPER, second.id(), "third", List.of("emails.read")));
		assertThat(changed.name()).isEqualTo("third");
		assertThat(changed.permissions()).containsExactly("emails.read");
		awaitRefusal("Duplicate name", this.keys.update(this.scope, MemberRole.DEVELOPER, second.id(), "first", null));
		Scope other = Scope.of(Given.account("free"));
		awaitRefusal("API key not found", this.keys.update(other, MemberRole.DEVELOPER, first.id(), "x", null));
		awaitRefusal("API key not found", this.keys.find(other, first.id()));
		Page<ApiKey> listed = await(this.keys.list(this.scope, new Page.Request(1, 50)));
		assertThat(listed.items()).extracting(ApiKey::id).containsExactly(second.id(), first.id());
	}

	@Test
	void aKeyOfTheAccountHasNoDomainAndOutlivesItsDomains() {
		ApiKey.Issued issued = createForAccount(MemberRole.OWNER, "all", null, "templates.write", "emails.send");
		Given.run("delete from domain where id = '%s'", this.domain);
		ApiKey found = await(this.keys.authenticate(issued.text()));
		assertThat(found.domainId()).isNull();
		assertThat(found.permissions()).containsExactly("templates.write", "emails.send");
		assertThat(found.scope()).isEqualTo(new Scope(this.scope.account(), null, found.id(), null, false));
		assertThat(Given.rows("select details ->> 'account' from audit where target = '%s'", found.id()))
			.containsExactly("true");
	}

	@Test
	void aKeyIsRefusedFromTheTimeAtWhichItExpires() {
		Instant expiry = Instant.now().plusSeconds(3600);
		ApiKey.Issued issued = createForAccount(MemberRole.OWNER, "all", expiry, "usage.read");
		assertThat(issued.key().isExpired(issued.key().expiresAt().minusMillis(1))).isFalse();
		assertThat(issued.key().isExpired(issued.key().expiresAt())).isTrue();
		Given.run("update api_key set expires_at = now() where id = '%s'", issued.key().id());
		assertThat(isEmpty(this.keys.authenticate(issued.text()))).isTrue();
		assertThat(Given.rows("select last_used_at from api_key where id = '%s' and last_used_at is not null",
				issued.key().id()))
			.isEmpty();
		awaitRefusal("Invalid request data", this.keys.createForAccount(this.scope, MemberRole.OWNER, "past",
				List.of("usage.read"), Instant.now().minusSeconds(1)));
	}

	@Test
	void aKeyGetsNoPermissionThatItsCreatorsRoleDoesNotPermit() {
		for (String permission : List.of("contacts.write", "campaigns.write", "campaigns.send", "suppressions.write")) {
			awaitRefusal("Forbidden", this.keys.createForAccount(this.scope, MemberRole.DEVELOPER, "k",
					List.of("domains.write", permission), null));
		}
		ApiKey key = createForAccount(MemberRole.ADMIN, "admins", null, "campaigns.send").key();
		awaitRefusal("Forbidden",
				this.keys.update(this.scope, MemberRole.DEVELOPER, key.id(), null, List.of("campaigns.send")));
		assertThat(await(this.keys.update(this.scope, MemberRole.DEVELOPER, key.id(), "renamed", null)).permissions())
			.containsExactly("campaigns.send");
	}

	@Test
	void theKeyOfADomainHasNoPermissionOfTheAccount() {
		awaitRefusal("Invalid request data",
				this.keys.create(this.scope, this.domain, "k", List.of("emails.send", "templates.read")));
		ApiKey key = create("k").key();
		awaitRefusal("Invalid request data",
				this.keys.update(this.scope, MemberRole.OWNER, key.id(), null, List.of("templates.read")));
		assertThat(await(this.keys.create(this.scope, this.domain, "ci", List.of("emails.sandbox"))).key().scope())
			.matches(Scope::sandbox);
	}

	private ApiKey.Issued createForAccount(MemberRole creator, String name, @Nullable Instant expiry,
			String... permissions) {
		return await(
				this.keys.createForAccount(this.scope, creator, name, new ArrayList<>(List.of(permissions)), expiry));
	}

	private ApiKey.Issued create(String name) {
		return await(this.keys.create(this.scope, this.domain, name, null));
	}

}
