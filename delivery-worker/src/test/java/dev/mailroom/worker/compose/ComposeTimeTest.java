package dev.mailroom.worker.compose;

import java.time.Duration;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.domain.SigningKeys;
import dev.mailroom.queue.HandOver;
import dev.mailroom.queue.Lease;
import dev.mailroom.queue.Mail;
import dev.mailroom.worker.Surroundings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Surroundings.WorkerAlone
class ComposeTimeTest {

	@Autowired
	SigningKeys keys;

	@Autowired
	RecipientRendering rendering;

	@Test
	void aMailThatTakesTooLongFailsWithAReason() {
		Headers headers = new Headers();
		Composer composer = new Composer(this.keys, this.rendering, new SimpleMeterRegistry(), Duration.ofMillis(1));
		try {
			assertThatThrownBy(() -> await(composer.compose(handOver(headers)))).isInstanceOf(Unrenderable.class)
				.hasMessage("The mail could not be composed within 10 seconds");
		}
		finally {
			headers.readable.release(Integer.MAX_VALUE);
			composer.destroy();
		}
	}

	private static HandOver handOver(Map<String, String> headers) {
		Scope scope = Given.sender("free");
		Mail mail = new Mail("a@b.test", List.of("c@d.test"), List.of(), List.of(), "s", null, "Hi", headers, List.of(),
				Instant.EPOCH, "transactional");
		return new HandOver(new Lease(UUID.randomUUID(), 1), scope.account(), UUID.randomUUID(), scope.domain(),
				"c@d.test", 0, 0, mail, null, false, false, null, null);
	}

	/** Headers that cannot be read until the end of the test. */
	private static final class Headers extends AbstractMap<String, String> {

		private final Semaphore readable = new Semaphore(0);

		@Override
		public Set<Entry<String, String>> entrySet() {
			this.readable.acquireUninterruptibly();
			return Set.of();
		}

	}

}
