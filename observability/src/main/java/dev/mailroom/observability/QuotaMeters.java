package dev.mailroom.observability;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.mail.accept.QuotaRatios;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;

/**
 * Gauges of the used quota of tenants. Only one process exports them, because each tenant
 * is a time series. Tenants without series of their own appear with the highest of their
 * ratios.
 */
public class QuotaMeters {

	/** Used part above which a tenant has series of its own. */
	private static final double NEARLY_USED = 0.9;

	private final QuotaRatios ratios;

	private final MultiGauge used;

	QuotaMeters(QuotaRatios ratios, MeterRegistry registry) {
		this.ratios = ratios;
		this.used = MultiGauge.builder("mailroom.quota.used.ratio")
			.description("Used part of a tenant's quota of the day or month, from 0 to 1")
			.register(registry);
	}

	/** Reads the used quota and sets the gauges. */
	public void read() {
		export(this.ratios.current());
	}

	/** Removes the gauges, because another process exports them. */
	public void hide() {
		export(List.of());
	}

	void export(List<QuotaRatios.Ratio> ratios) {
		Map<UUID, Double> highest = ratios.stream()
			.collect(Collectors.toMap(QuotaRatios.Ratio::accountId, QuotaRatios.Ratio::used, Math::max));
		Set<UUID> selected = BusyTenants.select(highest.entrySet()
			.stream()
			.map((one) -> new BusyTenants.Tenant(one.getKey(), one.getValue(), one.getValue() < NEARLY_USED))
			.toList());
		Map<Tags, Double> rows = ratios.stream()
			.collect(Collectors.toMap(
					(one) -> Tags.of("tenant", BusyTenants.label(one.accountId(), selected), "period", one.period()),
					QuotaRatios.Ratio::used, Math::max));
		this.used.register(
				rows.entrySet()
					.stream().<MultiGauge.Row<?>>map((row) -> MultiGauge.Row.of(row.getKey(), row.getValue())).toList(),
				true);
	}

}
