package dev.mailroom.accept;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

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
	void theQueueIsBoundedInBytes() {
		long size = request(this.busy).bytes();
		CommitQueue queue = new CommitQueue(new CommitQueue.Settings(1000, 4 * size, 4, 1));
		assertThat(IntStream.range(0, 10).filter((i) -> queue.offer(request(this.busy))).count()).isEqualTo(2);
		assertThat(IntStream.range(0, 10).filter((i) -> queue.offer(request(this.quiet))).count()).isEqualTo(2);
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

	private static CommitQueue.Waiting request(Scope scope) {
		return CommitQueue.Waiting.of(SendRequest.of(scope, Drafts.from(scope, "b@c.test")));
	}

	private static List<UUID> accounts(List<CommitQueue.Waiting> group) {
		return group.stream().map(CommitQueue.Waiting::accountId).toList();
	}

}
