package dev.mailroom.admin.operator;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import dev.mailroom.admin.graphql.Watch;
import dev.mailroom.secret.Stamp;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;

import static org.assertj.core.api.Assertions.assertThat;

/** Accounts that operators watch. */
@WithAdmin
class WatchTest {

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private static final String ACCOUNT = "{ viewer { account { id } } }";

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	Stamp stamp;

	Person tenant;

	Person operator;

	GraphQl client;

	@BeforeEach
	void people() {
		this.tenant = Person.in(this.context);
		this.operator = Person.operator(this.context);
		this.client = GraphQl.at(this.port).as(this.operator);
	}

	@Test
	void beginAndEndOfAWatchAreAudited() {
		begin();
		this.client.change("operatorEndWatch", "(account: \"" + this.tenant.account() + "\")", "done");
		assertThat(this.client.userError("operatorWatchAccount", input(this.tenant.account(), " ")))
			.isEqualTo("invalid_request_data");
		assertThat(this.client.userError("operatorWatchAccount", input(UUID.randomUUID(), "x"))).isEqualTo("not_found");
		assertThat(
				Given.rows(
						"select act || ' ' || coalesce(reason, '-') from audit where account_id = '%s' and "
								+ "actor_id = '%s' order by created_at",
						this.tenant.account(), this.operator.account()))
			.containsExactly("account.watched ticket 7", "account.watch_ended -");
	}

	@Test
	void aWatchTakesEffectOnlyBesideTheTokenOfItsOperator() {
		String token = begin();
		assertThat(account(this.client.watching(token))).isEqualTo(this.tenant.account().toString());
		assertThat(account(this.client)).isEqualTo(this.operator.account().toString());
		GraphQl anybody = GraphQl.at(this.port);
		anybody.watching(token).isUnauthorized(ACCOUNT);
		assertThat(name(anybody.as(Person.in(this.context)).watching(token))).isEqualTo("forbidden");
		assertThat(name(anybody.as(this.tenant).watching(token))).isEqualTo("forbidden");
		assertThat(name(anybody.as(Person.operator(this.context)).watching(token))).isEqualTo("forbidden");
	}

	@Test
	void aForgedOrExpiredWatchIsForbidden() {
		String token = begin();
		char first = (token.charAt(30) == 'A') ? 'B' : 'A';
		for (String forged : List.of("", "x", token + "A", token.substring(0, 70),
				token.substring(0, 30) + first + token.substring(31))) {
			assertThat(name(this.client.watching(forged))).as(forged).isEqualTo("forbidden");
		}
		Watch expired = new Watch(this.operator.account(), this.tenant.account(), Instant.now().minusSeconds(1));
		assertThat(name(this.client.watching(expired.text(this.stamp)))).isEqualTo("forbidden");
	}

	@Test
	void aWatchIsForbiddenOnceTheRoleOfTheOperatorIsRevoked() {
		GraphQl watching = this.client.watching(begin());
		Given.run("update account set role = 'tenant' where id = '%s'", this.operator.account());
		assertThat(name(watching)).isEqualTo("forbidden");
	}

	@Test
	void everyFieldOfTheViewerIsThatOfTheWatchedAccount() {
		UUID domain = Given.domain(this.tenant.account());
		UUID own = Given.domain(this.operator.account());
		UUID mail = Given.mail(Scope.of(this.tenant.account(), domain, this.tenant.account()), "a@b.test");
		Given.mail(Scope.of(this.operator.account(), own, this.operator.account()), "own@b.test");
		Person other = Person.in(this.context);
		Given.domain(other.account());
		createKey(this.tenant, domain);
		createKey(this.operator, own);
		JsonNode data = this.client.watching(begin())
			.data("query($o: UUID!) { viewer { member { id } emails { nodes { id domain { id } } } apiKeys { nodes { domain { id } } } } operator { watch(account: $o, reason: \"x\") { apiKeys { nodes { domain { id } } } } } }",
					Map.of("o", this.operator.account().toString()));
		JsonNode viewer = data.path("viewer");
		assertThat(viewer.path("member").path("id").asString()).isEqualTo(this.tenant.account().toString());
		assertThat(viewer.path("emails").path("nodes").toString())
			.isEqualTo("[{\"id\":\"" + mail + "\",\"domain\":{\"id\":\"" + domain + "\"}}]");
		assertThat(viewer.path("apiKeys").path("nodes").toString())
			.isEqualTo("[{\"domain\":{\"id\":\"" + domain + "\"}}]");
		assertThat(data.path("operator").path("watch").path("apiKeys").path("nodes").toString())
			.isEqualTo("[{\"domain\":{\"id\":\"" + own + "\"}}]");
	}

	@Test
	void theContentOfAMailIsReadWithAReasonOfItsOwn() {
		UUID mail = Given.mail(
				Scope.of(this.tenant.account(), Given.domain(this.tenant.account()), this.tenant.account()),
				"a@b.test");
		GraphQl watching = this.client.watching(begin());
		String content = "{ viewer { emailContent(id: \"" + mail + "\"%s) { text } } }";
		assertThat(watching.error(content.formatted("")).path("name").asString()).isEqualTo("invalid_request_data");
		assertThat(watching.error("{ viewer { preview(kind: EMAIL, id: \"" + mail + "\") { url } } }")
			.path("name")
			.asString()).isEqualTo("forbidden");
		assertThat(watching.data(content.formatted(", reason: \"ticket 8\""))
			.path("viewer")
			.path("emailContent")
			.path("text")
			.asString()).isEqualTo("Hi");
		assertThat(Given.rows("select reason from audit where account_id = '%s' and act = 'mail.read'",
				this.tenant.account()))
			.containsExactly("ticket 8");
	}

	@Test
	void aStreamReadsTheWatchedAccountAndEndsWithTheRole() {
		for (Person person : List.of(this.operator, this.tenant)) {
			Given.run(
					"insert into event (id, account_id, kind, data, created_at) values (uuidv7(), '%1$s', 'domain.verified', "
							+ "'{\"account\": \"%1$s\"}', now())",
					person.account());
		}
		List<String> events = stream(begin())
			.doOnNext((_) -> Given.run("update account set role = 'tenant' where id = '%s'", this.operator.account()))
			.map((message) -> message.path("data").path("accountEvents").path("data").path("account").asString())
			.collectList()
			.block(TIMEOUT);
		assertThat(events).containsExactly(this.tenant.account().toString());
	}

	private Flux<JsonNode> stream(String watch) {
		return this.client.web()
			.post()
			.uri("/graphql")
			.header("X-Mailroom-Watch", watch)
			.headers((headers) -> headers.setBearerAuth(this.operator.token()))
			.contentType(MediaType.APPLICATION_JSON)
			.accept(MediaType.TEXT_EVENT_STREAM)
			.bodyValue(GraphQl.body("subscription { accountEvents { data } }", Map.of()))
			.exchange()
			.expectStatus()
			.isOk()
			.returnResult(new ParameterizedTypeReference<ServerSentEvent<String>>() {
			})
			.getResponseBody()
			.filter((event) -> "next".equals(event.event()))
			.map((event) -> JsonMapper.shared().readTree(String.valueOf(event.data())));
	}

	/** Begins to watch the tenant and returns the token. */
	private String begin() {
		JsonNode watch = this.client
			.change("operatorWatchAccount", input(this.tenant.account(), "ticket 7"),
					"watch { token accountId email expiresAt }")
			.path("watch");
		assertThat(watch.path("accountId").asString()).isEqualTo(this.tenant.account().toString());
		assertThat(watch.path("email").asString()).isEqualTo(this.tenant.email());
		assertThat(Instant.parse(watch.path("expiresAt").asString())).isAfter(Instant.now().plusSeconds(60))
			.isBefore(Instant.now().plus(Duration.ofMinutes(31)));
		return watch.path("token").asString();
	}

	private void createKey(Person person, UUID domain) {
		GraphQl.at(this.port)
			.as(person)
			.change("createApiKey", "(input: { domainId: \"" + domain + "\", name: \"k\" })", "apiKey { id }");
	}

	private static String input(UUID account, String reason) {
		return "(input: { account: \"" + account + "\", reason: \"" + reason + "\" })";
	}

	private static String account(GraphQl client) {
		return client.data(ACCOUNT).path("viewer").path("account").path("id").asString();
	}

	private static String name(GraphQl client) {
		return client.error(ACCOUNT).path("name").asString();
	}

}
