package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.mailroom.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

@Execution(ExecutionMode.CONCURRENT)
class WorkLoopsTest {

	private static final Duration SHORT = Duration.ofMillis(1);

	private static final Duration LONG = Duration.ofDays(1);

	private final LoopHealth health = new LoopHealth(LONG, () -> {
	});

	private final WorkLoops loops = new WorkLoops(this.health, LONG);

	private final AtomicInteger searches = new AtomicInteger();

	@AfterEach
	void stop() {
		this.loops.stop();
		this.health.destroy();
	}

	@Test
	void aSearchIsRepeatedWhileItFindsWorkAndThenWhenWorkIsNotified() {
		this.loops.add("test", SHORT, () -> this.searches.incrementAndGet() < 3);
		this.loops.start();
		awaitSearches(3);
		this.loops.wake();
		awaitSearches(4);
	}

	@Test
	void workThatIsNotifiedDuringASearchIsSearchedForAfterIt() {
		CountDownLatch end = new CountDownLatch(1);
		this.loops.add("test", SHORT, () -> {
			this.searches.incrementAndGet();
			await(end);
			return false;
		});
		this.loops.start();
		awaitSearches(1);
		this.loops.wake();
		assertThat(this.searches).hasValue(1);
		end.countDown();
		awaitSearches(2);
	}

	@Test
	void aSearchThatFailsIsRepeated() {
		this.loops.add("test", SHORT, () -> {
			if (this.searches.incrementAndGet() == 1) {
				throw new IllegalStateException("no connection");
			}
			return false;
		});
		this.loops.start();
		awaitSearches(2);
	}

	@Test
	void workWhoseNotificationIsLostIsFoundLater() {
		WorkLoops impatient = new WorkLoops(this.health, Duration.ofMillis(20));
		impatient.add("test", SHORT, () -> this.searches.incrementAndGet() < 0);
		try {
			impatient.start();
			awaitSearches(3);
		}
		finally {
			impatient.stop();
		}
	}

	@Test
	void aSearchThatDoesNotEndDelaysNoOther() {
		this.loops.add("endless", SHORT, () -> await(new CountDownLatch(1)));
		this.loops.add("test", SHORT, () -> this.searches.incrementAndGet() < 2);
		this.loops.start();
		awaitSearches(2);
	}

	@Test
	void aStopInterruptsASearchThatDoesNotEnd() {
		CountDownLatch interrupted = new CountDownLatch(1);
		this.loops.add("endless", SHORT, () -> {
			this.searches.incrementAndGet();
			boolean ended = await(new CountDownLatch(1));
			interrupted.countDown();
			return ended;
		});
		this.loops.start();
		awaitSearches(1);
		this.loops.stop();
		assertThat(await(interrupted)).isTrue();
		assertThat(this.searches).hasValue(1);
	}

	@Test
	void aLoopThatEndsMakesTheWorkerNotReady() {
		this.loops.add("test", SHORT, () -> {
			throw new StackOverflowError();
		});
		this.loops.start();
		Await.until("the failed health", () -> Status.DOWN.equals(this.health.health().map(Health::getStatus).block()));
	}

	/** Whether the latch opened before the thread was interrupted. */
	private static boolean await(CountDownLatch latch) {
		try {
			latch.await();
			return true;
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private void awaitSearches(int number) {
		Await.until(number + " searches", () -> this.searches.get() >= number);
	}

}
