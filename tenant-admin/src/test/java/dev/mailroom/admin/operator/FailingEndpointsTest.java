package dev.mailroom.admin.operator;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import dev.mailroom.Given;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import dev.mailroom.webhook.CallResult;
import dev.mailroom.webhook.LeasedEndpoint;
import dev.mailroom.webhook.WebhookCalls;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** The figures of webhook endpoints whose calls fail, after calls of the worker. */
@WithAdmin
class FailingEndpointsTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	WebhookCalls calls;

	Person person;

	GraphQl tenant;

	GraphQl operator;

	UUID endpoint;

	@BeforeEach
	void anEndpointWithTwoCalls() {
		this.person = Person.in(this.context);
		this.tenant = GraphQl.at(this.port).as(this.person);
		this.operator = GraphQl.at(this.port).as(Person.operator(this.context));
		this.endpoint = id("createWebhookEndpoint",
				"(input: { url: \"https://example.com/hook\", events: [\"contact.created\"] })", "webhookEndpoint");
		UUID book = id("createContactBook", "(input: { name: \"b\" })", "contactBook");
		for (String name : List.of("a", "b")) {
			id("createContact", "(input: { contactBookId: \"" + book + "\", email: \"" + name + "@b.test\" })",
					"contact");
		}
	}

	@Test
	void anEndpointWithoutAFailedCallIsNotShown() {
		assertThat(shown()).isNull();
		call(result(204, null));
		assertThat(shown()).isNull();
	}

	@Test
	void aFailedCallWaitsAndIsTheLastOne() {
		Instant called = Instant.now().minusSeconds(5).truncatedTo(ChronoUnit.MILLIS);
		call((call) -> new CallResult(call.id(), call.eventId(), 500, "no", "expected", Duration.ZERO,
				Duration.ofMillis(7), called));
		JsonNode row = shown();
		assertThat(row).isNotNull();
		assertThat(row.path("accountId").asString()).isEqualTo(this.person.account().toString());
		assertThat(row.path("url").asString()).isEqualTo("https://example.com/hook");
		assertThat(row.path("active").asBoolean()).isTrue();
		assertThat(row.path("failed").asInt()).isZero();
		assertThat(row.path("pending").asInt()).isEqualTo(2);
		assertThat(row.path("lastStatus").asInt()).isEqualTo(500);
		assertThat(Instant.parse(row.path("lastAt").asString())).isEqualTo(called);
		assertThat(Instant.parse(row.path("failingSince").asString())).isEqualTo(Instant
			.parse(this.tenant.data("{ viewer { webhookEndpoint(id: \"" + this.endpoint + "\") { failingSince } } }")
				.findPath("failingSince")
				.asString()));
		assertThat(row.path("disabledReason").isNull()).isTrue();
	}

	@Test
	void aCallWithoutAResponseHasNoStatus() {
		call(result(503, "expected"));
		call(result(null, "refused"));
		JsonNode row = shown();
		assertThat(row).isNotNull();
		assertThat(row.path("lastStatus").isNull()).isTrue();
		assertThat(row.path("pending").asInt()).isEqualTo(2);
	}

	@Test
	void aCallIsCountedForADayAfterItWasGivenUpWhateverTheTimeOfItsEvent() {
		call(result(410, "gone"));
		Given.run("update webhook_delivery set created_at = now() - interval '3 days' where endpoint_id = '%s'",
				this.endpoint);
		JsonNode row = shown();
		assertThat(row).isNotNull();
		assertThat(row.path("failed").asInt()).isEqualTo(1);
		assertThat(row.path("pending").asInt()).isEqualTo(1);
		assertThat(row.path("lastStatus").asInt()).isEqualTo(410);
		assertThat(row.path("active").asBoolean()).isFalse();
		assertThat(row.path("disabledReason").asString()).isNotEmpty();
		Given.run("update webhook_delivery set status = 'failed', settled_at = now() - interval '25 hours' "
				+ "where endpoint_id = '%s'", this.endpoint);
		assertThat(shown()).isNull();
	}

	@Test
	void anEndpointThatWorksAgainShowsItsLastCallAndThoseGivenUp() {
		call(result(500, "expected"));
		Given.run("update webhook_delivery set status = 'failed', settled_at = now() where endpoint_id = '%s' "
				+ "and attempt > 0", this.endpoint);
		call(result(204, null));
		JsonNode row = shown();
		assertThat(row).isNotNull();
		assertThat(row.path("failed").asInt()).isEqualTo(1);
		assertThat(row.path("pending").asInt()).isZero();
		assertThat(row.path("lastStatus").asInt()).isEqualTo(204);
		assertThat(row.path("failingSince").isNull()).isTrue();
	}

	/** Makes the calls due and records the result of one of them. */
	private void call(Function<LeasedEndpoint.Call, CallResult> result) {
		Given.run("update webhook_delivery set due_at = now() where endpoint_id = '%1$s' and status = 'pending'; "
				+ "update webhook_state set next_due_at = now() where endpoint_id = '%1$s'", this.endpoint);
		UUID before = new UUID(this.endpoint.getMostSignificantBits(), this.endpoint.getLeastSignificantBits() - 1);
		LeasedEndpoint leased = this.calls.lease(before, 1, 10).endpoints().getFirst();
		assertThat(leased.endpointId()).isEqualTo(this.endpoint);
		this.calls.settle(leased, List.of(result.apply(leased.calls().getFirst())));
	}

	private static Function<LeasedEndpoint.Call, CallResult> result(@Nullable Integer status, @Nullable String error) {
		return (call) -> new CallResult(call.id(), call.eventId(), status, (status != null) ? "" : null, error,
				Duration.ZERO, Duration.ofMillis(7), Instant.now());
	}

	/** The row of the endpoint in the list of operators; null if it is not shown. */
	private @Nullable JsonNode shown() {
		return this.operator.data("""
				{ operator { failingEndpoints {
				  id accountId url active failed pending lastStatus lastAt failingSince disabledReason } } }""")
			.path("operator")
			.path("failingEndpoints")
			.valueStream()
			.filter((row) -> row.path("id").asString().equals(this.endpoint.toString()))
			.findFirst()
			.orElse(null);
	}

	private UUID id(String mutation, String arguments, String object) {
		return UUID
			.fromString(this.tenant.change(mutation, arguments, object + " { id }").path(object).path("id").asString());
	}

}
