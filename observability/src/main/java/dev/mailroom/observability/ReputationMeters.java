package dev.mailroom.observability;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import dev.mailroom.mail.outcome.Reputations;
import dev.mailroom.mail.outcome.Reputations.Recent;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;

/**
 * Gauges of the bounce and complaint ratios of tenants and of the whole platform. Only
 * one process exports them, because each tenant is a time series.
 */
public class ReputationMeters {

	/** Values of the window label by number of days. */
	private static final Map<Integer, String> WINDOWS = Map.of(1, "24h", 7, "7d");

	private static final int SELECTION_DAYS = 7;

	/** Ratios above which a tenant has series of its own. */
	private static final double BOUNCE_WARNING = 0.02;

	private static final double COMPLAINT_WARNING = 0.0005;

	private static final UUID ALL = new UUID(0, 0);

	private final Reputations reputations;

	private final MultiGauge bounces;

	private final MultiGauge complaints;

	private final MultiGauge mails;

	private final MultiGauge platformBounces;

	private final MultiGauge platformComplaints;

	private final MultiGauge platformMails;

	ReputationMeters(Reputations reputations, MeterRegistry registry) {
		this.reputations = reputations;
		this.bounces = gauge(registry, "mailroom.reputation.bounce.ratio",
				"Hard bounces among a tenant's delivered and hard-bounced mail, from 0 to 1");
		this.complaints = gauge(registry, "mailroom.reputation.complaint.ratio",
				"Complaints among a tenant's delivered mail, from 0 to 1");
		this.mails = gauge(registry, "mailroom.tenant.mails",
				"Delivered and hard-bounced mails of a tenant in 24 hours");
		this.platformBounces = gauge(registry, "mailroom.reputation.platform.bounce.ratio",
				"Hard bounces among delivered and hard-bounced mail of all tenants, from 0 to 1");
		this.platformComplaints = gauge(registry, "mailroom.reputation.platform.complaint.ratio",
				"Complaints among delivered mail of all tenants, from 0 to 1");
		this.platformMails = gauge(registry, "mailroom.reputation.platform.mails",
				"Delivered and hard-bounced mails of all tenants on which the ratios are based");
	}

	private static MultiGauge gauge(MeterRegistry registry, String name, String description) {
		return MultiGauge.builder(name).description(description).register(registry);
	}

	/** Reads the ratios and sets the gauges. */
	public void read() {
		export(this.reputations.recent());
	}

	/** Removes the gauges, because another process exports them. */
	public void hide() {
		export(List.of());
	}

	void export(List<Recent> ratios) {
		List<Recent> recent = ratios.stream().filter((one) -> WINDOWS.containsKey(one.days())).toList();
		Set<UUID> selected = BusyTenants.select(recent.stream()
			.filter((one) -> one.days() == SELECTION_DAYS)
			.map((one) -> new BusyTenants.Tenant(one.accountId(), one.delivered() + one.hardBounced(), isHealthy(one)))
			.toList());
		Map<String, List<Recent>> byTenant = recent.stream()
			.collect(Collectors.groupingBy((one) -> BusyTenants.label(one.accountId(), selected)));
		this.mails.register(volumes(recent), true);
		this.bounces.register(rows(byTenant, Recent::bounceRatio), true);
		this.complaints.register(rows(byTenant, Recent::complaintRatio), true);
		this.platformBounces.register(rows(recent, Tags.empty(), Recent::bounceRatio), true);
		this.platformComplaints.register(rows(recent, Tags.empty(), Recent::complaintRatio), true);
		this.platformMails.register(rows(recent, Tags.empty(), (one) -> one.delivered() + one.hardBounced()), true);
	}

	/**
	 * The mails of the last 24 hours of the busiest tenants in this time, and of others.
	 */
	private static List<MultiGauge.Row<?>> volumes(List<Recent> recent) {
		List<Recent> day = recent.stream().filter((one) -> one.days() == 1).toList();
		Set<UUID> busiest = BusyTenants.select(day.stream()
			.map((one) -> new BusyTenants.Tenant(one.accountId(), one.delivered() + one.hardBounced(), true))
			.toList());
		Map<String, Double> mails = day.stream()
			.collect(Collectors.groupingBy((one) -> BusyTenants.label(one.accountId(), busiest),
					Collectors.summingDouble((one) -> one.delivered() + one.hardBounced())));
		return mails.entrySet()
			.stream().<MultiGauge
					.Row<?>>map((tenant) -> MultiGauge.Row.of(Tags.of("tenant", tenant.getKey()), tenant.getValue()))
			.toList();
	}

	private static boolean isHealthy(Recent recent) {
		return recent.bounceRatio() < BOUNCE_WARNING && recent.complaintRatio() < COMPLAINT_WARNING;
	}

	private static List<MultiGauge.Row<?>> rows(Map<String, List<Recent>> byTenant, ToDoubleFunction<Recent> ratio) {
		List<MultiGauge.Row<?>> rows = new ArrayList<>();
		byTenant.forEach((tenant, recent) -> rows.addAll(rows(recent, Tags.of("tenant", tenant), ratio)));
		return rows;
	}

	/** One row for each window, over the sums of the given counts. */
	private static List<MultiGauge.Row<?>> rows(Collection<Recent> recent, Tags tags, ToDoubleFunction<Recent> value) {
		Map<Integer, Recent> sums = recent.stream()
			.collect(Collectors.toMap(Recent::days, ReputationMeters::anonymous, ReputationMeters::sum));
		return sums.values()
			.stream().<MultiGauge
					.Row<?>>map(
							(sum) -> MultiGauge.Row.of(tags.and("window", WINDOWS.getOrDefault(sum.days(), "other")),
									value.applyAsDouble(sum)))
			.toList();
	}

	private static Recent anonymous(Recent one) {
		return new Recent(ALL, one.days(), one.delivered(), one.hardBounced(), one.complained());
	}

	private static Recent sum(Recent one, Recent other) {
		return new Recent(ALL, one.days(), one.delivered() + other.delivered(), one.hardBounced() + other.hardBounced(),
				one.complained() + other.complained());
	}

}
