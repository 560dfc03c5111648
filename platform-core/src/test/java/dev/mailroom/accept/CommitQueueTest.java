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
	void aGroupTakesFromEveryAccountInTurnHoweverMuchOneHasWaiting() throws InterruptedException {
		CommitQueue queue = new CommitQueue(new CommitSettings(100, 1 << 20, 4, 1));
		IntStream.range(0, 10).forEach((i) -> queue.offer(pending(this.busy)));
		queue.offer(pending(this.quiet));
		assertThat(accounts(queue.take())).containsExactly(this.busy.account(), this.quiet.account(),
				this.busy.account(), this.busy.account());
		assertThat(accounts(queue.take())).hasSize(4).containsOnly(this.busy.account());
	}

	@Test
	void aClosedQueueTakesNothingUntilItIsOpenedAgain() throws InterruptedException {
		CommitQueue queue = new CommitQueue(new CommitSettings(100, 1 << 20, 4, 1));
		queue.close();
		assertThat(queue.offer(pending(this.quiet))).isFalse();
		assertThat(queue.take()).isEmpty();
		queue.open();
		assertThat(queue.offer(pending(this.quiet))).isTrue();
		assertThat(queue.take()).hasSize(1);
	}

	@Test
	void oneAccountFillsItsShareAndNoMore() {
		CommitQueue queue = new CommitQueue(new CommitSettings(10, 1 << 20, 4, 1));
		assertThat(IntStream.range(0, 10).filter((i) -> queue.offer(pending(this.busy))).count()).isEqualTo(5);
		assertThat(queue.offer(pending(this.quiet))).isTrue();
	}

	@Test
	void whatWaitsIsBoundedInBytesToo() {
		long size = pending(this.busy).bytes();
		CommitQueue queue = new CommitQueue(new CommitSettings(1000, 4 * size, 4, 1));
		assertThat(IntStream.range(0, 10).filter((i) -> queue.offer(pending(this.busy))).count()).isEqualTo(2);
		assertThat(IntStream.range(0, 10).filter((i) -> queue.offer(pending(this.quiet))).count()).isEqualTo(2);
	}

	@Test
	void whatIsTakenMakesRoomAgain() throws InterruptedException {
		CommitQueue queue = new CommitQueue(new CommitSettings(2, 1 << 20, 4, 1));
		assertThat(queue.offer(pending(this.busy))).isTrue();
		assertThat(queue.offer(pending(this.busy))).isFalse();
		assertThat(queue.take()).hasSize(1);
		assertThat(queue.offer(pending(this.busy))).isTrue();
	}

	@Test
	void aClosedQueueGivesWhatItHasAndThenNothing() throws InterruptedException {
		CommitQueue queue = new CommitQueue(new CommitSettings(10, 1 << 20, 4, 1));
		queue.offer(pending(this.busy));
		queue.close();
		assertThat(queue.offer(pending(this.busy))).isFalse();
		assertThat(queue.take()).hasSize(1);
		assertThat(queue.take()).isEmpty();
	}

	private static WaitingRequest pending(Scope scope) {
		return WaitingRequest.of(SendRequest.of(scope, Drafts.from(scope, "b@c.test")));
	}

	private static List<UUID> accounts(List<WaitingRequest> group) {
		return group.stream().map((pending) -> pending.request().accountId()).toList();
	}

}
