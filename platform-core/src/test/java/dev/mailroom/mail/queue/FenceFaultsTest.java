package dev.mailroom.mail.queue;

import java.time.Duration;
import java.util.List;

import dev.mailroom.Await;
import dev.mailroom.DatabaseProxy;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import dev.mailroom.mail.outcome.FenceStep;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfiguration;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** The fence while the connection to the database breaks. */
@SpringBootTest(classes = WithCore.Features.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@ContextConfiguration(initializers = { TestDatabase.class, FenceFaultsTest.Proxied.class })
class FenceFaultsTest {

	private static final DatabaseProxy PROXY = DatabaseProxy.start();

	@Autowired
	Queue queue;

	private final Scope scope = Given.sender("unlimited");

	@BeforeEach
	void settleOtherAccounts() {
		Given.emptyQueueExceptFor(this.scope.account());
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void deliveriesOfAFenceWithoutConfirmationReturnToTheQueueWithoutAnAttempt(boolean committed) {
		Given.mail(this.scope, "b@c.test");
		List<Lease> leases = LeaseStep.lease(this.queue);
		// Only the first COMMIT of a connection contains its text.
		PROXY.cutAll();
		PROXY.cutAt("COMMIT", committed);
		assertThatIllegalStateException().isThrownBy(() -> this.queue.fence(leases, FenceStep.LIMIT));
		assertThat(PROXY.hasCut()).isTrue();
		returned();
	}

	@Test
	void aFenceOnAFrozenDatabaseEndsAfterItsLimitAndItsDeliveriesReturnToTheQueue() {
		Given.mail(this.scope, "b@c.test");
		List<Lease> leases = LeaseStep.lease(this.queue);
		PROXY.freeze();
		try {
			assertThatIllegalStateException().isThrownBy(() -> this.queue.fence(leases, Duration.ofMillis(500)));
		}
		finally {
			PROXY.thaw();
		}
		returned();
	}

	private void returned() {
		Await
			.until("the delivery in the queue", () -> Given
				.rows("select phase || ' ' || attempt || ' ' || ambiguous from delivery_state where account_id = '%s'",
						this.scope.account())
				.equals(List.of("queued 0 0")));
	}

	/** Connects to the database through the proxy. */
	static class Proxied implements ApplicationContextInitializer<ConfigurableApplicationContext> {

		@Override
		public void initialize(ConfigurableApplicationContext context) {
			TestPropertyValues.of("spring.r2dbc.url=r2dbc:" + PROXY.url()).applyTo(context);
		}

	}

}
