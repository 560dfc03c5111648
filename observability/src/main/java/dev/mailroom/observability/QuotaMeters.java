package dev.mailroom.observability;

import java.util.List;

import dev.mailroom.quota.QuotaRatios;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import reactor.core.publisher.Mono;

/**
 * Shows how much of its quota each tenant has used. One exporter tells it for all, for
 * each account is a series.
 */
public class QuotaMeters {

	private final QuotaRatios ratios;

	private final MultiGauge used;

	QuotaMeters(QuotaRatios ratios, MeterRegistry registry) {
		this.ratios = ratios;
		this.used = MultiGauge.builder("mailroom.quota.used.ratio")
			.description("What a tenant has used of the quota of the day or month, from 0 to 1")
			.register(registry);
	}

	/** Reads what is used and shows it until the next look. */
	public Mono<Void> read() {
		return this.ratios.current().collectList().doOnNext(this::show).then();
	}

	/** Shows nothing: another exporter does. */
	public void hide() {
		this.used.register(List.of(), true);
	}

	private void show(List<QuotaRatios.Ratio> ratios) {
		this.used.register(ratios.stream().map(QuotaMeters::row).toList(), true);
	}

	private static MultiGauge.Row<Number> row(QuotaRatios.Ratio ratio) {
		return MultiGauge.Row.of(Tags.of("tenant", ratio.accountId().toString(), "period", ratio.period()),
				ratio.used());
	}

}
