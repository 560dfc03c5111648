package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.mailroom.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

@Execution(ExecutionMode.CONCURRENT)
class LoopHealthTest {

	private static final Duration SHORT = Duration.ofMillis(20);

	private final CountDownLatch exited = new CountDownLatch(1);

	private final LoopHealth health = new LoopHealth(SHORT, this.exited::countDown);

	@AfterEach
	void destroy() {
		this.health.destroy();
	}

	@Test
	void aLoopThatEndedFailsReadinessAndEndsTheProcess() throws Exception {
		assertThat(status()).isEqualTo(Status.UP);
		this.health.ended("settler", new StackOverflowError("too deep"));
		assertThat(status()).isEqualTo(Status.DOWN);
		assertThat(Await.await(this.health.health()).getDetails()).containsEntry("settler",
				"it ended: java.lang.StackOverflowError: too deep");
		assertThat(this.exited.await(60, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void aLoopWithoutProgressFailsReadinessAndEndsTheProcess() throws Exception {
		this.health.watch("dispatcher", SHORT).beat();
		assertThat(this.exited.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(Await.await(this.health.health()).getDetails()).containsEntry("dispatcher", "it makes no progress");
	}

	@Test
	void anIdleLoopNeedsNoProgress() throws Exception {
		LoopHealth.Heartbeat idle = this.health.watch("idle", SHORT);
		idle.beat();
		idle.idle();
		this.health.watch("silent", SHORT).beat();
		assertThat(this.exited.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(Await.await(this.health.health()).getDetails()).containsOnlyKeys("silent");
	}

	private Status status() {
		return Await.await(this.health.health()).getStatus();
	}

}
