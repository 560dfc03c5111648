package dev.mailroom.observability;

import java.util.List;
import java.util.function.ToDoubleFunction;

import dev.mailroom.reputation.ReputationRatios;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import reactor.core.publisher.Mono;

/**
 * Gauges of the bounce and complaint ratios of each tenant. Only one process exports
 * them, because each account is a time series.
 */
public class ReputationMeters {

	private final ReputationRatios ratios;

	private final MultiGauge bounces;

	private final MultiGauge complaints;

	ReputationMeters(ReputationRatios ratios, MeterRegistry registry) {
		this.ratios = ratios;
		this.bounces = MultiGauge.builder("mailroom.reputation.bounce.ratio")
			.description("Hard bounces among a tenant's delivered and hard-bounced mail, from 0 to 1")
			.register(registry);
		this.complaints = MultiGauge.builder("mailroom.reputation.complaint.ratio")
			.description("Complaints among a tenant's delivered mail, from 0 to 1")
			.register(registry);
	}

	/** Reads the ratios and sets the gauges. */
	public Mono<Void> read() {
		return this.ratios.current().collectList().doOnNext(this::export).then();
	}

	/** Removes the gauges, because another process exports them. */
	public void hide() {
		this.bounces.register(List.of(), true);
		this.complaints.register(List.of(), true);
	}

	private void export(List<ReputationRatios.Recent> ratios) {
		this.bounces.register(rows(ratios, ReputationRatios.Recent::bounceRatio), true);
		this.complaints.register(rows(ratios, ReputationRatios.Recent::complaintRatio), true);
	}

	private static List<MultiGauge.Row<?>> rows(List<ReputationRatios.Recent> ratios,
			ToDoubleFunction<ReputationRatios.Recent> ratio) {
		return ratios.stream().<MultiGauge.Row<?>>map((recent) -> row(recent, ratio.applyAsDouble(recent))).toList();
	}

	private static MultiGauge.Row<Number> row(ReputationRatios.Recent recent, double value) {
		return MultiGauge.Row.of(Tags.of("tenant", recent.accountId().toString(), "window", recent.days() + "d"),
				value);
	}

}
