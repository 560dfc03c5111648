package dev.mailroom.mail.accept;

import java.util.List;

import dev.mailroom.Await;
import dev.mailroom.DatabaseProxy;
import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/** Accepting mail while the connection to the database stands still or breaks. */
@SpringBootTest(classes = WithCore.Features.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@ContextConfiguration(initializers = { TestDatabase.class, FrozenDatabaseTest.Proxied.class })
class FrozenDatabaseTest {

	private static final DatabaseProxy PROXY = DatabaseProxy.start();

	@Autowired
	Acceptor acceptor;

	private final Scope scope = Given.sender("unlimited");

	@AfterEach
	void restore() {
		PROXY.thaw();
		PROXY.setDown(false);
	}

	@Test
	void aFrozenDatabaseIsUnavailableAndMailIsAcceptedAgainAfterwards() {
		assertThat(result("before")).isEqualTo("ok");
		PROXY.freeze();
		List<String> frozen = Await.await(Flux.range(0, 6).flatMap((i) -> named("frozen " + i)).collectList());
		assertThat(frozen).hasSize(6).containsOnly("Service unavailable");
		PROXY.thaw();
		accepted(6);
	}

	@Test
	void aDatabaseThatIsDownIsUnavailableAndMailIsAcceptedAgainAfterwards() {
		assertThat(result("before")).isEqualTo("ok");
		PROXY.setDown(true);
		Refused refused = Await.awaitRefusal("Service unavailable",
				this.acceptor.accept(Requests.keyed(this.scope, "down")));
		assertThat(refused.retryAfter()).isNotNull();
		PROXY.setDown(false);
		accepted(0);
		assertThat(result("down")).isEqualTo("ok");
	}

	@Test
	void aCommitWhoseConfirmationIsLostIsUnavailableAndTheRetryGetsTheStoredResult() {
		unconfirmed("lost", true);
		SendResult retry = Await.await(this.acceptor.accept(Requests.keyed(this.scope, "lost")));
		assertThat(retry.replayed()).isTrue();
		assertThat(mails()).containsExactly("1");
	}

	@Test
	void aCommitThatDoesNotArriveIsUnavailableAndTheRetrySendsOnce() {
		unconfirmed("missed", false);
		SendResult retry = Await.await(this.acceptor.accept(Requests.keyed(this.scope, "missed")));
		assertThat(retry.replayed()).isFalse();
		assertThat(mails()).containsExactly("1");
	}

	private void unconfirmed(String key, boolean forward) {
		PROXY.cutAt("COMMIT", forward);
		Refused refused = Await.awaitRefusal("Service unavailable",
				this.acceptor.accept(Requests.keyed(this.scope, key)));
		assertThat(refused.retryAfter()).isNotNull();
		assertThat(PROXY.hasCut()).isTrue();
	}

	/** Requests are accepted; each request is stored at most once. */
	private void accepted(int keys) {
		Await.until("mail is accepted again", () -> "ok".equals(result("after")));
		for (int i = 0; i < keys; i++) {
			assertThat(result("frozen " + i)).isEqualTo("ok");
		}
		assertThat(mails()).containsExactly(Integer.toString(keys + 2));
	}

	private List<String> mails() {
		return Given.rows("select count(*) from email where account_id = '%s'", this.scope.account());
	}

	private String result(String key) {
		return Await.await(named(key));
	}

	private Mono<String> named(String key) {
		return Await.errorName(this.acceptor.accept(Requests.keyed(this.scope, key)));
	}

	/** Connects through the proxy, with short limits. */
	static final class Proxied implements ApplicationContextInitializer<ConfigurableApplicationContext> {

		@Override
		public void initialize(ConfigurableApplicationContext context) {
			TestPropertyValues
				.of("spring.r2dbc.url=r2dbc:" + PROXY.url(), "mailroom.database.connect-timeout=2s",
						"mailroom.database.accepting.timeout=1s", "mailroom.accept.loops=1")
				.applyTo(context);
		}

	}

}
