package dev.mailroom.database;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.r2dbc.core.DatabaseClient;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@WithCore
class AfterCommitTest {

	@Autowired
	Transactions transactions;

	@Autowired
	DatabaseClient database;

	private final Scope scope = Given.sender("unlimited");

	@Test
	void theWorkRunsInASecondTransactionBeforeTheResultIsReturned() {
		List<String> order = new CopyOnWriteArrayList<>();
		Mono<String> second = this.transactions.in(this.scope, transaction()).doOnNext(order::add);
		Mono<String> first = this.transactions.in(this.scope,
				this.transactions.afterCommit("Not done", second).then(transaction()));
		order.add(await(first.doOnNext((_) -> order.add("returned"))));
		assertThat(order).hasSize(3).doesNotHaveDuplicates();
		assertThat(order.get(1)).isEqualTo("returned");
	}

	@Test
	void workOfAnInnerTransactionRunsAfterTheOuterOne() {
		List<String> order = new CopyOnWriteArrayList<>();
		Mono<Void> inner = this.transactions.in(this.scope,
				this.transactions.afterCommit("Not done", Mono.fromRunnable(() -> order.add("after"))));
		await(this.transactions.in(this.scope, inner.then(Mono.fromRunnable(() -> order.add("work")))));
		assertThat(order).containsExactly("work", "after");
	}

	@Test
	void aFailureOfTheWorkDoesNotChangeTheResult() {
		Mono<?> failing = Mono.error(new IllegalArgumentException("no"));
		assertThat(await(this.transactions.in(this.scope,
				this.transactions.afterCommit("Not done", failing).thenReturn("result"))))
			.isEqualTo("result");
	}

	@Test
	void theWorkDoesNotRunAfterARollback() {
		List<String> order = new CopyOnWriteArrayList<>();
		Mono<String> rolledBack = this.transactions.in(this.scope,
				this.transactions.afterCommit("Not done", Mono.fromRunnable(() -> order.add("after")))
					.then(Mono.error(new IllegalArgumentException("no"))));
		assertThat(await(rolledBack.onErrorReturn("failed"))).isEqualTo("failed");
		assertThat(order).isEmpty();
	}

	@Test
	void thereIsNoCommitToWaitForOutsideOfATransaction() {
		Mono<String> outside = this.transactions.afterCommit("Not done", Mono.empty()).thenReturn("registered");
		assertThatIllegalStateException().isThrownBy(() -> await(outside));
	}

	private Mono<String> transaction() {
		return this.database.sql("select pg_current_xact_id()::text").mapValue(String.class).one();
	}

}
