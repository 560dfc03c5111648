package dev.mailroom.api.tracking;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.tracking.LinkTarget;
import dev.mailroom.tracking.Links;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class TrackingRoutesTest {

	private static final String BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

	private static final LinkTarget TARGET = LinkTarget.of("https://example.com/a?b=c&d=ü").orElseThrow();

	@LocalServerPort
	int port;

	@Autowired
	Links links;

	@Autowired
	MeterRegistry meters;

	@Autowired
	Client client;

	@Autowired
	Person person;

	private UUID mail;

	private UUID delivery;

	@BeforeEach
	void deliverMail() {
		Scope scope = Scope.of(this.person.account(), Given.domain(this.person.account()), UUID.randomUUID());
		this.mail = Given.mail(scope, "b@c.test");
		this.delivery = UUID
			.fromString(Given.rows("select id from delivery where email_id = '%s'", this.mail).getFirst());
		Given.run(
				"delete from queue where id = '%1$s'; "
						+ "update delivery set settled_at = now() - interval '1 hour' where id = '%1$s'",
				this.delivery);
	}

	@Test
	void anOpenReturnsAnImageAndIsCounted() {
		List<Double> before = opens();
		byte[] picture = ask(HttpMethod.GET, picture(), BROWSER).expectStatus()
			.isOk()
			.expectHeader()
			.contentType(MediaType.IMAGE_GIF)
			.expectHeader()
			.valueEquals("Cache-Control", "no-store")
			.expectHeader()
			.doesNotExist("Set-Cookie")
			.expectBody()
			.returnResult()
			.getResponseBody();
		assertThat(picture).startsWith("GIF89a".getBytes(StandardCharsets.US_ASCII)).hasSizeLessThan(60);
		ask(HttpMethod.GET, picture(), "Mozilla/5.0 (via ggpht.com GoogleImageProxy)").expectStatus().isOk();
		ask(HttpMethod.HEAD, picture(), BROWSER).expectStatus().isOk();
		this.client.get(this.person.token(), "/api/emails/" + this.mail)
			.expectBody()
			.jsonPath("$.open_count")
			.isEqualTo(1);
		assertThat(events("email.opened")).containsExactlyInAnyOrder("false", "true", "true");
		assertThat(opens()).containsExactlyElementsOf(before.stream().map((count) -> count + 1).toList());
	}

	@Test
	void theAddressOfAMailProxyIsThatBehindTrustedProxies() {
		double before = opens().get(1);
		this.client.web()
			.get()
			.uri(picture())
			.header("User-Agent", BROWSER)
			.header("X-Forwarded-For", "17.58.1.2")
			.exchange()
			.expectStatus()
			.isOk();
		assertThat(events("email.opened")).containsExactly("true");
		assertThat(opens().get(1)).isEqualTo(before + 1);
	}

	/** Opens by persons, proxies and programs. */
	private List<Double> opens() {
		return Stream.of("person", "proxy", "program")
			.map((actor) -> this.meters.counter("mailroom.tracking", "kind", "open", "actor", actor).count())
			.toList();
	}

	@Test
	void aClickRedirectsToTheStoredTargetAndIsCounted() {
		this.links.store(this.person.account(), Set.of(TARGET));
		String path = path(this.links.clickUrl(this.person.account(), this.delivery, TARGET));
		ask(HttpMethod.GET, path, BROWSER).expectStatus()
			.isFound()
			.expectHeader()
			.valueEquals("Location", "https://example.com/a?b=c&d=%C3%BC")
			.expectHeader()
			.valueEquals("Cache-Control", "no-store")
			.expectHeader()
			.valueEquals("Referrer-Policy", "no-referrer")
			.expectHeader()
			.doesNotExist("Set-Cookie");
		ask(HttpMethod.HEAD, path, BROWSER).expectStatus().isFound();
		this.client.web()
			.get()
			.uri(path)
			.header("User-Agent", BROWSER)
			.header("Sec-Purpose", "prefetch;prerender")
			.exchange()
			.expectStatus()
			.isFound();
		ask(HttpMethod.GET, path + "?url=https://elsewhere.test", "curl/8").expectHeader()
			.valueEquals("Location", TARGET.url());
		this.client.get(this.person.token(), "/api/emails/" + this.mail)
			.expectBody()
			.jsonPath("$.click_count")
			.isEqualTo(1);
		this.client.get(this.person.token(), "/api/emails/" + this.mail + "/events")
			.expectBody()
			.jsonPath("$.data.events[0].data.click.url")
			.isEqualTo(TARGET.url());
		assertThat(events("email.clicked")).containsExactlyInAnyOrder("false", "true", "true", "true");
	}

	@Test
	void invalidCredentialsAreIgnored() {
		this.client.get("nonsense", picture()).expectStatus().isOk();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/t/o/", "/t/c/", "/u/" })
	void anInvalidTokenIsNotFound(String route) {
		String open = picture().substring("/t/o/".length());
		String leave = path(this.links.unsubscribeUrl(this.person.account(), UUID.randomUUID()))
			.substring("/u/".length());
		LinkTarget unkept = LinkTarget.of("https://unkept.test/" + UUID.randomUUID()).orElseThrow();
		String click = path(this.links.clickUrl(this.person.account(), this.delivery, unkept))
			.substring("/t/c/".length());
		for (String token : List.of("x", "A".repeat(59), "A".repeat(80), open.substring(1), open + "A", click + "%20",
				route.equals("/u/") ? open : leave, click)) {
			this.client.web()
				.get()
				.uri(URI.create("http://localhost:" + this.port + route + token))
				.exchange()
				.expectStatus()
				.isNotFound()
				.expectHeader()
				.doesNotExist("Location")
				.expectBody()
				.jsonPath("$.error")
				.isEqualTo("Not found");
		}
		assertThat(events("email.opened")).isEmpty();
	}

	@Test
	void browsersReceiveAnErrorPage() {
		WebTestClient.bindToServer()
			.baseUrl("http://localhost:" + this.port)
			.build()
			.get()
			.uri("/t/c/broken")
			.header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
			.exchange()
			.expectStatus()
			.isNotFound()
			.expectBody(String.class)
			.value((page) -> assertThat(page).contains("Invalid link").doesNotContain("<form", "<script"));
	}

	@Test
	void requestsAreAnsweredEvenIfRecordingFails() throws SQLException {
		this.links.store(this.person.account(), Set.of(TARGET));
		try (Connection other = TestDatabase.connect("mailroom"); Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			statement.execute("select from email where id = '" + this.mail + "' for update");
			ask(HttpMethod.GET, path(this.links.clickUrl(this.person.account(), this.delivery, TARGET)), BROWSER)
				.expectStatus()
				.isFound();
			ask(HttpMethod.GET, picture(), BROWSER).expectStatus().isOk();
		}
		assertThat(events("email.opened")).isEmpty();
	}

	private WebTestClient.ResponseSpec ask(HttpMethod method, String path, String agent) {
		return this.client.web()
			.method(method)
			.uri(URI.create("http://localhost:" + this.port + path))
			.header("User-Agent", agent)
			.exchange();
	}

	private String picture() {
		return path(this.links.openUrl(this.person.account(), this.delivery));
	}

	private static String path(String url) {
		return URI.create(url).getPath();
	}

	private List<String> events(String kind) {
		return Given.rows("select data ->> 'bot' from event where email_id = '%s' and kind = '%s' order by id",
				this.mail, kind);
	}

}
