package dev.mailroom.api.http;

import java.time.Duration;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.transaction.CannotCreateTransactionException;

import static org.assertj.core.api.Assertions.assertThat;

class OutageTest {

	@Test
	void anUnavailableDatabaseIsAnswered503() {
		for (Throwable outage : new Throwable[] { new DataAccessResourceFailureException("no connection"),
				new CannotCreateTransactionException("no connection"),
				new IllegalStateException(new R2dbcNonTransientResourceException("gone", "57P01")) }) {
			Refused refused = refused(outage);
			assertThat(refused.refusal().kind()).isEqualTo(Refusal.Kind.UNAVAILABLE);
			assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(1));
		}
	}

	@Test
	void aRejectedRowIsAnInternalError() {
		assertThat(refused(new DataIntegrityViolationException("no")).refusal().kind()).isEqualTo(Refusal.Kind.FAULT);
	}

	private static Refused refused(Throwable error) {
		return new Refusals().convert(MockServerWebExchange.from(MockServerHttpRequest.get("/api/emails")), error);
	}

}
