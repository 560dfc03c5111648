package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import dev.mailroom.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

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
	void aSearchIsRepeatedWhileItFindsWorkAndThenWhenWorkIsAnnounced() {
		this.loops.add("test", SHORT, Mono.fromSupplier(() -> this.searches.incrementAndGet() < 3));
		this.loops.start();
		awaitSearches(3);
		this.loops.announce();
		awaitSearches(4);
	}

	@Test
	void workThatIsAnnouncedDuringASearchIsSearchedForAfterIt() {
		Sinks.One<Boolean> end = Sinks.one();
		this.loops.add("test", SHORT, Mono.defer(() -> {
			this.searches.incrementAndGet();
			return end.asMono();
		}));
		this.loops.start();
		awaitSearches(1);
		this.loops.announce();
		assertThat(this.searches).hasValue(1);
		end.tryEmitValue(false);
		awaitSearches(2);
	}

	@Test
	void aSearchThatFailsIsRepeated() {
		this.loops.add("test", SHORT, Mono.fromSupplier(() -> {
			if (this.searches.incrementAndGet() == 1) {
				throw new IllegalStateException("no connection");
			}
			return false;
		}));
		this.loops.start();
		awaitSearches(2);
	}

	@Test
	void workWhoseAnnouncementIsLostIsFoundLater() {
		WorkLoops impatient = new WorkLoops(this.health, Duration.ofMillis(20));
		impatient.add("test", SHORT, Mono.fromSupplier(() -> this.searches.incrementAndGet() < 0));
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
		this.loops.add("endless", SHORT, Mono.never());
		this.loops.add("test", SHORT, Mono.fromSupplier(() -> this.searches.incrementAndGet() < 2));
		this.loops.start();
		awaitSearches(2);
	}

	private void awaitSearches(int number) {
		Await.until(number + " searches", () -> this.searches.get() >= number);
	}

}
