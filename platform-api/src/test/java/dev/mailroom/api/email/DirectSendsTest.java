package dev.mailroom.api.email;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends each request in two ways, with the same response: ahead of the filters, and
 * through them, because its body is sent in chunks. Each way has its own account.
 */
@WithApi
@Import(DirectSendsTest.Filters.class)
@Execution(ExecutionMode.CONCURRENT)
class DirectSendsTest {

	private static final Set<String> VARYING = Set.of("date", "ratelimit-reset", "connection");

	private static final String ID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

	private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z";

	private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	ApiKeys keys;

	@Autowired
	CredentialsFilter filtered;

	private List<Sender> senders;

	@BeforeEach
	void create() {
		this.senders = List.of(sender(true), sender(false));
	}

	@Test
	void anAcceptedMailPassesNoFilter() throws Exception {
		Sender direct = this.senders.getFirst();
		assertThat(direct.post("/api/emails", mail("")).statusCode()).isEqualTo(200);
		assertThat(direct.post("/api/emails/batch", "[" + mail("") + "]").statusCode()).isEqualTo(200);
		assertThat(this.filtered.credentials).doesNotContain("Bearer " + direct.key);
		Sender other = this.senders.getLast();
		assertThat(other.post("/api/emails", mail("")).statusCode()).isEqualTo(200);
		assertThat(this.filtered.credentials).contains("Bearer " + other.key);
	}

	@Test
	void acceptedMailsHaveEqualResponses() throws Exception {
		same(200, "/api/emails", mail(""));
		same(200, "/api/emails",
				mail("\"cc\":\"c@x.test\",\"replyTo\":[\"r@x.test\"],\"tags\":{\"k\":1},\"headers\":{\"X-A\":\"b\"}"));
		same(200, "/api/emails", mail("\"send_at\":\"" + Instant.now().plusSeconds(600) + "\""));
		same(200, "/api/emails", mail(""), "Accept", "*/*");
		same(200, "/api/emails", mail(""), "Accept", "application/problem+json");
		same(200, "/api/emails", mail(""), "X-Request-Id", "my-id.1");
		same(200, "/api/emails", mail(""), "Api-Version", "2026-11-01");
		same(200, "/api/emails", mail(""), "Origin", "https://page.test");
		same(200, "/api/emails/batch", "[" + mail("") + "," + mail("") + "]");
		same(200, "/api/emails?query=1", mail(""));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "", "null", "[]", "7", "\"x\"", "{\"from\":", "{} {}", "{\"to\":5}",
			"{\"from\":\"a@b.test\",\"to\":[],\"subject\":\"s\",\"text\":\"x\"}",
			"{\"from\":\"nobody\",\"to\":[\"c@d.test\"],\"subject\":\"s\",\"text\":\"x\"}",
			"{\"from\":\"a@b.test\",\"to\":[\"c@d.test\",\"x\"],\"subject\":\"s\",\"text\":\"x\"}",
			"{\"from\":\"a@b.test\",\"to\":[\"c@d.test\"],\"text\":\"x\"}",
			"{\"from\":\"a@b.test\",\"to\":[\"c@d.test\"],\"subject\":\"s\"}",
			"{\"from\":\"a@b.test\",\"to\":[\"c@d.test\"],\"subject\":5,\"text\":\"x\"}",
			"{\"from\":\"a@b.test\",\"to\":[\"c@d.test\"],\"subject\":\"s\",\"text\":\"x\",\"tags\":3}",
			"{\"from\":\"a@b.test\",\"to\":[\"c@d.test\"],\"subject\":\"s\",\"text\":\"x\",\"attachments\":[null]}",
			"{\"from\":\"a@b.test\",\"to\":[\"c@d.test\"],\"subject\":\"s\",\"template_id\":\"x\"}",
			"{\"from\":\"a@b.test\",\"to\":[\"c@d.test\"],\"subject\":\"s\",\"text\":\"x\",\"send_at\":\"now\"}" })
	void faultsOfABodyHaveEqualResponses(String body) throws Exception {
		same(400, "/api/emails", body);
		same(400, "/api/emails", body, "Accept", "application/problem+json");
		same(400, "/api/emails", body, "Idempotency-Key", "faulty");
		if (!body.startsWith("[") && !body.isEmpty()) {
			same(400, "/api/emails/batch", body);
		}
	}

	@Test
	void batchesHaveEqualResponses() throws Exception {
		String good = mail("");
		same(200, "/api/emails/batch",
				"[" + good + ",{\"to\":5}," + good.replace("DOMAIN.test", "other.test") + ",7," + good + "]");
		same(400, "/api/emails/batch", "[]");
		same(400, "/api/emails/batch",
				IntStream.range(0, 101).mapToObj((_) -> good).collect(Collectors.joining(",", "[", "]")));
		forEachAccount((account) -> Given
			.run("insert into quota_use values ('%s', 'day', (now() at time zone 'UTC')::date, 99) "
					+ "on conflict (account_id, period, starts_on) do update set used = 99", account));
		same(429, "/api/emails/batch", "[" + good + "," + good + "]");
	}

	@Test
	void refusalsHaveEqualResponses() throws Exception {
		same(400, "/api/emails", "[".repeat(100) + "]".repeat(100));
		same(413, "/api/emails", mail("\"html\":\"" + "x".repeat(26 * 1024 * 1024) + "\""));
		same(415, "/api/emails", mail(""), "Content-Type", "text/plain");
		same(400, "/api/emails", mail(""), "Accept", "text/plain");
		same(400, "/api/emails", mail(""), "Api-Version", "2026-11-02");
		same(400, "/api/emails", mail(""), "Accept", "not a type");
		same(403, "/api/emails/", mail(""));
		same(403, "/api/emails/logs", mail(""));
		forEachAccount((account) -> Given
			.run("insert into quota_use values ('%s', 'day', (now() at time zone 'UTC')::date, 100)", account));
		same(429, "/api/emails", mail(""));
		same(403, "/api/emails", mail("").replace("DOMAIN.test", "other.test"));
		forEachAccount((account) -> Given.run("update domain set status = 'failed' where account_id = '%s'", account));
		same(403, "/api/emails", mail(""));
		forEachAccount((account) -> Given.run("update account set paused_reason = 'bounces' where id = '%s'", account));
		same(403, "/api/emails", mail(""));
		forEachAccount((account) -> Given.run("update account set email_verified_at = null where id = '%s'", account));
		same(403, "/api/emails", mail(""));
		same(403, "/api/emails/batch", "[" + mail("") + "]");
	}

	@Test
	void credentialsHaveEqualResponses() throws Exception {
		String person = Person.in(this.context).token();
		same(403, "/api/emails", mail(""), "Authorization", "Bearer " + person);
		for (String wrong : List.of("Bearer ek_wrong", "Bearer", "Basic YTpi", "bearer ek_" + "a".repeat(40), "ek_x",
				"Bearer ek_" + "é".repeat(3))) {
			same(401, "/api/emails", mail(""), "Authorization", wrong);
		}
		for (Sender sender : this.senders) {
			sender.key = key(sender.scope, "emails.read");
		}
		same(403, "/api/emails", mail(""));
	}

	@Test
	void retriesHaveEqualResponses() throws Exception {
		same(200, "/api/emails", mail(""), "Idempotency-Key", "k 1");
		same(200, "/api/emails", mail("").replace(",", ", "), "Idempotency-Key", "k 1");
		same(409, "/api/emails", mail("\"cc\":\"d@e.test\""), "Idempotency-Key", "k 1");
		same(200, "/api/emails/batch", "[" + mail("") + ",7]", "Idempotency-Key", "k 1");
		same(200, "/api/emails/batch", "[" + mail("") + ",7]", "Idempotency-Key", "k 1");
		same(400, "/api/emails", mail(""), "Idempotency-Key", "x".repeat(257));
		for (Sender sender : this.senders) {
			assertThat(Given.rows("select count(*) from email where account_id = '%s'", sender.scope.account()))
				.containsExactly("2");
		}
	}

	@Test
	void aLockedAccountHasEqualResponses() throws Exception {
		same(200, "/api/emails", mail(""));
		try (Connection holder = TestDatabase.connect("mailroom"); Statement statement = holder.createStatement()) {
			holder.setAutoCommit(false);
			for (Sender sender : this.senders) {
				statement
					.execute("update quota_use set used = used where account_id = '" + sender.scope.account() + "'");
			}
			same(503, "/api/emails", mail(""));
			holder.rollback();
		}
	}

	private void same(int status, String path, String body, String... headers) throws Exception {
		List<String> responses = new ArrayList<>();
		for (Sender sender : this.senders) {
			HttpResponse<String> response = sender.post(path, body, headers);
			assertThat(response.statusCode()).as(path + " " + response.body()).isEqualTo(status);
			responses.add(normalized(response, sender));
		}
		assertThat(responses.getFirst()).isEqualTo(responses.getLast());
	}

	private static String normalized(HttpResponse<String> response, Sender sender) {
		Map<String, Object> headers = new TreeMap<>(response.headers().map());
		headers.keySet().removeAll(VARYING);
		return (response.statusCode() + " " + headers + " " + response.body())
			.replace(sender.scope.domain().toString(), "DOMAIN")
			.replaceAll(ID, "ID")
			.replaceAll(TIME, "TIME")
			.replaceAll(";t=\\d+", ";t=SECONDS")
			.replaceAll("retry-after=\\[\\d{2,}]", "retry-after=[LONG]");
	}

	private void forEachAccount(Consumer<UUID> action) {
		this.senders.forEach((sender) -> action.accept(sender.scope.account()));
	}

	private static String mail(String more) {
		return "{\"from\":\"Ann <a@DOMAIN.test>\",\"to\":[\"b@c.test\"],\"subject\":\"s\",\"text\":\"x\""
				+ (more.isEmpty() ? "" : "," + more) + "}";
	}

	private Sender sender(boolean direct) {
		UUID account = Given.account("free");
		Scope scope = Scope.of(account, Given.domain(account), UUID.randomUUID());
		return new Sender(scope, direct, key(scope, "send"));
	}

	private String key(Scope scope, String permission) {
		return Await
			.await(this.keys.create(Scope.of(scope.account()), scope.domain(), UUID.randomUUID().toString(),
					List.of(permission)))
			.text();
	}

	/** An account whose requests take one of the two ways. */
	private final class Sender {

		private final Scope scope;

		private final boolean direct;

		private String key;

		Sender(Scope scope, boolean direct, String key) {
			this.scope = scope;
			this.direct = direct;
			this.key = key;
		}

		HttpResponse<String> post(String path, String body, String... headers)
				throws IOException, InterruptedException {
			byte[] bytes = body.replace("DOMAIN", this.scope.domain().toString()).getBytes(StandardCharsets.UTF_8);
			BodyPublisher publisher = this.direct ? BodyPublishers.ofByteArray(bytes)
					: BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes));
			HttpRequest.Builder request = HttpRequest
				.newBuilder(URI.create("http://localhost:" + DirectSendsTest.this.port + path))
				.header("Authorization", "Bearer " + this.key)
				.header("Content-Type", "application/json")
				.POST(publisher);
			for (int i = 0; i < headers.length; i += 2) {
				request.setHeader(headers[i], headers[i + 1]);
			}
			return DirectSendsTest.this.http.send(request.build(), BodyHandlers.ofString());
		}

	}

	/** Collects the credentials of the requests that pass the filters. */
	@Order(Ordered.HIGHEST_PRECEDENCE)
	static final class CredentialsFilter implements WebFilter {

		final Set<String> credentials = ConcurrentHashMap.newKeySet();

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
			this.credentials.add(String.valueOf(exchange.getRequest().getHeaders().getFirst("Authorization")));
			return chain.filter(exchange);
		}

	}

	@TestConfiguration
	static class Filters {

		@Bean
		CredentialsFilter credentialsFilter() {
			return new CredentialsFilter();
		}

	}

}
