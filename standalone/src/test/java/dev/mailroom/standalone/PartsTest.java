package dev.mailroom.standalone;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PartsTest {

	private final List<String> told = new CopyOnWriteArrayList<>();

	private final Parts parts = new Parts(Duration.ofMillis(50), Duration.ofMillis(50));

	@Test
	void stopTheYoungestFirst() throws Exception {
		this.parts.start(part("one", () -> {
		}));
		this.parts.start(part("two", () -> {
		}));
		this.parts.stop();
		assertThat(this.told).containsExactly("start one", "start two", "stop two", "stop one");
	}

	@Test
	void startNoMoreOnceTheyStop() {
		this.parts.stop();
		assertThatExceptionOfType(Parts.Stopping.class).isThrownBy(() -> this.parts.start(part("late", () -> {
		})));
		assertThat(this.told).isEmpty();
	}

	@Test
	void stopWhatHasNotStartedAsItShould() {
		Part broken = part("broken", () -> {
			throw new StartFailure("Because.");
		});
		assertThatExceptionOfType(StartFailure.class).isThrownBy(() -> this.parts.start(broken))
			.withMessage("Because.");
		this.parts.stop();
		assertThat(this.told).containsExactly("start broken", "stop broken");
	}

	@Test
	void stopTheOthersWhereOneNeverEnds() throws Exception {
		CountDownLatch never = new CountDownLatch(1);
		this.parts.start(part("below", () -> {
		}));
		this.parts.start(new Part() {
			@Override
			public void start() {
			}

			@Override
			public void close() throws InterruptedException {
				never.await();
			}
		});
		this.parts.stop();
		assertThat(this.told).contains("stop below");
	}

	@Test
	void stopWhileAStepOfTheStartHangs() throws Exception {
		CountDownLatch never = new CountDownLatch(1);
		CountDownLatch begun = new CountDownLatch(1);
		Part hanging = part("hanging", () -> {
			begun.countDown();
			never.await();
		});
		Thread.ofVirtual().start(() -> {
			try {
				this.parts.start(hanging);
			}
			catch (Exception ex) {
				this.told.add(ex.toString());
			}
		});
		begun.await();
		this.parts.stop();
		assertThat(this.told).containsExactly("start hanging", "stop hanging");
	}

	private Part part(String name, Start start) {
		return new Part() {
			@Override
			public void start() throws Exception {
				PartsTest.this.told.add("start " + name);
				start.run();
			}

			@Override
			public void close() {
				PartsTest.this.told.add("stop " + name);
			}
		};
	}

	private interface Start {

		void run() throws Exception;

	}

}
