package dev.mailroom.observability;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.Bounded;
import dev.mailroom.domain.NameServers.Kind;
import dev.mailroom.domain.NameServers.Result;
import dev.mailroom.mail.accept.QuotaRatios;
import dev.mailroom.mail.outcome.Reputations;
import dev.mailroom.site.Profiles;
import dev.mailroom.source.SourceWarmup;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Number of time series of the process with the most of them: a worker with the active
 * dispatcher, thousands of tenants and mail to every provider.
 */
class SeriesBudgetTest {

	private static final int BUDGET = 5_000;

	/** JVM, process, Netty, Kafka clients, connection pool: more than a worker has. */
	private static final int LIBRARIES = 700;

	private static final int TENANTS = 3_000;

	private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

	@Test
	void aWorkerWithManyTenantsAndAllProvidersStaysWithinTheBudget() {
		tenants();
		deliveries(this.registry);
		limits(this.registry);
		pools(this.registry);
		assertThat(series().count() + LIBRARIES).isLessThanOrEqualTo(BUDGET);
	}

	@Test
	void aLimitedNumberOfTenantsHasSeriesAndTheOthersAreCombined() {
		tenants();
		assertThat(series()
			.filter((line) -> line.startsWith("mailroom_reputation_bounce_ratio{") && line.contains("window=\"7d\""))
			.count()).isEqualTo(BusyTenants.MAX_TENANTS + 1);
		assertThat(series().filter((line) -> line.startsWith("mailroom_tenant_mails{")).count())
			.isEqualTo(BusyTenants.MAX_BUSIEST + 1);
		assertThat(this.registry.scrape()).contains(
				"mailroom_reputation_bounce_ratio{tenant=\"" + BusyTenants.OTHER + "\",window=\"7d\"}",
				"mailroom_quota_used_ratio{period=\"day\",tenant=\"" + BusyTenants.OTHER + "\"}");
	}

	@Test
	void aTenantThatNeedsAttentionHasSeriesHoweverFewMailsItSends() {
		List<Reputations.Recent> ratios = new ArrayList<>();
		for (int i = 0; i < TENANTS; i++) {
			ratios.add(new Reputations.Recent(UUID.randomUUID(), 7, 1_000 + i, 0, 0));
		}
		UUID risky = UUID.randomUUID();
		ratios.add(new Reputations.Recent(risky, 7, 9, 1, 0));
		reputation().export(ratios);
		assertThat(this.registry.scrape()).contains("mailroom_reputation_bounce_ratio{tenant=\"" + risky + "\"");
		assertThat(series().filter((line) -> line.startsWith("mailroom_reputation_bounce_ratio{")).count())
			.isEqualTo(BusyTenants.MAX_BUSIEST + 2);
	}

	/** Meters without a source: the test passes the rows. */
	private ReputationMeters reputation() {
		return new ReputationMeters(null, this.registry);
	}

	private void tenants() {
		List<Reputations.Recent> reputations = new ArrayList<>();
		List<QuotaRatios.Ratio> quotas = new ArrayList<>();
		for (int i = 0; i < TENANTS; i++) {
			UUID tenant = UUID.randomUUID();
			for (int days : new int[] { 1, 7, 30 }) {
				reputations.add(new Reputations.Recent(tenant, days, 100, i % 20, i % 2));
			}
			quotas.add(new QuotaRatios.Ratio(tenant, "day", i / (double) TENANTS));
			quotas.add(new QuotaRatios.Ratio(tenant, "month", i / (double) TENANTS));
		}
		reputation().export(reputations);
		new QuotaMeters(null, this.registry).export(quotas);
	}

	/** A relay is not one of the providers. */
	private static List<String> transports(String provider) {
		return provider.equals(Profiles.OTHER) ? List.of("mx", "relay") : List.of("mx");
	}

	/** More combinations of labels than occur: not every result has every reply class. */
	private static void deliveries(MeterRegistry registry) {
		for (String provider : Profiles.providers()) {
			for (String phase : List.of("connect", "tls", "envelope", "data")) {
				Timer.builder("mailroom.delivery.phase")
					.tags(List.of(Tag.of("provider", provider), Tag.of("phase", phase)))
					.serviceLevelObjectives(Buckets.PHASE)
					.register(registry);
			}
			for (String result : List.of("delivered 2", "sent 2", "bounced 5", "blocked 5", "deferred 4",
					"deferred net", "unopened net", "unanswered net")) {
				for (String transport : transports(provider)) {
					String[] parts = result.split(" ", -1);
					registry.counter("mailroom.delivery.attempts", "transport", transport, "provider", provider,
							"result", parts[0], "reply_class", parts[1]);
				}
			}
		}
		for (String provider : Profiles.providers()) {
			registry.gauge("mailroom.site.pace", List.of(Tag.of("provider", provider)), 1);
			for (String action : List.of("slow", "pause", "pause_account")) {
				registry.counter("mailroom.site.pauses", "provider", provider, "action", action);
			}
		}
		for (Kind kind : Kind.values()) {
			for (Result result : Result.values()) {
				DnsMeters.timer(registry, kind, result);
			}
		}
	}

	/** As many pools and sending addresses as there may be. */
	private static void pools(MeterRegistry registry) {
		for (String result : List.of("delivered", "deferred", "refused")) {
			for (int i = 0; i < 20; i++) {
				for (String provider : SourceWarmup.PROVIDERS) {
					registry.counter("mailroom.pool.attempts", "pool", "p" + i, "provider", provider, "result", result);
				}
			}
			for (int i = 0; i < 64; i++) {
				registry.counter("mailroom.source.attempts", "source", "s" + i, "result", result);
			}
		}
		for (int i = 0; i < 20; i++) {
			registry.gauge("mailroom.pool.sources", List.of(Tag.of("pool", "p" + i)), 1);
		}
		for (int i = 0; i < 64; i++) {
			registry.gauge("mailroom.source.present", List.of(Tag.of("source", "s" + i)), 1);
		}
	}

	/** Twice as many as a worker has. */
	private static void limits(MeterRegistry registry) {
		for (int i = 0; i < 30; i++) {
			SaturationMeters.register(new Bounded.Limit("resource " + i, () -> 1, 2, () -> 3), registry);
		}
	}

	private Stream<String> series() {
		return this.registry.scrape().lines().filter((line) -> !line.startsWith("#"));
	}

}
