package dev.mailroom.account;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import com.nimbusds.jose.jwk.JWK;
import dev.mailroom.Given;
import dev.mailroom.WithCore;
import dev.mailroom.database.Transactions;
import dev.mailroom.secret.Seal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;

/** Replaces the stored keys, which other tests use too, and restores them afterwards. */
@WithCore
class KeyRingTest {

	@Autowired
	SigningKeyStore store;

	@Autowired
	Seal seal;

	@Autowired
	Transactions transactions;

	@Autowired
	NoArgGenerator ids;

	private final TestClock clock = new TestClock();

	@BeforeEach
	void saveKeys() {
		Given.run("create table saved_key as select * from signing_key");
		Given.run("delete from signing_key");
	}

	@AfterEach
	void restoreKeys() {
		Given.run("delete from signing_key");
		Given.run("insert into signing_key select * from saved_key");
		Given.run("drop table saved_key");
	}

	@Test
	void concurrentRequestsCreateOneFirstKey() {
		Set<String> signers = new HashSet<>(await(Flux.range(0, 8)
			.map((_) -> ring())
			.flatMap((ring) -> ring.current(), 8)
			.map(this::signer)
			.collectList()));
		assertThat(signers).hasSize(1);
		assertThat(Given.rows("select id from signing_key")).hasSize(1);
	}

	@Test
	void aKeyIsPublishedBeforeItSignsAndItsPredecessorIsKeptUntilItsTokensExpire() {
		KeyRing ring = ring();
		String first = signer(await(ring.current()));
		this.clock.advance(Duration.ofDays(30));
		KeySet both = await(ring.current());
		assertThat(published(both)).hasSize(2).contains(first);
		assertThat(signer(both)).isEqualTo(first);
		this.clock.advance(KeySet.PUBLICATION_LEAD);
		String second = signer(await(ring.current()));
		assertThat(second).isNotEqualTo(first);
		this.clock.advance(AccessTokens.LIFETIME);
		assertThat(await(ring.named(first)).getKeyID()).isEqualTo(first);
		this.clock.advance(Duration.ofMinutes(10));
		assertThat(published(await(ring.current()))).containsExactly(second);
		assertThat(isEmpty(ring.named(first))).isTrue();
	}

	@Test
	void aKeyOfAnotherInstanceIsFoundImmediately() {
		KeyRing ring = ring();
		await(ring.current());
		this.clock.advance(Duration.ofSeconds(5));
		Given.run("delete from signing_key");
		String otherKey = signer(await(ring().current()));
		assertThat(await(ring.named(otherKey)).getKeyID()).isEqualTo(otherKey);
		assertThat(isEmpty(ring.named(UUID.randomUUID().toString()))).isTrue();
	}

	@Test
	void keysAreSealedInTheDatabase() {
		await(ring().current());
		assertThat(Given.rows("select position('P-256'::bytea in sealed_jwk) from signing_key")).containsExactly("0");
	}

	private KeyRing ring() {
		TokenSettings settings = new TokenSettings("issuer", "audience", Duration.ofDays(30));
		return new KeyRing(this.store, this.seal, this.transactions, this.ids, this.clock, settings);
	}

	private String signer(KeySet ring) {
		return ring.signer(this.clock.instant()).getKeyID();
	}

	private static List<String> published(KeySet ring) {
		return ring.published().getKeys().stream().map(JWK::getKeyID).toList();
	}

	/** A clock that a test advances. */
	private static final class TestClock extends Clock {

		private volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");

		void advance(Duration time) {
			this.now = this.now.plus(time).plusSeconds(1);
		}

		@Override
		public Instant instant() {
			return this.now;
		}

		@Override
		public ZoneId getZone() {
			return ZoneId.of("UTC");
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

	}

}
