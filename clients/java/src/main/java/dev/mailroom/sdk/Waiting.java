package dev.mailroom.sdk;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Calls that are made again and again, or in parts. */
final class Waiting {

	private static final int PART = 1_000;

	private Waiting() {
	}

	static <T> T until(Supplier<T> look, Predicate<T> reached, Function<T, String> message, Duration limit,
			Duration interval) {
		long end = System.nanoTime() + limit.toNanos();
		while (true) {
			T found = look.get();
			if (reached.test(found)) {
				return found;
			}
			if (System.nanoTime() + interval.toNanos() > end || !pause(interval)) {
				throw new WaitTimeoutException(message.apply(found));
			}
		}
	}

	/** Pauses; false if the thread is interrupted. */
	static boolean pause(Duration time) {
		try {
			Thread.sleep(time.toMillis());
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/** Calls with parts of 1000 items. Each part has an idempotency key of its own. */
	static <T> void inParts(Iterable<T> items, Transport transport, PartCall<T> call) {
		List<T> part = new ArrayList<>();
		int[] number = { 0 };
		Consumer<List<T>> flush = (full) -> {
			CallOptions options = transport.options();
			number[0]++;
			call.send(List.copyOf(full),
					(options.idempotencyKey() != null)
							? transport.with(options.withIdempotencyKey(options.idempotencyKey() + "-" + number[0]))
							: transport);
			full.clear();
		};
		for (T item : items) {
			part.add(item);
			if (part.size() == PART) {
				flush.accept(part);
			}
		}
		if (!part.isEmpty()) {
			flush.accept(part);
		}
	}

	/** A call with a part of the items. */
	interface PartCall<T> {

		void send(List<T> part, Transport transport);

	}

}
