package dev.mailroom;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ParallelTest {

	@Test
	void severalThingsAreInWorkAtTheSameTimeAndResultsKeepTheirOrder() {
		CyclicBarrier together = new CyclicBarrier(2);
		assertThat(Parallel.map(List.of(1, 2, 3, 4), 2, (number) -> {
			meet(together);
			return number * 10;
		})).containsExactly(10, 20, 30, 40);
		assertThat(Parallel.map(List.<Integer>of(), 2, (number) -> number)).isEmpty();
	}

	@Test
	void aFailureIsThrownAfterTheOtherWorkHasEnded() {
		CountDownLatch others = new CountDownLatch(2);
		assertThatIllegalArgumentException().isThrownBy(() -> Parallel.map(List.of(1, 2, 3), 1, (number) -> {
			if (number == 1) {
				throw new IllegalArgumentException("of a test");
			}
			others.countDown();
			return number;
		})).withMessage("of a test");
		assertThat(others.getCount()).isZero();
	}

	@Test
	void anInterruptOfTheCallerInterruptsTheWork() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		CompletableFuture<String> ended = new CompletableFuture<>();
		Thread caller = Thread.ofVirtual().start(() -> {
			try {
				Parallel.map(List.of(1), 1, (_) -> {
					begun.countDown();
					return interrupted.complete(isInterruptedWhileWaiting());
				});
			}
			catch (IllegalStateException ex) {
				ended.complete(ex.getMessage());
			}
		});
		assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
		caller.interrupt();
		assertThat(ended.get(1, TimeUnit.MINUTES)).isEqualTo("The work was interrupted");
		assertThat(interrupted).isCompletedWithValue(true);
	}

	private static boolean isInterruptedWhileWaiting() {
		try {
			boolean _ = new CountDownLatch(1).await(1, TimeUnit.MINUTES);
			return false;
		}
		catch (InterruptedException _) {
			return true;
		}
	}

	private static void meet(CyclicBarrier barrier) {
		try {
			barrier.await(1, TimeUnit.MINUTES);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
