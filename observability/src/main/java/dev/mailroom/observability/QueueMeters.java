package dev.mailroom.observability;

import java.util.List;
import java.util.Map;

import dev.mailroom.queue.Queue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import reactor.core.publisher.Mono;

/**
 * Gauges of the queue's depth and age. Only one worker exports them, because a sum over
 * several workers would count each delivery several times.
 */
public class QueueMeters {

	private static final List<String> PHASES = List.of("scheduled", "queued", "leased", "in_data");

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
	public Mono<Void> read() {
		return this.queue.depth().collectMap(Queue.Depth::phase).doOnNext(this::export).then();
	}

	/** Removes the gauges; another worker exports them. */
	public void hide() {
		this.depth.register(List.of(), true);
		this.oldestAge.register(List.of(), true);
	}

	private void export(Map<String, Queue.Depth> depths) {
		this.depth.register(PHASES.stream().map((phase) -> row(phase, (double) of(depths, phase).count())).toList(),
				true);
		this.oldestAge.register(PHASES.stream().map((phase) -> row(phase, of(depths, phase).oldestSeconds())).toList(),
				true);
	}

	private static Queue.Depth of(Map<String, Queue.Depth> depths, String phase) {
		return depths.getOrDefault(phase, new Queue.Depth(phase, 0, 0));
	}

	private static MultiGauge.Row<Number> row(String phase, double value) {
		return MultiGauge.Row.of(Tags.of("phase", phase), value);
	}

}
