package dev.mailroom.mail.queue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ContentFetcherTest {

	private final AtomicLong time = new AtomicLong();

	private final ContentFetcher.Breaker breaker = new ContentFetcher.Breaker(this.time::get);

	@Test
	void fetchesAreRefusedAfterRepeatedFailuresAndOneIsATrialAfterADelay() {
		fail(2);
		assertThat(this.breaker.admits()).isTrue();
		fail(1);
		assertThat(this.breaker.admits()).isFalse();
		pass(Duration.ofSeconds(2));
		assertThat(this.breaker.admits()).isTrue();
		assertThat(this.breaker.admits()).as("a second trial").isFalse();
		this.breaker.ended(true);
		assertThat(this.breaker.admits()).isTrue();
	}

	@Test
	void theDelayGrowsUpToAMinute() {
		fail(4);
		pass(Duration.ofSeconds(3));
		assertThat(this.breaker.admits()).isFalse();
		pass(Duration.ofSeconds(1));
		assertThat(this.breaker.admits()).isTrue();
		fail(20);
		pass(Duration.ofSeconds(59));
		assertThat(this.breaker.admits()).isFalse();
		pass(Duration.ofSeconds(1));
		assertThat(this.breaker.admits()).isTrue();
	}

	@Test
	void repliesBetweenFailuresKeepTheBreakerClosed() {
		for (int i = 0; i < 5; i++) {
			fail(2);
			this.breaker.ended(true);
		}
		assertThat(this.breaker.admits()).isTrue();
	}

	private void fail(int times) {
		for (int i = 0; i < times; i++) {
			this.breaker.ended(false);
		}
	}

	private void pass(Duration duration) {
		this.time.addAndGet(duration.toNanos());
	}

}
