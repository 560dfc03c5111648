package dev.mailroom.mail.accept;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.Scope;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CommitQueueTest {

	private final Scope busy = Scope.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());

	private final Scope quiet = Scope.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());

	@Test
	void aGroupTakesRequestsFromAllAccountsInTurn() throws InterruptedException {
		CommitQueue queue = new CommitQueue(new CommitQueue.Settings(100, 1 << 20, 4, 1));
		IntStream.range(0, 10).forEach((i) -> queue.offer(request(this.busy)));
		queue.offer(request(this.quiet));
		assertThat(accounts(queue.take())).containsExactly(this.busy.account(), this.quiet.account(),
				this.busy.account(), this.busy.account());
		assertThat(accounts(queue.take())).hasSize(4).containsOnly(this.busy.account());
	}

	@Test
	void aClosedQueueRejectsRequestsUntilItIsOpened() throws InterruptedException {
		CommitQueue queue = new CommitQueue(new CommitQueue.Settings(100, 1 << 20, 4, 1));
		queue.close();
		assertThat(queue.offer(request(this.quiet))).isFalse();
		assertThat(queue.take()).isEmpty();
		queue.open();
		assertThat(queue.offer(request(this.quiet))).isTrue();
		assertThat(queue.take()).hasSize(1);
	}

	@Test
	void anAccountCanFillHalfOfTheQueue() {
		CommitQueue queue = new CommitQueue(new CommitQueue.Settings(10, 1 << 20, 4, 1));
		assertThat(IntStream.range(0, 10).filter((i) -> queue.offer(request(this.busy))).count()).isEqualTo(5);
		assertThat(queue.offer(request(this.quiet))).isTrue();
	}

	@Test
	void theQueueReportsTheMailsAndBytesThatWait() throws InterruptedException {
		CommitQueue queue = new CommitQueue(new CommitQueue.Settings(100, 1 << 20, 4, 1));
		WaitingRequest request = request(this.busy);
		queue.offer(request);
		queue.offer(request(this.quiet));
		assertThat(queue.mails()).isEqualTo(2);
		assertThat(queue.bytes()).isEqualTo(2 * request.bytes());
		queue.take();
		assertThat(queue.mails()).isZero();
		assertThat(queue.bytes()).isZero();
	}

	@Test
	void theQueueIsBoundedInBytes() {
		long size = request(this.busy).bytes();
		CommitQueue queue = new CommitQueue(new CommitQueue.Settings(1000, 4 * size, 4, 1));
		assertThat(IntStream.range(0, 10).filter((i) -> queue.offer(request(this.busy))).count()).isEqualTo(2);
		assertThat(IntStream.range(0, 10).filter((i) -> queue.offer(request(this.quiet))).count()).isEqualTo(1);
	}

	@Test
	void busyAccountsLeaveRoomForThoseThatHoldLittle() {
		CommitQueue queue = new CommitQueue(new CommitQueue.Settings(4096, 1L << 40, 500, 1));
		Scope second = Scope.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());
		assertThat(fill(queue, this.busy)).isEqualTo(2048);
		assertThat(fill(queue, second)).isEqualTo(1024);
		assertThat(fill(queue, this.quiet)).isEqualTo(128);
		assertThat(IntStream.range(0, 5)
			.filter((_) -> queue.offer(request(Scope.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID()))))
			.count()).isEqualTo(5);
	}

	@Test
	void singleMailsAndBatchesAreCommittedApartAndAtTheSameTime() throws InterruptedException {
		CommitQueue queue = new CommitQueue(new CommitQueue.Settings(4096, 1L << 40, 20, 2));
		IntStream.range(0, 5).forEach((_) -> queue.offer(WaitingRequest.of(Requests.batch(this.busy, 10), null)));
		List<WaitingRequest> batches = queue.take();
		assertThat(batches).extracting(WaitingRequest::mails).containsExactly(10, 10);
		IntStream.range(0, 30).forEach((_) -> queue.offer(request(this.quiet)));
		List<WaitingRequest> singles = queue.take();
		assertThat(accounts(singles)).hasSize(20).containsOnly(this.quiet.account());
		queue.committed(batches, 1);
		assertThat(accounts(queue.take())).as("batches wait").containsOnly(this.busy.account());
		queue.committed(singles, 1);
		assertThat(accounts(queue.take())).as("batches are being committed").containsOnly(this.quiet.account());
	}

	@Test
	void batchesLeaveALoopToSingleMails() throws Exception {
		CommitQueue queue = new CommitQueue(new CommitQueue.Settings(4096, 1L << 40, 10, 2));
		IntStream.range(0, 3).forEach((_) -> queue.offer(WaitingRequest.of(Requests.batch(this.busy, 10), null)));
		List<WaitingRequest> batch = queue.take();
		CompletableFuture<List<WaitingRequest>> second = CompletableFuture.supplyAsync(() -> take(queue));
		queue.offer(request(this.quiet));
		assertThat(accounts(second.get(10, TimeUnit.SECONDS))).containsExactly(this.quiet.account());
		CompletableFuture<List<WaitingRequest>> third = CompletableFuture.supplyAsync(() -> take(queue));
		queue.committed(batch, 1);
		assertThat(accounts(third.get(10, TimeUnit.SECONDS))).containsExactly(this.busy.account());
	}

	@Test
	void batchesPauseWhileTheySlowSingleMailsDown() throws Exception {
		CommitQueue queue = new CommitQueue(new CommitQueue.Settings(4096, 1L << 40, 10, 2));
		IntStream.range(0, 3).forEach((_) -> queue.offer(WaitingRequest.of(Requests.batch(this.busy, 10), null)));
		List<WaitingRequest> batch = queue.take();
		for (int i = 0; i < 70; i++) {
			queue.offer(late(this.quiet));
			queue.committed(queue.take(), 1);
		}
		queue.committed(batch, Duration.ofHours(1).toNanos());
		CompletableFuture<List<WaitingRequest>> next = new CompletableFuture<>();
		Thread loop = Thread.ofPlatform().start(() -> next.complete(take(queue)));
		Await.until("the pause", () -> loop.getState() == Thread.State.TIMED_WAITING || next.isDone());
		assertThat(next).isNotDone();
		queue.offer(request(this.quiet));
		assertThat(accounts(next.get(10, TimeUnit.SECONDS))).as("no single mail pauses")
			.containsExactly(this.quiet.account());
		assertThat(accounts(queue.take())).as("after the pause").containsExactly(this.busy.account());
	}

	@Test
	void aSingleLoopAlternatesBetweenSingleMailsAndBatches() throws InterruptedException {
		CommitQueue queue = new CommitQueue(new CommitQueue.Settings(4096, 1L << 40, 10, 1));
		for (int i = 0; i < 20; i++) {
			queue.offer(WaitingRequest.of(Requests.batch(this.busy, 10), null));
			queue.offer(request(this.quiet));
		}
		for (int i = 0; i < 2; i++) {
			queue.committed(queue.take(), 1);
		}
		assertThat(IntStream.range(0, 4).mapToObj((_) -> {
			List<WaitingRequest> group = take(queue);
			queue.committed(group, 1);
			return group.getFirst().accountId();
		})).contains(this.busy.account(), this.quiet.account());
	}

	@Test
	void singleMailsGatherWhileOthersAreCommitted() throws Exception {
		CommitQueue queue = new CommitQueue(new CommitQueue.Settings(4096, 1L << 40, 500, 2));
		queue.offer(request(this.busy));
		List<WaitingRequest> first = queue.take();
		CompletableFuture<List<WaitingRequest>> second = CompletableFuture.supplyAsync(() -> take(queue));
		IntStream.range(0, 64).forEach((_) -> queue.offer(request(this.quiet)));
		assertThat(second.get(10, TimeUnit.SECONDS)).as("enough for another group").hasSizeGreaterThan(0);
		queue.committed(first, 1);
		queue.committed(second.get(), 1);
		queue.offer(request(this.busy));
		queue.take();
		queue.offer(request(this.quiet));
		assertThat(queue.take()).as("the first group takes long").hasSize(1);
	}

	@Test
	void slowCommitsMakeSmallerGroups() throws InterruptedException {
		CommitQueue queue = new CommitQueue(new CommitQueue.Settings(4096, 1L << 40, 500, 1));
		fill(queue, this.busy);
		List<WaitingRequest> first = queue.take();
		assertThat(first).hasSize(500);
		queue.committed(first, Duration.ofSeconds(1).toNanos());
		assertThat(queue.take()).hasSize(50);
	}

	private static long fill(CommitQueue queue, Scope scope) {
		return IntStream.range(0, 4096).takeWhile((_) -> queue.offer(request(scope))).count();
	}

	@Test
	void takingARequestFreesItsPlace() throws InterruptedException {
		CommitQueue queue = new CommitQueue(new CommitQueue.Settings(2, 1 << 20, 4, 1));
		assertThat(queue.offer(request(this.busy))).isTrue();
		assertThat(queue.offer(request(this.busy))).isFalse();
		assertThat(queue.take()).hasSize(1);
		assertThat(queue.offer(request(this.busy))).isTrue();
	}

	@Test
	void aClosedQueueIsEmptied() throws InterruptedException {
		CommitQueue queue = new CommitQueue(new CommitQueue.Settings(10, 1 << 20, 4, 1));
		queue.offer(request(this.busy));
		queue.close();
		assertThat(queue.offer(request(this.busy))).isFalse();
		assertThat(queue.take()).hasSize(1);
		assertThat(queue.take()).isEmpty();
	}

	private static List<WaitingRequest> take(CommitQueue queue) {
		try {
			return queue.take();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static WaitingRequest request(Scope scope) {
		return WaitingRequest.of(SendRequest.of(scope, CheckedMails.from(scope, "b@c.test")), null);
	}

	/** A single mail that has waited for a second. */
	private static WaitingRequest late(Scope scope) {
		WaitingRequest request = request(scope);
		return new WaitingRequest(request.request(), null, request.bytes(),
				request.arrivedAt() - Duration.ofSeconds(1).toNanos(), request.sink());
	}

	private static List<UUID> accounts(List<WaitingRequest> group) {
		return group.stream().map(WaitingRequest::accountId).toList();
	}

}
