package dev.mailroom.domain;

import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import com.fasterxml.uuid.NoArgGenerator;
import com.fasterxml.uuid.UUIDType;
import dev.mailroom.secret.Seals;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static org.assertj.core.api.Assertions.assertThat;

class DkimKeysTest {

	private final CountDownLatch begun = new CountDownLatch(1);

	private final CountDownLatch released = new CountDownLatch(1);

	private final UUID account = UUID.randomUUID();

	@Test
	void keysOfOneAccountAreGeneratedOneAfterTheOtherAndDoNotDelayThoseOfOthers() throws Exception {
		DkimKeys keys = new DkimKeys(Seals.of(Base64.getEncoder().encodeToString(new byte[32])),
				new BlockingIds(this.begun, this.released));
		Queue<UUID> completed = new ConcurrentLinkedQueue<>();
		List<CompletableFuture<List<DkimKey>>> requests = IntStream.range(0, 16)
			.mapToObj((_) -> generate(keys, this.account).doOnNext((_) -> completed.add(this.account)).toFuture())
			.toList();
		awaitRefusal("Service unavailable", generate(keys, this.account));
		assertThat(this.begun.await(1, TimeUnit.MINUTES)).isTrue();
		assertThat(await(generate(keys, UUID.randomUUID()))).hasSize(2);
		assertThat(completed).isEmpty();
		this.released.countDown();
		await(Flux.fromIterable(requests).concatMap(Mono::fromFuture).then(Mono.just(true)));
		assertThat(completed).hasSize(16);
		assertThat(await(generate(keys, this.account))).hasSize(2);
	}

	private static Mono<List<DkimKey>> generate(DkimKeys keys, UUID account) {
		return keys.generate(account, UUID.randomUUID(), "d.test", true);
	}

	/** Random ids; the first waits until it is released. */
	private static final class BlockingIds extends NoArgGenerator {

		private final CountDownLatch begun;

		private final CountDownLatch released;

		private final AtomicBoolean first = new AtomicBoolean(true);

		BlockingIds(CountDownLatch begun, CountDownLatch released) {
			this.begun = begun;
			this.released = released;
		}

		@Override
		public UUIDType getType() {
			return UUIDType.RANDOM_BASED;
		}

		@Override
		public UUID generate() {
			if (this.first.getAndSet(false)) {
				this.begun.countDown();
				try {
					this.released.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			}
			return UUID.randomUUID();
		}

	}

}
