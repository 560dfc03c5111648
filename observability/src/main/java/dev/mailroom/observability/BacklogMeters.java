package dev.mailroom.observability;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.mailroom.campaign.CampaignResults;
import dev.mailroom.domain.SigningKeys;
import dev.mailroom.mail.outcome.DeadLetters;
import dev.mailroom.operator.AutoPause;
import dev.mailroom.upkeep.Partitions;
import dev.mailroom.upkeep.Resealing;
import dev.mailroom.webhook.WebhookDeliveries;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;

/**
 * Gauges of backlogs and of conditions that need attention: dead letters, webhook calls,
 * campaigns, accounts at risk, the age of DKIM keys, secrets under earlier master keys,
 * partitions. Only one worker exports them, because they describe the shared database.
 */
public class BacklogMeters {

	private static final List<String> STATUSES = List.of("draft", "scheduled", "running", "paused", "sent");

	private final DeadLetters deadLetters;

	private final WebhookDeliveries webhooks;

	private final CampaignResults campaigns;

	private final AutoPause autoPause;

	private final SigningKeys keys;

	private final Resealing resealing;

	private final Partitions partitions;

	private final MultiGauge dead;

	private final MultiGauge webhookAge;

	private final MultiGauge endpoints;

	private final MultiGauge campaignCounts;

	private final MultiGauge atRisk;

	private final MultiGauge keyAge;

	private final MultiGauge earlierSeals;

	private final MultiGauge monthsAhead;

	private final MultiGauge strays;

	BacklogMeters(DeadLetters deadLetters, WebhookDeliveries webhooks, CampaignResults campaigns, AutoPause autoPause,
			SigningKeys keys, Resealing resealing, Partitions partitions, MeterRegistry registry) {
		this.deadLetters = deadLetters;
		this.webhooks = webhooks;
		this.campaigns = campaigns;
		this.autoPause = autoPause;
		this.keys = keys;
		this.resealing = resealing;
		this.partitions = partitions;
		this.dead = gauge(registry, "mailroom.dead.letters", "Dead letters that were not requeued");
		this.webhookAge = seconds(registry, "mailroom.webhook.oldest.age",
				"Time since the oldest pending webhook call was due");
		this.endpoints = gauge(registry, "mailroom.webhook.endpoints", "Webhook endpoints by state");
		this.campaignCounts = gauge(registry, "mailroom.campaigns", "Campaigns by status");
		this.atRisk = gauge(registry, "mailroom.reputation.tenants.at.risk",
				"Tenants over a reputation limit that are not paused");
		this.keyAge = seconds(registry, "mailroom.dkim.key.oldest.age", "Age of the oldest DKIM key that signs");
		this.earlierSeals = gauge(registry, "mailroom.sealed.secrets.remaining",
				"Secrets that are sealed under an earlier master key");
		this.monthsAhead = gauge(registry, "mailroom.partitions.ahead",
				"Months after the present one that have partitions");
		this.strays = gauge(registry, "mailroom.partition.strays", "Tables with rows outside of all months");
	}

	private static MultiGauge gauge(MeterRegistry registry, String name, String description) {
		return MultiGauge.builder(name).description(description).register(registry);
	}

	private static MultiGauge seconds(MeterRegistry registry, String name, String description) {
		return MultiGauge.builder(name).description(description).baseUnit("seconds").register(registry);
	}

	/** Reads the counts and sets the gauges. */
	public void read() {
		set(this.dead, this.deadLetters.waiting());
		export(this.webhooks.backlog());
		export(this.campaigns.counts()
			.stream()
			.collect(Collectors.toMap(CampaignResults.Count::status, CampaignResults.Count::count)));
		set(this.atRisk, this.autoPause.accountsAtRisk());
		set(this.keyAge, this.keys.oldestSeconds());
		this.resealing.remaining().ifPresent((count) -> set(this.earlierSeals, count));
		export(this.partitions.state());
	}

	/** Removes the gauges, because another process exports them. */
	public void hide() {
		List.of(this.dead, this.webhookAge, this.endpoints, this.campaignCounts, this.atRisk, this.keyAge,
				this.earlierSeals, this.monthsAhead, this.strays)
			.forEach((gauge) -> gauge.register(List.of(), true));
	}

	private void export(WebhookDeliveries.Backlog backlog) {
		set(this.webhookAge, backlog.oldestSeconds());
		this.endpoints.register(
				List.of(row("state", "active", backlog.active()), row("state", "failing", backlog.failing()),
						row("state", "disabled", backlog.disabled()), row("state", "inactive", backlog.inactive())),
				true);
	}

	private void export(Partitions.State state) {
		set(this.monthsAhead, state.monthsAhead());
		set(this.strays, state.strayTables());
	}

	private void export(Map<String, Long> campaigns) {
		this.campaignCounts.register(
				STATUSES.stream().map((status) -> row("status", status, campaigns.getOrDefault(status, 0L))).toList(),
				true);
	}

	private static MultiGauge.Row<?> row(String label, String value, long count) {
		return MultiGauge.Row.of(Tags.of(label, value), count);
	}

	private static void set(MultiGauge gauge, Number value) {
		gauge.register(List.of(MultiGauge.Row.of(Tags.empty(), value)), true);
	}

}
