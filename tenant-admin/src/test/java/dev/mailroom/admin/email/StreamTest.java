package dev.mailroom.admin.email;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.account.Forge;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import dev.mailroom.secret.Seal;
import graphql.schema.GraphQLFieldDefinition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.graphql.execution.GraphQlSource;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.test.web.reactive.server.WebTestClient;

import static dev.mailroom.Await.awaitRefusal;
import static org.assertj.core.api.Assertions.assertThat;

@WithAdmin
class StreamTest {

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private static final String EVENTS = "subscription($after: String) { accountEvents(after: $after) { kind data cursor } }";

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	EventStreamResolver resolver;

	@Autowired
	GraphQlSource source;

	@Autowired
	Seal seal;

	Person person;

	@BeforeEach
	void person() {
		this.person = Person.in(this.context);
	}

	@Test
	void aStreamThatIsInterruptedContinuesAfterItsCursorWithoutAGap() {
		List<Integer> received = new ArrayList<>();
		String cursor = null;
		for (int round = 0; round < 4; round++) {
			for (int i = 0; i < 5; i++) {
				event(round * 5 + i);
			}
			// Fewer than there are, so that each interruption leaves events behind.
			List<JsonNode> some = stream(EVENTS, (cursor != null) ? Map.of("after", cursor) : Map.of()).take(3)
				.collectList()
				.block(TIMEOUT);
			for (JsonNode message : some) {
				JsonNode event = message.path("data").path("accountEvents");
				received.add(event.path("data").path("number").asInt());
				cursor = event.path("cursor").asString();
			}
		}
		assertThat(received).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
	}

	@Test
	void aStreamAfterTheEndOfTheFeedHasLaterEventsOnly() {
		event(1);
		stream(EVENTS, Map.of()).blockFirst(TIMEOUT);
		String end = GraphQl.at(this.port)
			.as(this.person)
			.data("{ viewer { eventCursor } }")
			.path("viewer")
			.path("eventCursor")
			.asString();
		event(2);
		assertThat(stream(EVENTS, Map.of("after", end)).blockFirst(TIMEOUT)
			.path("data")
			.path("accountEvents")
			.path("data")
			.path("number")
			.asInt()).isEqualTo(2);
	}

	@Test
	void aSlowClientIsDisconnectedWithItsCursorAndContinuesWithoutAGap() {
		Given.run(
				"insert into event (id, account_id, kind, data, created_at) "
						+ "select uuidv7(), '%s', 'domain.verified', '{}', now() from generate_series(1, %d)",
				this.person.account(), 300);
		List<String> cursors = new ArrayList<>();
		StepVerifier.create(this.resolver.accountEvents(this.person.scope(), null), 1)
			.consumeNextWith((event) -> cursors.add(event.cursor()))
			.expectErrorSatisfies((error) -> {
				Refused refused = (Refused) error;
				assertThat(refused.refusal().error()).isEqualTo("Rate limit exceeded");
				assertThat(refused.details()).containsExactly(new Refusal.Detail("after", cursors.getFirst()));
			})
			.verify(TIMEOUT);
		List<String> rest = this.resolver.accountEvents(this.person.scope(), cursors.getFirst())
			.map(EventResolver.FeedEvent::cursor)
			.take(299)
			.collectList()
			.block(TIMEOUT);
		assertThat(rest).doesNotHaveDuplicates().doesNotContain(cursors.getFirst());
	}

	@Test
	void anAccountHasTenStreamsAtMost() {
		List<Disposable> open = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			open.add(this.resolver.accountEvents(this.person.scope(), null).subscribe());
		}
		awaitRefusal("Rate limit exceeded", this.resolver.accountEvents(this.person.scope(), null).then());
		open.forEach(Disposable::dispose);
		event(1);
		assertThat(this.resolver.accountEvents(this.person.scope(), null).blockFirst(TIMEOUT)).isNotNull();
	}

	@Test
	void aStreamShowsEventsOfItsOwnAccountOnlyAndAsTheyOccur() {
		event(1);
		Person other = Person.in(this.context);
		Given.run("insert into event (id, account_id, kind, data, created_at) values "
				+ "(uuidv7(), '%s', 'domain.verified', '{\"number\": 99}', now())", other.account());
		List<Integer> received = stream(EVENTS, Map.of())
			.map((message) -> message.path("data").path("accountEvents").path("data").path("number").asInt())
			.doOnNext((number) -> {
				if (number == 1) {
					event(2);
				}
			})
			.take(2)
			.collectList()
			.block(TIMEOUT);
		assertThat(received).containsExactly(1, 2);
	}

	@Test
	void aStreamEndsWithinSecondsWhenItsSessionIsEnded() {
		event(1);
		List<JsonNode> received = stream(EVENTS, Map.of())
			.doOnNext((_) -> Given.run("delete from session where account_id = '%s'", this.person.account()))
			.collectList()
			.block(Duration.ofSeconds(45));
		assertThat(received).hasSize(1);
	}

	@Test
	void aStreamEndsWithinSecondsAfterItsAccessTokenHasExpired() {
		event(1);
		// The token is accepted for two or three more seconds, because clocks may differ.
		String token = new Forge(this.seal, this.person.token()).expired(27);
		List<JsonNode> received = messages(exchange(EVENTS, Map.of(), token)).collectList()
			.block(Duration.ofSeconds(45));
		assertThat(received).hasSize(1);
		exchange(EVENTS, Map.of(), token).expectStatus().isUnauthorized();
	}

	@Test
	void aCampaignIsStreamedAfterEachChange() {
		UUID id = campaign(this.person);
		List<String> states = stream("subscription { campaignProgress(id: \"" + id + "\") { status sentCount } }",
				Map.of())
			.map((message) -> message.path("data").path("campaignProgress").toString())
			.doOnNext((_) -> Given.run("""
					insert into campaign_count (campaign_id, account_id, slot, sent) values ('%1$s', '%2$s', 0, 5)
					on conflict do nothing;
					update campaign set status = 'sent' where id = '%1$s'
					""", id, this.person.account()))
			.take(2)
			.collectList()
			.block(TIMEOUT);
		assertThat(states).containsExactly("{\"status\":\"RUNNING\",\"sentCount\":0}",
				"{\"status\":\"SENT\",\"sentCount\":5}");
	}

	@Test
	void thePlatformIsStreamedToOperatorsOnly() {
		String document = "subscription { platformStatus { at platform { accounts } queue { phase count } } }";
		assertThat(stream(document, Map.of()).blockFirst(TIMEOUT)
			.path("errors")
			.path(0)
			.path("extensions")
			.path("name")
			.asString()).isEqualTo("forbidden");
		this.person = Person.operator(this.context);
		List<JsonNode> states = stream(document, Map.of()).take(2).collectList().block(TIMEOUT);
		assertThat(states).allSatisfy((state) -> assertThat(
				state.path("data").path("platformStatus").path("platform").path("accounts").asInt())
			.isPositive());
	}

	@Test
	void everySubscriptionIsRefusedWithoutAValidTokenAndForAnApiKey() {
		String key = GraphQl.at(this.port)
			.as(this.person)
			.change("createApiKey",
					"(input: { domainId: \"" + Given.domain(this.person.account()) + "\", name: \"k\" })", "key")
			.path("key")
			.asString();
		List<GraphQLFieldDefinition> fields = this.source.schema().getSubscriptionType().getFieldDefinitions();
		assertThat(fields).hasSizeGreaterThanOrEqualTo(3);
		for (GraphQLFieldDefinition field : fields) {
			String arguments = (field.getArgument("id") != null) ? "(id: \"" + UUID.randomUUID() + "\")" : "";
			String document = "subscription { " + field.getName() + arguments + " { __typename } }";
			exchange(document, Map.of(), null).expectStatus().isUnauthorized();
			exchange(document, Map.of(), "garbage").expectStatus().isUnauthorized();
			exchange(document, Map.of(), key).expectStatus().isForbidden();
		}
	}

	@Test
	void anInvalidCursorAndAForeignCampaignAreErrors() {
		assertThat(stream(EVENTS, Map.of("after", "x")).blockFirst(TIMEOUT).toString())
			.contains("invalid_request_data");
		UUID foreign = campaign(Person.in(this.context));
		UUID missing = UUID.randomUUID();
		assertThat(progress(foreign)).contains("campaign_not_found")
			.isEqualTo(progress(missing).replace(missing.toString(), foreign.toString()));
	}

	@Test
	void aSubscriptionThatIsRefusedAsAWholeHasItsErrorInTheStream() {
		JsonNode error = stream("subscription { accountEvents { nonsense } }", Map.of()).blockFirst(TIMEOUT)
			.path("errors")
			.path(0);
		assertThat(error.path("message").asString()).contains("nonsense");
		assertThat(error.path("extensions").path("name").asString()).isEqualTo("invalid_request_data");
	}

	@Test
	void aCursorOfAnotherAccountShowsNoneOfItsEvents() {
		event(1);
		Person stranger = Person.in(this.context);
		String cursor = stream("subscription { accountEvents { cursor } }", Map.of()).blockFirst(TIMEOUT)
			.path("data")
			.path("accountEvents")
			.path("cursor")
			.asString();
		event(2);
		this.person = stranger;
		event(3);
		assertThat(stream(EVENTS, Map.of("after", cursor)).blockFirst(TIMEOUT)
			.path("data")
			.path("accountEvents")
			.path("data")
			.path("number")
			.asInt()).isEqualTo(3);
	}

	/**
	 * The first message about the progress of a campaign, without the id of the request.
	 */
	private String progress(UUID campaign) {
		return stream("subscription { campaignProgress(id: \"" + campaign + "\") { id } }", Map.of())
			.blockFirst(TIMEOUT)
			.toString()
			.replaceAll("\"requestId\":\"[^\"]*\"", "");
	}

	/** A running campaign of a person. */
	private static UUID campaign(Person person) {
		UUID id = UUID.randomUUID();
		Given.run("insert into campaign (id, account_id, name, status, sender, from_email, domain_id, subject, "
				+ "contact_book_id, contact_book_name, text_content, started_at, created_at, updated_at) values "
				+ "('%1$s', '%2$s', 'n', 'running', 'a@b.test', 'a@b.test', '%1$s', 's', '%1$s', 'b', 't', now(), now(), now())",
				id, person.account());
		return id;
	}

	private void event(int number) {
		Given.run(
				"insert into event (id, account_id, kind, data, created_at) values "
						+ "(uuidv7(), '%s', 'domain.verified', '{\"number\": %d}', now())",
				this.person.account(), number);
	}

	/** The messages of a subscription; cancelling closes the connection. */
	private Flux<JsonNode> stream(String document, Map<String, ?> variables) {
		return messages(exchange(document, variables, this.person.token()));
	}

	private WebTestClient.ResponseSpec exchange(String document, Map<String, ?> variables, @Nullable String token) {
		return GraphQl.at(this.port)
			.web()
			.post()
			.uri("/graphql")
			.contentType(MediaType.APPLICATION_JSON)
			.accept(MediaType.TEXT_EVENT_STREAM)
			.headers((headers) -> {
				if (token != null) {
					headers.setBearerAuth(token);
				}
			})
			.bodyValue(GraphQl.body(document, variables))
			.exchange();
	}

	private static Flux<JsonNode> messages(WebTestClient.ResponseSpec response) {
		return response.returnResult(new ParameterizedTypeReference<ServerSentEvent<String>>() {
		})
			.getResponseBody()
			.filter((event) -> "next".equals(event.event()))
			.map((event) -> JsonMapper.builder().build().readTree(event.data()));
	}

}
