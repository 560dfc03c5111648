package dev.mailroom.observability;

import java.util.List;
import java.util.function.ToDoubleFunction;

import dev.mailroom.mail.queue.Queue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;

/**
 * Gauges of the queue's depth and age. Only one worker exports them, because a sum over
 * several workers would count each delivery several times.
 */
public class QueueMeters {

	private static final List<String> PHASES = List.of("paused", "scheduled", "due", "leased", "in_data");

	private static final List<String> STREAMS = List.of("transactional", "campaign");

	private final Queue queue;

	private final MultiGauge depth;

	private final MultiGauge oldestAge;

	QueueMeters(Queue queue, MeterRegistry registry) {
		this.queue = queue;
		this.depth = MultiGauge.builder("mailroom.queue.depth")
			.description("Deliveries that are not settled")
			.register(registry);
		this.oldestAge = MultiGauge.builder("mailroom.queue.oldest.age")
			.description("Time since the oldest delivery was due")
			.baseUnit("seconds")
			.register(registry);
	}

	/** Reads the queue and updates the gauges. */
	public void read() {
		export(this.queue.depth());
	}

	/** Removes the gauges; another worker exports them. */
	public void hide() {
		this.depth.register(List.of(), true);
		this.oldestAge.register(List.of(), true);
	}

	private void export(List<Queue.Depth> depths) {
		this.depth.register(rows(depths, Queue.Depth::count), true);
		this.oldestAge.register(rows(depths, Queue.Depth::oldestSeconds), true);
	}

	/** A row for each phase and stream, also for those without deliveries. */
	private static List<MultiGauge.Row<?>> rows(List<Queue.Depth> depths, ToDoubleFunction<Queue.Depth> value) {
		return PHASES.stream()
			.flatMap((phase) -> STREAMS.stream().map((stream) -> of(depths, phase, stream))).<MultiGauge
					.Row<?>>map(
							(depth) -> MultiGauge.Row.of(Tags.of("phase", depth.phase(), "stream", depth.stream()),
									value.applyAsDouble(depth)))
			.toList();
	}

	private static Queue.Depth of(List<Queue.Depth> depths, String phase, String stream) {
		return depths.stream()
			.filter((depth) -> depth.phase().equals(phase) && depth.stream().equals(stream))
			.findFirst()
			.orElseGet(() -> new Queue.Depth(phase, stream, 0, 0));
	}

}
