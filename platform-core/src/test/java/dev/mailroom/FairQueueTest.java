package dev.mailroom;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FairQueueTest {

	private final FairQueue<String, Integer> queue = new FairQueue<>();

	@Test
	void keysAreServedInTurnAndTheirItemsInOrder() {
		add("busy", 1, 2, 3, 4);
		add("quiet", 5);
		assertThat(poll(3)).containsExactly(1, 5, 2);
		add("quiet", 6);
		assertThat(poll(3)).containsExactly(3, 6, 4);
		assertThat(this.queue.isEmpty()).isTrue();
		assertThat(this.queue.poll()).isNull();
	}

	@Test
	void aKeyWhoseItemWasTakenIsServedAfterAllOthers() {
		add("a", 1, 2);
		add("b", 3);
		add("c", 4);
		assertThat(this.queue.poll("b")).isEqualTo(3);
		assertThat(this.queue.poll("b")).isNull();
		assertThat(this.queue.poll("a")).isEqualTo(1);
		assertThat(this.queue.keys()).containsExactly("c", "a");
		assertThat(this.queue.contains("b")).isFalse();
	}

	@Test
	void theItemsOfOneKeyOrOfAllCanBeRemoved() {
		add("a", 1, 2);
		add("b", 3);
		add("c", 4);
		assertThat(this.queue.removeAll("a")).containsExactly(1, 2);
		assertThat(this.queue.removeAll("a")).isEmpty();
		assertThat(this.queue.size()).isEqualTo(2);
		assertThat(this.queue.removeAll()).containsExactly(3, 4);
		assertThat(this.queue.size()).isZero();
		assertThat(this.queue.isEmpty()).isTrue();
	}

	private void add(String key, int... items) {
		for (int item : items) {
			this.queue.add(key, item);
		}
	}

	private List<Integer> poll(int count) {
		List<Integer> items = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			items.add(this.queue.poll());
		}
		return items;
	}

}
