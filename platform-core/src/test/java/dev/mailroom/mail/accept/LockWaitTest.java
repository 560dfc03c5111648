package dev.mailroom.mail.accept;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import dev.mailroom.mail.draft.CheckedMail;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests that wait for a lock which another transaction holds. */
@WithCore
@Execution(ExecutionMode.CONCURRENT)
class LockWaitTest {

	@Autowired
	Acceptor acceptor;

	@Autowired
	Committer committer;

	private final Scope locked = Given.sender("unlimited");

	private final Scope free = Given.sender("unlimited");

	private Connection holder;

	@BeforeEach
	void open() throws SQLException {
		this.holder = TestDatabase.connect("mailroom");
		this.holder.setAutoCommit(false);
	}

	@AfterEach
	void close() throws SQLException {
		this.holder.rollback();
		this.holder.close();
	}

	@Test
	void aRequestWhoseKeyIsHeldIsRefusedAndDelaysNoOtherAccount() throws SQLException {
		holdKey("held");
		List<String> order = Await.await(Flux.merge(named("held", keyed(this.locked, "held")),
				named("free", keyed(this.free, "free")), named("free", single(this.free)))
			.collectList());
		assertThat(order).containsExactly("free ok", "free ok", "held Request in progress");
	}

	@Test
	void anotherRequestOfTheAccountIsAcceptedWhileAKeyIsHeld() throws SQLException {
		holdKey("held");
		List<String> results = Await.await(Flux.merge(named("held", keyed(this.locked, "held")),
				named("other", single(this.locked)), named("other", keyed(this.locked, "other")))
			.collectList());
		assertThat(results).containsExactlyInAnyOrder("held Request in progress", "other ok", "other ok");
	}

	@Test
	void aRequestWhoseQuotaIsLockedIsUnavailableAndDelaysNoOtherAccount() throws SQLException {
		assertThat(Await.await(named("first", single(this.locked)))).isEqualTo("first ok");
		hold("update quota_use set used = used where account_id = '" + this.locked.account() + "'");
		List<String> order = Await
			.await(Flux.merge(named("locked", keyed(this.locked, "key")), named("locked", single(this.locked)),
					named("free", single(this.free)), named("free", single(this.free)))
				.collectList());
		assertThat(order).containsExactly("free ok", "free ok", "locked Service unavailable",
				"locked Service unavailable");
		this.holder.rollback();
		assertThat(Await.await(named("locked", keyed(this.locked, "key")))).isEqualTo("locked ok");
		assertThat(Given.rows("select count(*) from email where account_id = '%s'", this.locked.account()))
			.containsExactly("2");
	}

	@Test
	void aRefusalBecauseOfALockAsksForARetry() throws SQLException {
		Await.await(this.acceptor.accept(single(this.locked)));
		hold("update quota_use set used = used where account_id = '" + this.locked.account() + "'");
		Refused refused = Await.awaitRefusal("Service unavailable", this.acceptor.accept(single(this.locked)));
		assertThat(refused.retryAfter()).isNotNull();
	}

	@Test
	void anAccountThatALockRefusedStaysApartSoThatNoGroupWaitsForTheLockAgain() throws SQLException {
		Await.await(this.acceptor.accept(single(this.locked)));
		assertThat(this.committer.lockedAccounts.contains(this.locked.account())).isFalse();
		hold("update quota_use set used = used where account_id = '" + this.locked.account() + "'");
		Await.awaitRefusal("Service unavailable", this.acceptor.accept(single(this.locked)));
		assertThat(this.committer.lockedAccounts.contains(this.locked.account())).isTrue();
		Await.awaitRefusal("Service unavailable", this.acceptor.accept(single(this.locked)));
		assertThat(this.committer.lockedAccounts.contains(this.locked.account())).isTrue();
		assertThat(this.committer.lockedAccounts.contains(this.free.account())).isFalse();
		this.holder.rollback();
		// Accounts of the other tests that wait for a lock take their turns as well.
		Await.until("the account sends again",
				() -> Await.await(named("locked", single(this.locked))).equals("locked ok"));
	}

	@Test
	void accountsArriveInTheMainQueueAgainWhenTheLockIsReleased() throws SQLException {
		holdKey("held");
		Mono<String> waiting = named("held", keyed(this.locked, "held")).cache();
		Flux<String> both = Flux.merge(waiting, named("free", single(this.free)).doOnNext((_) -> release()));
		assertThat(Await.await(both.collectList())).containsExactly("free ok", "held ok");
	}

	private void release() {
		try {
			this.holder.rollback();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void holdKey(String key) throws SQLException {
		hold("insert into idempotency_key (account_id, route, key, body_hash, status, answer) values ('"
				+ this.locked.account() + "', 'POST /emails', '" + key + "', 'hash', 0, '')");
	}

	private void hold(String sql) throws SQLException {
		try (Statement statement = this.holder.createStatement()) {
			statement.execute(sql);
		}
	}

	private static SendRequest single(Scope scope) {
		return SendRequest.of(scope, later(scope));
	}

	private static SendRequest keyed(Scope scope, String key) {
		return Requests.keyed(scope, key, later(scope));
	}

	/** A mail that is scheduled, so that tests of the queue do not lease it. */
	private static CheckedMail later(Scope scope) {
		return CheckedMails.scheduled(scope, Instant.now().plus(Duration.ofDays(1)));
	}

	private Mono<String> named(String name, SendRequest request) {
		return Await.errorName(this.acceptor.accept(request)).map((result) -> name + " " + result);
	}

}
