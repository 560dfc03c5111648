package dev.mailroom.mail.accept;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class IdempotencyTest {

	private static final StoredResponse RESPONSE = new StoredResponse(201, "{\"id\":\"1\"}");

	@Autowired
	Idempotency idempotency;

	@Autowired
	Transactions transactions;

	@Autowired
	JdbcTransactions commits;

	private final UUID account = Given.account("free");

	@Test
	void aRetryFindsTheStoredResponse() {
		Claim claim = claim("key", "hash");
		assertThat(claimAndStore(claim)).isInstanceOf(Claimed.Fresh.class);
		assertThat(claimed(claim)).isEqualTo(new Claimed.Completed(RESPONSE));
	}

	@Test
	void anotherBodyWithTheSameKeyIsRefused() {
		claimAndStore(claim("key", "hash"));
		assertThat(claimed(claim("key", "other"))).isInstanceOfSatisfying(Claimed.Conflicting.class,
				(conflict) -> assertThat(conflict.refused().refusal().error()).isEqualTo("Idempotency key reused"));
	}

	@Test
	void keysOfOtherRoutesAndAccountsAreIndependent() {
		Claim claim = claim("key", "hash");
		claimAndStore(claim);
		assertThat(claimed(new Claim(this.account, "POST /other", "key", "hash"))).isInstanceOf(Claimed.Fresh.class);
		assertThat(claimed(new Claim(Given.account("free"), claim.route(), "key", "hash")))
			.isInstanceOf(Claimed.Fresh.class);
	}

	@Test
	void aReleasedKeyIsUnused() {
		Claim claim = claim("key", "hash");
		claimAndStore(claim);
		this.commits.commit(List.of(this.account), Duration.ofSeconds(5), (jdbc) -> {
			this.idempotency.release(jdbc, List.of(claim));
			return true;
		});
		assertThat(claimed(claim)).isInstanceOf(Claimed.Fresh.class);
	}

	@Test
	void aKeyExpiresAfterADay() {
		Claim claim = claim("key", "hash");
		claimAndStore(claim);
		Given.run("update idempotency_key set created_at = now() - interval '25 hours' where account_id = '%s'",
				this.account);
		assertThat(claimed(claim("key", "other"))).isInstanceOf(Claimed.Fresh.class);
	}

	@Test
	void aSecondRequestWaitsForTheFirstOne() {
		Claim claim = claim("key", "hash");
		List<Claimed> outcomes = await(
				Mono.zip(first(claim), first(claim)).map((both) -> List.of(both.getT1(), both.getT2())));
		assertThat(outcomes).containsExactlyInAnyOrder(new Claimed.Fresh(), new Claimed.Completed(RESPONSE));
	}

	@Test
	void aGroupCommitFindsAndStoresResponses() {
		Claim claim = claim("key", "hash");
		assertThat(claimedInGroup(claim)).isInstanceOf(Claimed.Fresh.class);
		assertThat(claimedInGroup(claim)).isEqualTo(new Claimed.Completed(RESPONSE));
		assertThat(claimedInGroup(claim("key", "other"))).isInstanceOf(Claimed.Conflicting.class);
	}

	private @Nullable Claimed claimedInGroup(Claim claim) {
		return this.commits
			.commit(List.of(this.account), Duration.ofSeconds(5),
					(jdbc) -> this.idempotency.claim(jdbc, Map.of(claim, RESPONSE)))
			.get(claim.name());
	}

	private Claim claim(String key, String bodyHash) {
		return new Claim(this.account, "POST /emails", key, bodyHash);
	}

	private Claimed claimAndStore(Claim claim) {
		return await(first(claim));
	}

	/** Claims a key and, if it is unused, stores the response in the same transaction. */
	private Mono<Claimed> first(Claim claim) {
		return in(outcome(claim).delayUntil((claimed) -> (claimed instanceof Claimed.Fresh)
				? this.idempotency.store(Map.of(claim, RESPONSE)) : Mono.empty()));
	}

	private Claimed claimed(Claim claim) {
		return await(this.transactions.in(Scope.of(claim.accountId()), outcome(claim)));
	}

	private Mono<Claimed> outcome(Claim claim) {
		return this.idempotency.claim(List.of(claim)).map((claimed) -> claimed.get(claim.name()));
	}

	private <T> Mono<T> in(Mono<T> work) {
		return this.transactions.in(Scope.of(this.account), work);
	}

}
