package dev.mailroom.standalone;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PartsTest {

	private final List<String> events = new CopyOnWriteArrayList<>();

	private final Parts parts = new Parts(Duration.ofMillis(50), Duration.ofMillis(50));

	@Test
	void stopInReverseOrderOfTheirStart() throws Exception {
		this.parts.start(part("one", () -> {
		}));
		this.parts.start(part("two", () -> {
		}));
		this.parts.stop();
		assertThat(this.events).containsExactly("start one", "start two", "stop two", "stop one");
	}

	@Test
	void doNotStartAfterAStop() {
		this.parts.stop();
		assertThatExceptionOfType(Parts.Stopping.class).isThrownBy(() -> this.parts.start(part("late", () -> {
		})));
		assertThat(this.events).isEmpty();
	}

	@Test
	void stopAPartWhoseStartFailed() {
		Part broken = part("broken", () -> {
			throw new StartFailure("The port is in use.");
		});
		assertThatExceptionOfType(StartFailure.class).isThrownBy(() -> this.parts.start(broken))
			.withMessage("The port is in use.");
		this.parts.stop();
		assertThat(this.events).containsExactly("start broken", "stop broken");
	}

	@Test
	void stopTheOthersIfOneNeverStops() throws Exception {
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
		assertThat(this.events).contains("stop below");
	}

	@Test
	void stopAPartWhoseStartHangs() throws Exception {
		CountDownLatch never = new CountDownLatch(1);
		CountDownLatch started = new CountDownLatch(1);
		Part hanging = part("hanging", () -> {
			started.countDown();
			never.await();
		});
		Thread.ofVirtual().start(() -> {
			try {
				this.parts.start(hanging);
			}
			catch (Exception ex) {
				this.events.add(ex.toString());
			}
		});
		started.await();
		this.parts.stop();
		assertThat(this.events).containsExactly("start hanging", "stop hanging");
	}

	private Part part(String name, Start start) {
		return new Part() {
			@Override
			public void start() throws Exception {
				PartsTest.this.events.add("start " + name);
				start.run();
			}

			@Override
			public void close() {
				PartsTest.this.events.add("stop " + name);
			}
		};
	}

	private interface Start {

		void run() throws Exception;

	}

}
