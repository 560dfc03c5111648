package dev.mailroom.mail.queue;

import java.util.UUID;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ContentBudgetTest {

	private final ContentBudget budget = new ContentBudget(3200);

	private final ContentBudget.Reservation reservation = this.budget.reservation();

	@Test
	void anAccountUsesAQuarterAtMost() {
		UUID account = UUID.randomUUID();
		assertThat(take(account, 500)).isTrue();
		assertThat(take(account, 300)).isTrue();
		assertThat(take(account, 1)).isFalse();
		assertThat(take(UUID.randomUUID(), 500)).isTrue();
	}

	@Test
	void aQuarterIsReservedForAccountsThatUseLittle() {
		for (int i = 0; i < 3; i++) {
			assertThat(take(UUID.randomUUID(), 800)).isTrue();
		}
		UUID account = UUID.randomUUID();
		assertThat(take(account, 101)).isFalse();
		assertThat(take(account, 100)).isTrue();
	}

	@Test
	void aMailLargerThanTheBudgetFindsRoomIfThereIsNoOther() {
		assertThat(take(UUID.randomUUID(), 5000)).isTrue();
		assertThat(take(UUID.randomUUID(), 1)).isFalse();
	}

	@Test
	void aMailMayGrowAndShrink() {
		UUID account = UUID.randomUUID();
		UUID mail = UUID.randomUUID();
		assertThat(this.reservation.take(account, mail, 10)).isTrue();
		assertThat(this.reservation.take(account, mail, 1000)).isTrue();
		assertThat(take(account, 10)).isFalse();
		assertThat(this.reservation.take(account, mail, 700)).isTrue();
		assertThat(take(account, 10)).isTrue();
		assertThat(this.budget.used()).isEqualTo(710);
	}

	@Test
	void aClosedReservationIsFreeAndTakesNothingMore() {
		UUID account = UUID.randomUUID();
		assertThat(take(account, 800)).isTrue();
		this.reservation.close();
		this.reservation.close();
		assertThat(this.budget.used()).isZero();
		assertThat(take(account, 1)).isFalse();
		assertThat(this.budget.reservation().take(account, UUID.randomUUID(), 800)).isTrue();
	}

	private boolean take(UUID account, long bytes) {
		return this.reservation.take(account, UUID.randomUUID(), bytes);
	}

}
