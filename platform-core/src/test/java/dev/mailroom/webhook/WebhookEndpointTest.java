package dev.mailroom.webhook;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.database.Transactions;
import dev.mailroom.secret.Seal;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.r2dbc.core.DatabaseClient;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class WebhookEndpointTest {

	private static final Page.Request FIRST = new Page.Request(1, 50);

	@Autowired
	WebhookEndpoints endpoints;

	@Autowired
	WebhookDeliveries deliveries;

	@Autowired
	Seal seal;

	@Autowired
	Transactions transactions;

	@Autowired
	DatabaseClient database;

	private final Scope scope = Scope.of(Given.account("free"));

	@Test
	void secretsAreSealedForTheirRowAndTheOldOneIsValidForADay() {
		WebhookEndpoint.Issued first = create();
		WebhookEndpoint.Issued second = await(this.endpoints.rotate(this.scope, first.endpoint().id()));
		UUID id = first.endpoint().id();
		assertThat(first).asString().doesNotContain(first.secret());
		assertThat(unsealed(id, "sealed_secret")).isEqualTo(second.secret());
		assertThat(unsealed(id, "sealed_previous")).isEqualTo(first.secret());
		assertThat(Given.rows("select previous_until - now() between interval '23 hours' and interval '24 hours' "
				+ "from webhook_endpoint where id = '%s'", id))
			.containsExactly("t");
	}

	@Test
	void concurrentRequestsDoNotExceedAHundredEndpoints() {
		Given.run("insert into webhook_endpoint (id, account_id, url, events, sealed_secret, created_at) "
				+ "select gen_random_uuid(), '%s', 'https://a.test', '{email.sent}', '', now() "
				+ "from generate_series(1, 98)", this.scope.account());
		List<Boolean> created = await(Flux.range(0, 6)
			.flatMap((_) -> this.endpoints.create(this.scope, form())
				.thenReturn(true)
				.onErrorResume(Refused.class, (refused) -> {
					assertThat(refused.refusal()).isEqualTo(WebhookRefusals.LIMIT);
					return Mono.just(false);
				}), 6)
			.collectList());
		assertThat(created).filteredOn(Boolean::booleanValue).hasSize(2);
	}

	@Test
	void aTestIsRecordedAndSentToItsEndpointOnly() {
		WebhookEndpoint endpoint = create().endpoint();
		create();
		WebhookDelivery delivery = await(this.deliveries.test(this.scope, endpoint.id()));
		assertThat(delivery.endpointId()).isEqualTo(endpoint.id());
		assertThat(Given.rows("select kind || ' ' || (data ->> 'url') from event where id = '%s'", delivery.eventId()))
			.containsExactly("webhook.test https://example.com/hooks");
		assertThat(await(this.deliveries.list(this.scope, endpoint.id(), FIRST)).items()).containsExactly(delivery);
		assertThat(Given.rows("select count(*) from webhook_delivery where account_id = '%s'", this.scope.account()))
			.containsExactly("1");
	}

	@Test
	void theTotalOfTheCallsIsExactAndReadsFewOfThem() {
		UUID endpoint = create().endpoint().id();
		UUID other = create().endpoint().id();
		calls(endpoint, 3000);
		calls(other, 2);
		assertThat(total(endpoint)).isEqualTo(3000);
		Given.run(
				"delete from webhook_delivery where endpoint_id = '%s' and created_at < now() - interval '2000.5 seconds'",
				endpoint);
		assertThat(total(endpoint)).isEqualTo(2000);
		assertThat(total(other)).isEqualTo(2);
		Given.run("analyze webhook_delivery");
		Mono<Long> read = this.database
			.sql("""
					select sum(pg_stat_get_xact_tuples_returned(read))::bigint
					  from pg_partition_tree('webhook_delivery') as part
					 cross join lateral (select part.relid union all select indexrelid from pg_index where indrelid = part.relid)
					       as relation(read)
					""")
			.mapValue(Long.class)
			.one();
		Mono<Long> listed = read.flatMap((
				before) -> this.deliveries.list(this.scope, endpoint, FIRST).then(read).map((after) -> after - before));
		assertThat(await(this.transactions.in(this.scope, listed))).isLessThan(200);
	}

	private long total(UUID endpoint) {
		return await(this.deliveries.list(this.scope, endpoint, FIRST)).total();
	}

	private void calls(UUID endpoint, int count) {
		Given.run(
				"insert into webhook_delivery (id, account_id, endpoint_id, event_id, kind, status, due_at, created_at) "
						+ "select gen_random_uuid(), '%s', '%s', gen_random_uuid(), 'email.sent', 'delivered', now(), "
						+ "now() - number * interval '1 second' from generate_series(1, %d) as number",
				this.scope.account(), endpoint, count);
	}

	@Test
	void aFailedCallIsQueuedAgainWithAllRetries() {
		UUID id = await(this.deliveries.test(this.scope, create().endpoint().id())).id();
		Given.run("update webhook_delivery set status = 'failed', attempt = 9, last_status = 500, "
				+ "settled_at = now(), due_at = now() - interval '1 hour' where id = '%s'", id);
		WebhookDelivery requeued = await(this.deliveries.redeliver(this.scope, id));
		assertThat(requeued.status()).isEqualTo("pending");
		assertThat(requeued.attempt()).isZero();
		assertThat(requeued.settledAt()).isNull();
		assertThat(requeued.lastStatus()).isEqualTo(500);
	}

	@Test
	void endpointsOfOtherAccountsAreNotFound() {
		UUID id = create().endpoint().id();
		UUID delivery = await(this.deliveries.test(this.scope, id)).id();
		Scope other = Scope.of(Given.account("free"));
		refused(WebhookRefusals.NOT_FOUND, this.endpoints.find(other, id));
		refused(WebhookRefusals.NOT_FOUND, this.endpoints.rotate(other, id));
		refused(WebhookRefusals.NOT_FOUND, this.endpoints.delete(other, id));
		refused(WebhookRefusals.NOT_FOUND, this.deliveries.test(other, id));
		refused(WebhookRefusals.NOT_FOUND, this.deliveries.list(other, id, FIRST));
		refused(WebhookRefusals.NO_DELIVERY, this.deliveries.redeliver(other, delivery));
		refused(WebhookRefusals.NOT_FOUND, this.deliveries.recover(other, id, "2026-01-01T00:00:00Z", null));
		assertThat(await(this.deliveries.attempts(other, List.of(delivery)))).isEmpty();
		assertThat(await(this.endpoints.list(other, FIRST)).total()).isZero();
	}

	private String unsealed(UUID id, String column) {
		byte[] sealed = HexFormat.of()
			.parseHex(Given.rows("select encode(%s, 'hex') from webhook_endpoint where id = '%s'", column, id)
				.getFirst());
		return new String(this.seal.open(sealed, SigningSecret.context(id, this.scope.account())),
				StandardCharsets.UTF_8);
	}

	private WebhookEndpoint.Issued create() {
		return await(this.endpoints.create(this.scope, form()));
	}

	private static WebhookEndpoint.Form form() {
		return new WebhookEndpoint.Form("https://example.com/hooks", List.of("email.delivered"), null);
	}

	private static void refused(Refusal refusal, Mono<?> work) {
		StepVerifier.create(work)
			.expectErrorSatisfies((error) -> assertThat(((Refused) error).refusal()).isEqualTo(refusal))
			.verify(Duration.ofSeconds(30));
	}

}
