package dev.mailroom.observability;

import java.util.List;
import java.util.function.ToDoubleFunction;

import dev.mailroom.reputation.ReputationRatios;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import reactor.core.publisher.Mono;

/**
 * Shows how much of each tenant's mail came back. One exporter tells it for all, for each
 * account is a series.
 */
public class ReputationMeters {

	private final ReputationRatios ratios;

	private final MultiGauge bounces;

	private final MultiGauge complaints;

	ReputationMeters(ReputationRatios ratios, MeterRegistry registry) {
		this.ratios = ratios;
		this.bounces = MultiGauge.builder("mailroom.reputation.bounce.ratio")
			.description("Hard bounces among what a tenant tried to send, from 0 to 1")
			.register(registry);
		this.complaints = MultiGauge.builder("mailroom.reputation.complaint.ratio")
			.description("Complaints among what of a tenant was delivered")
			.register(registry);
	}

	/** Reads what came back and shows it until the next look. */
	public Mono<Void> read() {
		return this.ratios.current().collectList().doOnNext(this::show).then();
	}

	/** Shows nothing: another exporter does. */
	public void hide() {
		this.bounces.register(List.of(), true);
		this.complaints.register(List.of(), true);
	}

	private void show(List<ReputationRatios.Recent> recent) {
		this.bounces.register(rows(recent, ReputationRatios.Recent::bounceRatio), true);
		this.complaints.register(rows(recent, ReputationRatios.Recent::complaintRatio), true);
	}

	private static List<MultiGauge.Row<?>> rows(List<ReputationRatios.Recent> recent,
			ToDoubleFunction<ReputationRatios.Recent> ratio) {
		return recent.stream().<MultiGauge.Row<?>>map((one) -> row(one, ratio.applyAsDouble(one))).toList();
	}

	private static MultiGauge.Row<Number> row(ReputationRatios.Recent recent, double value) {
		return MultiGauge.Row.of(Tags.of("tenant", recent.accountId().toString(), "window", recent.days() + "d"),
				value);
	}

}
