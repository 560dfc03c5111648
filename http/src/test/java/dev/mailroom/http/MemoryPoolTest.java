package dev.mailroom.http;

import java.util.UUID;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MemoryPoolTest {

	private static final long MEGABYTE = 1_000_000;

	private final MemoryPool pool = new MemoryPool(10 * MEGABYTE);

	private final UUID first = UUID.randomUUID();

	private final UUID second = UUID.randomUUID();

	@Test
	void anAccountHasHalfOfTheMemoryAtMost() {
		assertThat(this.pool.reserve(this.first, 5 * MEGABYTE)).isTrue();
		assertThat(this.pool.reserve(this.first, 1)).isFalse();
		this.pool.release(this.first, MEGABYTE);
		assertThat(this.pool.reserve(this.first, MEGABYTE)).isTrue();
	}

	@Test
	void accountsThatUseAllMemoryDoNotKeepTheOthersFromSmallRequests() {
		this.pool.reserve(this.first, 5 * MEGABYTE);
		this.pool.reserve(this.second, 5 * MEGABYTE);
		UUID third = UUID.randomUUID();
		assertThat(this.pool.reserve(third, 0)).isTrue();
		assertThat(this.pool.reserve(third, 60_000)).isTrue();
		assertThat(this.pool.reserve(third, 60_000)).isFalse();
		assertThat(this.pool.reserve(third, 0)).isTrue();
		assertThat(this.pool.reserve(UUID.randomUUID(), MEGABYTE)).isFalse();
	}

}
