package dev.mailroom.mail.accept;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import dev.mailroom.database.Transactions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.r2dbc.core.DatabaseClient;

import static org.assertj.core.api.Assertions.assertThat;

/** Errors of the database and of the process while mail is accepted. */
@WithCore
@Import(AcceptFaultsTest.Listeners.class)
class AcceptFaultsTest {

	@Autowired
	Acceptor acceptor;

	@Autowired
	FailingListener listener;

	@Autowired
	Transactions transactions;

	@Autowired
	DatabaseClient database;

	private final Scope scope = Given.sender("unlimited");

	@AfterEach
	void removeFault() {
		Given.run("drop trigger if exists fault on email; drop function if exists test_fault cascade; "
				+ "drop sequence if exists test_fault_count");
	}

	@Test
	void aDeadlockIsRetried() {
		fail("40P01", 2);
		assertThat(Await.await(this.acceptor.accept(Requests.single(this.scope))).mails()).hasSize(1);
	}

	@Test
	void aDeadlockThatDoesNotEndIsUnavailable() {
		fail("40P01", 1000);
		unavailable();
	}

	@Test
	void aFullDiskIsUnavailableUntilThereIsSpace() {
		fail("53100", 1000);
		unavailable();
		removeFault();
		assertThat(Await.await(this.acceptor.accept(Requests.keyed(this.scope, "full"))).replayed()).isFalse();
		assertThat(Given.rows("select count(*) from email where account_id = '%s'", this.scope.account()))
			.containsExactly("1");
	}

	@Test
	void anErrorAfterTheCommitNeitherChangesTheResultNorEndsTheLoops() {
		this.listener.failures.set(5);
		for (int i = 0; i < 10; i++) {
			assertThat(Await.await(this.acceptor.accept(Requests.single(this.scope))).mails()).hasSize(1);
		}
		assertThat(this.acceptor.isAlive()).isTrue();
	}

	@Test
	void slowListsDoNotDelayAcceptedMail() {
		List<String> order = new ArrayList<>();
		Flux<String> lists = Flux.range(0, 12)
			.flatMap((_) -> this.transactions
				.list(this.scope, this.database.sql("select pg_sleep(1)::text").mapValue(String.class).one())
				.thenReturn("list")
				.onErrorReturn("list"), 12);
		Await.await(Flux
			.merge(lists,
					Flux.range(0, 5)
						.concatMap((_) -> this.acceptor.accept(Requests.single(this.scope)).thenReturn("accepted")))
			.doOnNext(order::add)
			.then());
		assertThat(order.subList(0, 5)).containsOnly("accepted");
		assertThat(order).hasSize(17);
	}

	@Test
	void aLoopThatEndedIsReportedAndItsRequestsAreUnavailable() {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(WithCore.Features.class)
			.web(WebApplicationType.NONE)
			.run("--spring.r2dbc.url=r2dbc:" + TestDatabase.URL, "--spring.r2dbc.username=" + TestDatabase.APP,
					"--spring.r2dbc.password=" + TestDatabase.PASSWORD,
					"--mailroom.master-key=bWFpbHJvb20tbWFpbHJvb20tbWFpbHJvb20tbWFpbCE=")) {
			Acceptor own = context.getBean(Acceptor.class);
			assertThat(own.isAlive()).isTrue();
			Set<Thread> loops = new HashSet<>(Thread.getAllStackTraces().keySet());
			loops.removeAll(before);
			loops.stream().filter((thread) -> thread.getName().equals("committer-1")).forEach(Thread::interrupt);
			Await.until("the loop has ended", () -> !own.isAlive());
			Await.until("its requests are refused", () -> "Service unavailable"
				.equals(Await.await(Await.errorName(own.accept(Requests.single(this.scope))))));
		}
	}

	private void unavailable() {
		Refused refused = Await.awaitRefusal("Service unavailable",
				this.acceptor.accept(Requests.keyed(this.scope, "full")));
		assertThat(refused.retryAfter()).isNotNull();
	}

	/** Lets the first inserts of the account's mails fail with a SQLSTATE. */
	private void fail(String state, int times) {
		Given.run("create sequence test_fault_count; grant usage on sequence test_fault_count to public; "
				+ "create function test_fault() returns trigger language plpgsql as $$ begin "
				+ "if nextval('test_fault_count') <= %2$d then raise exception 'fault' using errcode = '%1$s'; end if; "
				+ "return new; end $$", state, times);
		Given.run("create trigger fault before insert on email for each row when (new.account_id = '%s') "
				+ "execute function test_fault()", this.scope.account());
	}

	/** A listener of the core's events that fails. */
	static final class FailingListener {

		final AtomicInteger failures = new AtomicInteger();

		@EventListener
		void on(MailAccepted accepted) {
			if (this.failures.getAndDecrement() > 0) {
				throw new AssertionError("a listener failed");
			}
		}

	}

	/**
	 * Not annotated: a scan of the package would add it to the tests of other modules.
	 */
	static class Listeners {

		@Bean
		FailingListener failingListener() {
			return new FailingListener();
		}

	}

}
