package dev.mailroom.observability;

import java.util.List;

import dev.mailroom.quota.QuotaRatios;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import reactor.core.publisher.Mono;

/**
 * Gauges of the used quota of each tenant. Only one process exports them, because each
 * account is a time series.
 */
public class QuotaMeters {

	private final QuotaRatios ratios;

	private final MultiGauge used;

	QuotaMeters(QuotaRatios ratios, MeterRegistry registry) {
		this.ratios = ratios;
		this.used = MultiGauge.builder("mailroom.quota.used.ratio")
			.description("Used part of a tenant's quota of the day or month, from 0 to 1")
			.register(registry);
	}

	/** Reads the used quota and sets the gauges. */
	public Mono<Void> read() {
		return this.ratios.current().collectList().doOnNext(this::export).then();
	}

	/** Removes the gauges, because another process exports them. */
	public void hide() {
		this.used.register(List.of(), true);
	}

	private void export(List<QuotaRatios.Ratio> ratios) {
		this.used.register(ratios.stream().map(QuotaMeters::row).toList(), true);
	}

	private static MultiGauge.Row<Number> row(QuotaRatios.Ratio ratio) {
		return MultiGauge.Row.of(Tags.of("tenant", ratio.accountId().toString(), "period", ratio.period()),
				ratio.used());
	}

}
