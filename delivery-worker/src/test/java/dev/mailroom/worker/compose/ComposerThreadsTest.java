package dev.mailroom.worker.compose;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ComposerThreadsTest {

	private static final UUID BUSY = new UUID(0, 1);

	private static final UUID QUIET = new UUID(0, 2);

	private final Composer.Threads threads = new Composer.Threads(1);

	@AfterEach
	void close() {
		this.threads.close();
	}

	@Test
	void accountsTakeTurns() throws Exception {
		CountDownLatch begin = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(6);
		ConcurrentLinkedQueue<UUID> order = new ConcurrentLinkedQueue<>();
		CountDownLatch occupied = new CountDownLatch(1);
		this.threads.execute(BUSY, () -> {
			occupied.countDown();
			await(begin);
		});
		assertThat(occupied.await(10, TimeUnit.SECONDS)).isTrue();
		for (UUID account : List.of(BUSY, BUSY, BUSY, BUSY, QUIET, QUIET)) {
			this.threads.execute(account, () -> {
				order.add(account);
				end.countDown();
			});
		}
		begin.countDown();
		assertThat(end.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(order).containsExactly(BUSY, QUIET, BUSY, QUIET, BUSY, BUSY);
	}

	@Test
	void aStepThatFailsDoesNotEndTheThreads() throws Exception {
		CountDownLatch end = new CountDownLatch(3);
		this.threads.execute(BUSY, new FutureTask<>(() -> {
			throw new IllegalStateException("of a test");
		}));
		IntStream.range(0, 3).forEach((_) -> this.threads.execute(QUIET, end::countDown));
		assertThat(end.await(10, TimeUnit.SECONDS)).isTrue();
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
	}

}
