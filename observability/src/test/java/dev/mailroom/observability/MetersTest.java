package dev.mailroom.observability;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.domain.NameServers.Kind;
import dev.mailroom.domain.NameServers.Result;
import dev.mailroom.domain.NameServers;
import dev.mailroom.mail.accept.Idempotency;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.accept.MailAccepted;
import dev.mailroom.mail.accept.Quotas;
import dev.mailroom.mail.outcome.DeliveryResult;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.queue.Queue;
import dev.mailroom.mail.queue.Window;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.netty.resources.LoopResources;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@WithCore
@TestPropertySource(properties = "management.prometheus.metrics.export.enabled=true")
class MetersTest {

	@Autowired
	ApplicationEventPublisher core;

	@Autowired
	PrometheusMeterRegistry registry;

	@Autowired
	QueueMeters queue;

	@Autowired
	QuotaMeters quota;

	@Autowired
	ReputationMeters reputation;

	@Autowired
	BacklogMeters backlog;

	@Autowired
	Queue deliveries;

	@Autowired
	EventLoopMeters loops;

	@Autowired
	JdbcTransactions transactions;

	@Test
	void applicationEventsAreCounted() {
		this.core.publishEvent(new MailAccepted(Channel.SMTP, 3));
		this.core.publishEvent(new MailAccepted(Channel.SMTP, 2));
		this.core.publishEvent(new MailAccepted(Channel.CAMPAIGN, 40));
		this.core.publishEvent(new Quotas.LimitReached("month", Refusal.limited("Limit").because("none is left")));
		this.core.publishEvent(Idempotency.KeyUse.IN_PROGRESS);
		this.core.publishEvent(new Outcomes.Settled(DeliveryResult.DELIVERED, "transactional", 2,
				List.of(Duration.ofMillis(90), Duration.ofSeconds(3)), List.of(1, 1)));
		this.core.publishEvent(
				new Outcomes.Settled(DeliveryResult.DEFERRED, "campaign", 4, List.of(), List.of(1, 5, 6, 12)));
		this.core.publishEvent(new MailAccepted.Commit(40, Duration.ofMillis(4)));
		assertThat(this.registry.scrape()).contains(
				"mailroom_emails_accepted_total{channel=\"smtp\",stream=\"transactional\"} 5.0",
				"mailroom_emails_accepted_total{channel=\"campaign\",stream=\"campaign\"} 40.0",
				"mailroom_quota_refusals_total{period=\"month\"} 1.0",
				"mailroom_idempotency_total{result=\"in_progress\"} 1.0",
				"mailroom_deliveries_settled_total{outcome=\"delivered\",stream=\"transactional\"} 2.0",
				"mailroom_time_to_first_attempt_seconds_bucket{stream=\"transactional\",le=\"0.1\"} 1",
				"mailroom_time_to_first_attempt_seconds_bucket{stream=\"transactional\",le=\"5.0\"} 2",
				"mailroom_time_to_first_attempt_seconds_count{stream=\"transactional\"} 2",
				"mailroom_retries_total{attempt=\"1\"} 1.0", "mailroom_retries_total{attempt=\"4-6\"} 2.0",
				"mailroom_retries_total{attempt=\"7+\"} 1.0", "mailroom_commit_seconds_bucket{le=\"0.005\"} 1",
				"mailroom_commit_group_size_bucket{le=\"50.0\"} 1");
	}

	@Test
	void theQueueHasGaugesOfDepthAndAgePerPhase() {
		Scope sender = Given.sender("free");
		Given.mail(sender, "a@b.test", "c@d.test");
		Given.run("update queue set due_at = now() - interval '1 hour' where account_id = '%s'", sender.account());
		this.queue.read();
		String due = Given.rows("select count(*) from delivery_state where phase = 'queued' and due_at <= now()")
			.getFirst();
		String transactional = "\",stream=\"transactional\"} ";
		assertThat(this.registry.scrape()).contains("mailroom_queue_depth{phase=\"due" + transactional + due + ".0",
				"mailroom_queue_depth{phase=\"leased" + transactional + "0.0",
				"mailroom_queue_depth{phase=\"in_data\",stream=\"campaign\"} 0.0");
		assertThat(this.registry.scrape())
			.containsPattern("mailroom_queue_oldest_age_seconds\\{phase=\"due\",stream=\"transactional\"} 36");
		this.queue.hide();
		assertThat(this.registry.scrape()).doesNotContain("mailroom_queue_depth{");
	}

	@Test
	void aTenantWithAQuotaHasGaugesOfItsUse() {
		Scope free = Given.sender("free");
		Scope unlimited = Given.sender("unlimited");
		for (Scope scope : List.of(free, unlimited)) {
			Given.run("insert into quota_use values ('%1$s', 'day', (now() at time zone 'UTC')::date, 25), "
					+ "('%1$s', 'month', date_trunc('month', now() at time zone 'UTC')::date, 1500), "
					+ "('%1$s', 'day', '2020-01-01', 100)", scope.account());
		}
		this.quota.read();
		assertThat(this.registry.scrape())
			.contains("mailroom_quota_used_ratio{period=\"day\",tenant=\"" + free.account() + "\"} 0.25",
					"mailroom_quota_used_ratio{period=\"month\",tenant=\"" + free.account() + "\"} 0.5")
			.doesNotContain(unlimited.account().toString());
		this.quota.hide();
		assertThat(this.registry.scrape()).doesNotContain(free.account().toString());
	}

	@Test
	void aTenantThatHasSentHasGaugesOfBouncesAndComplaints() {
		Scope sender = Given.sender("free");
		Given.run(
				"insert into reputation_day values ('%1$s', '%2$s', (now() at time zone 'UTC')::date, 9, 0, 1, 0), "
						+ "('%1$s', '%2$s', (now() at time zone 'UTC')::date - 5, 5, 5, 5, 2)",
				sender.account(), sender.domain());
		this.reputation.read();
		String tenant = "{tenant=\"" + sender.account() + "\",window=";
		assertThat(this.registry.scrape()).contains("mailroom_reputation_bounce_ratio" + tenant + "\"24h\"} 0.1",
				"mailroom_reputation_bounce_ratio" + tenant + "\"7d\"} 0.24",
				"mailroom_reputation_complaint_ratio" + tenant + "\"24h\"} 0.0",
				"mailroom_reputation_complaint_ratio" + tenant + "\"7d\"} 0.1",
				"mailroom_tenant_mails{tenant=\"" + sender.account() + "\"} 10.0",
				"mailroom_reputation_platform_mails{window=\"24h\"} ",
				"mailroom_reputation_platform_bounce_ratio{window=\"7d\"} ");
		this.reputation.hide();
		assertThat(this.registry.scrape()).doesNotContain(sender.account().toString());
	}

	@Test
	void backlogsThatWaitForAPersonHaveGauges() {
		Given.run("insert into dead_letter (id, what, why, died_at) values (gen_random_uuid(), 'record', 'x', now())");
		this.backlog.read();
		String waiting = Given.rows("select count(*) from dead_letter where requeued_at is null").getFirst();
		assertThat(this.registry.scrape()).contains("mailroom_dead_letters " + waiting + ".0",
				"mailroom_webhook_oldest_age_seconds ", "mailroom_webhook_endpoints{state=\"inactive\"} ",
				"mailroom_campaigns{status=\"running\"} ", "mailroom_reputation_tenants_at_risk ",
				"mailroom_dkim_key_oldest_age_seconds ", "mailroom_sealed_secrets_remaining ",
				"mailroom_partitions_ahead ", "mailroom_partition_strays ");
		this.backlog.hide();
		assertThat(this.registry.scrape()).doesNotContain("mailroom_dead_letters ", "mailroom_campaigns{");
	}

	@Test
	void aLeasedDeliveryIsRecordedWithTheTimeSinceItWasDue() {
		Scope sender = Given.sender("free");
		Given.emptyQueueExceptFor(sender.account());
		Given.mail(sender, "a@b.test", "c@d.test");
		Given.run("update queue set first_due_at = now() - interval '20 minutes' where account_id = '%s'",
				sender.account());
		Window window = this.deliveries.window(10, 10);
		this.deliveries.next(window);
		this.queue.read();
		assertThat(this.registry.scrape())
			.contains("mailroom_queue_depth{phase=\"leased\",stream=\"transactional\"} 2.0");
		window.clear();
		Timer lateness = this.registry.get("mailroom.scheduled.lateness").tag("stream", "transactional").timer();
		assertThat(lateness.count()).isEqualTo(2);
		assertThat(lateness.mean(TimeUnit.MINUTES)).isBetween(20d, 25d);
	}

	@Test
	void aDnsQueryIsRecordedByKindAndResult() {
		this.core.publishEvent(new NameServers.Query(Kind.MX, Result.FOUND, Duration.ofMillis(30)));
		this.core.publishEvent(new NameServers.Query(Kind.TXT, Result.FAILED, Duration.ofSeconds(9)));
		assertThat(this.registry.scrape()).contains(
				"mailroom_dns_seconds_bucket{kind=\"mx\",result=\"found\",le=\"0.1\"} 1",
				"mailroom_dns_seconds_bucket{kind=\"txt\",result=\"failed\",le=\"10.0\"} 1");
	}

	@Test
	void eventLoopsHaveMetersOfTheirDelayAndTheirPendingTasks() {
		this.loops.probe();
		Await.until("a task ran on each loop",
				() -> this.registry.get("mailroom.event.loop.delay")
					.timer()
					.count() >= LoopResources.DEFAULT_IO_WORKER_COUNT);
		assertThat(this.registry.scrape()).contains("mailroom_event_loop_pending_tasks ",
				"mailroom_event_loop_delay_seconds_bucket{le=\"1.0\"}");
	}

	@Test
	void eachLimitHasGaugesOfItsUse() {
		assertThat(this.registry.scrape()).contains("mailroom_resource_limit{resource=\"accept_mails\"} 4096.0",
				"mailroom_resource_used{resource=\"accept_mails\"} 0.0",
				"mailroom_resource_limit{resource=\"accept_bytes\"} 2.68435456E8",
				"mailroom_resource_used{resource=\"content_bytes\"} 0.0",
				"mailroom_resource_limit{resource=\"commit_connections\"} 3.0",
				"mailroom_resource_waiting{resource=\"commit_connections\"} 0.0");
		String inUse = this.transactions.acrossAccounts((_) -> this.registry.scrape());
		assertThat(inUse).containsPattern("mailroom_resource_used\\{resource=\"thread_connections\"} [1-9]");
	}

	@Test
	void theSchemaOfThisReleaseIsNotBehind() {
		assertThat(this.registry.scrape()).contains("mailroom_schema_behind 0.0");
	}

}
