package dev.mailroom.api.inbound;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.Account;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.secret.SealedText;
import dev.mailroom.tracking.Links;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class InboundRoutesTest {

	@Autowired
	ApplicationContext context;

	@Autowired
	ApiKeys keys;

	@Autowired
	Links links;

	@Autowired
	SealedText sealed;

	@Autowired
	Client client;

	@Autowired
	Person person;

	private UUID domain;

	@BeforeEach
	void signIn() {
		this.domain = Given.domain(this.person.account());
	}

	@Test
	void receivedMailIsListedNewestFirstWithoutSuccess() {
		UUID oldest = received(this.domain, 2);
		UUID newest = received(this.domain, 1);
		String body = text(get("/api/inbound").expectStatus().isOk());
		assertThat(JsonPath.<Map<String, Object>>read(body, "$").keySet()).containsExactly("data");
		assertThat(JsonPath.<Map<String, Object>>read(body, "$.data.emails[0]").keySet()).containsExactlyInAnyOrder(
				"id", "domain_id", "from_email", "from_name", "to_emails", "cc_emails", "subject", "spam_verdict",
				"virus_verdict", "spf_verdict", "dkim_verdict", "dmarc_verdict", "status", "created_at");
		assertThat(JsonPath.<String>read(body, "$.data.emails[0].id")).isEqualTo(newest.toString());
		assertThat(JsonPath.<String>read(body, "$.data.emails[0].spf_verdict")).isEqualTo("PASS");
		assertThat(JsonPath.<String>read(body, "$.data.emails[0].virus_verdict")).isEqualTo("DISABLED");
		assertThat(JsonPath.<String>read(body, "$.data.emails[0].status")).isEqualTo("received");
		assertThat(JsonPath.<Map<String, Object>>read(body, "$.data.pagination"))
			.containsExactlyInAnyOrderEntriesOf(Map.of("page", 1, "limit", 20, "total", 2, "totalPages", 1));
		String first = text(get("/api/inbound?limit=1"));
		get("/api/inbound?limit=1&cursor=" + JsonPath.<String>read(first, "$.data.pagination.next_cursor")).expectBody()
			.jsonPath("$.data.emails[0].id")
			.isEqualTo(oldest.toString())
			.jsonPath("$.data.pagination.next_cursor")
			.doesNotExist();
		get("/api/inbound?limit=1&page=2").expectBody().jsonPath("$.data.emails.length()").isEqualTo(1);
		get("/api/inbound?page=9").expectBody().jsonPath("$.data.emails.length()").isEqualTo(0);
	}

	@Test
	void theListIsFilteredByDomain() {
		received(this.domain, 1);
		UUID other = Given.domain(this.person.account());
		for (UUID domain : List.of(other, UUID.randomUUID())) {
			get("/api/inbound?domain_id=" + domain).expectStatus()
				.isOk()
				.expectBody()
				.jsonPath("$.data.emails.length()")
				.isEqualTo(0)
				.jsonPath("$.data.pagination.totalPages")
				.isEqualTo(0);
		}
		get("/api/inbound?domain_id=" + this.domain).expectBody().jsonPath("$.data.pagination.total").isEqualTo(1);
		for (String wrong : List.of("page=0", "limit=0", "limit=101", "limit=x")) {
			refused(get("/api/inbound?" + wrong), 400, "Invalid request data");
		}
	}

	@Test
	void aMailIsReadWithItsSourceAndItsAttachments() {
		String path = "/api/inbound/" + received(this.domain, 1);
		get(path).expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.success")
			.isEqualTo(true)
			.jsonPath("$.data.email.text")
			.isEqualTo("Hi")
			.jsonPath("$.data.email.from_name")
			.isEqualTo("")
			.jsonPath("$.data.email.recipients[0]")
			.isEqualTo("hidden@c.test")
			.jsonPath("$.data.email.attachments[0].filename")
			.isEqualTo("ü.txt")
			.jsonPath("$.data.email.attachments[0].size")
			.isEqualTo(4);
		get(path + "/raw").expectStatus()
			.isOk()
			.expectHeader()
			.contentType("message/rfc822")
			.expectBody(String.class)
			.isEqualTo("Subject: Hello\r\n\r\nHi");
		byte[] file = get(path + "/attachments/0").expectStatus()
			.isOk()
			.expectHeader()
			.contentType("text/plain")
			.expectHeader()
			.value("Content-Disposition", (value) -> assertThat(value).startsWith("attachment;"))
			.expectBody()
			.returnResult()
			.getResponseBody();
		assertThat(new String(file, StandardCharsets.US_ASCII)).isEqualTo("file");
	}

	@Test
	void unknownMailAndMailOfOtherAccountsAreNotFound() {
		String own = "/api/inbound/" + received(this.domain, 1);
		Person other = Person.in(this.context);
		for (String path : List.of(own, "/api/inbound/" + UUID.randomUUID(), "/api/inbound/nonsense")) {
			refused(this.client.get(other.token(), path), 404, "Inbound email not found");
			refused(this.client.get(other.token(), path + "/raw"), 404, "Inbound email not found");
			refused(this.client.get(other.token(), path + "/attachments/0"), 404, "Inbound email not found");
		}
		for (String position : List.of("1", "-1", "x", "99999999999")) {
			refused(get(own + "/attachments/" + position), 404, "Inbound email not found");
		}
	}

	@Test
	void aKeyReadsOnlyTheMailOfItsDomain() {
		UUID other = Given.domain(this.person.account());
		String own = "/api/inbound/" + received(this.domain, 1);
		String foreign = "/api/inbound/" + received(other, 1);
		for (String permission : List.of("inbound.read", "send")) {
			String key = key(permission);
			this.client.get(key, "/api/inbound").expectBody().jsonPath("$.data.pagination.total").isEqualTo(1);
			this.client.get(key, "/api/inbound?domain_id=" + other)
				.expectBody()
				.jsonPath("$.data.pagination.total")
				.isEqualTo(0);
			this.client.get(key, own + "/raw").expectStatus().isOk();
			this.client.get(key, own + "/attachments/0").expectStatus().isOk();
			for (String path : List.of(foreign, foreign + "/raw", foreign + "/attachments/0")) {
				refused(this.client.get(key, path), 404, "Inbound email not found");
			}
		}
		refused(this.client.get(key("emails.read"), "/api/inbound"), 403, "Forbidden");
		get("/api/inbound").expectBody().jsonPath("$.data.pagination.total").isEqualTo(2);
	}

	@Test
	void routesAreCreatedOrderedTestedChangedAndDeleted() {
		String first = created("{\"domain_id\": \"%s\", \"pattern\": \" Shop-* \", \"action\": \"webhook\"}");
		String all = created("{\"domain_id\": \"%s\", \"pattern\": \"*\", \"action\": \"reject\"}");
		assertThat(matched("SHOP-1")).isEqualTo("webhook mark " + first);
		assertThat(matched("shop")).isEqualTo("reject mark " + all);
		String list = "/api/inbound/routes?domain_id=" + this.domain;
		this.client
			.send(HttpMethod.POST, this.person.token(), "/api/inbound/routes/order",
					"{\"domain_id\": \"%s\", \"ids\": [\"%s\", \"%s\"]}".formatted(this.domain, all, first))
			.expectStatus()
			.isOk();
		get(list).expectBody()
			.jsonPath("$.data.routes[0].id")
			.isEqualTo(all)
			.jsonPath("$.data.routes[1].pattern")
			.isEqualTo("shop-*");
		assertThat(matched("shop-1")).isEqualTo("reject mark " + all);
		this.client.send(HttpMethod.PUT, this.person.token(), "/api/inbound/routes/" + all, "{\"active\": false}")
			.expectStatus()
			.isOk();
		assertThat(matched("other")).isEqualTo("store mark null");
		this.client.call(HttpMethod.DELETE, this.person.token(), "/api/inbound/routes/" + all).expectStatus().isOk();
		get(list).expectBody().jsonPath("$.data.routes.length()").isEqualTo(1);
	}

	@Test
	void aRouteForwardsToAddressesWhoseOwnersWereAskedOrOfTheAccount() {
		String forward = "{\"domain_id\": \"%s\", \"pattern\": \"%%s\", \"action\": \"forward\", \"forward_to\": [%%s]}"
			.formatted(this.domain);
		String target = "t" + this.domain + "@target.test";
		for (String wrong : List.of("", "\"x\"", "\"" + target + "\"",
				IntStream.range(0, 6)
					.mapToObj((i) -> "\"" + i + "@" + this.domain + ".test\"")
					.collect(Collectors.joining(",")))) {
			refused(this.client.send(HttpMethod.POST, this.person.token(), "/api/inbound/routes",
					forward.formatted("a", wrong)), 400, "Invalid request data");
		}
		String id = target(target);
		refused(this.client.send(HttpMethod.POST, this.person.token(), "/api/inbound/routes",
				forward.formatted("a", "\"other" + target + "\"")), 400, "Invalid request data");
		this.client
			.send(HttpMethod.POST, this.person.token(), "/api/inbound/routes",
					forward.formatted("a", "\"" + target + "\", \"b@" + this.domain + ".test\""))
			.expectStatus()
			.isCreated()
			.expectBody()
			.jsonPath("$.data.route.action")
			.isEqualTo("forward")
			.jsonPath("$.data.route.forward_to.length()")
			.isEqualTo(2)
			.jsonPath("$.data.route.forward_mode")
			.isEqualTo("rewrite");
		refused(this.client.send(HttpMethod.POST, this.person.token(), "/api/inbound/targets",
				"{\"address\": \"" + target.toUpperCase(Locale.ROOT) + "\"}"), 409, "Duplicate forward target");
		Person other = Person.in(this.context);
		refused(this.client.call(HttpMethod.DELETE, other.token(), "/api/inbound/targets/" + id), 404,
				"Forward target not found");
		this.client.call(HttpMethod.DELETE, this.person.token(), "/api/inbound/targets/" + id).expectStatus().isOk();
		get("/api/inbound/targets").expectBody().jsonPath("$.data.targets.length()").isEqualTo(0);
	}

	@Test
	void theOwnerOfATargetConfirmsByTheMailedLink() {
		String address = "t" + this.domain + "@target.test";
		String id = target(address);
		Await.until("the mail", () -> !mailsTo(address).isEmpty());
		String text = this.sealed.open(mailsTo(address).getFirst(), Account.PLATFORM, address);
		String path = URI.create(text.replaceFirst("(?s).*?(http\\S+/confirm-forward/\\S+).*", "$1")).getPath();
		assertThat(text(this.client.get(null, path))).contains(address, "Confirm</button>");
		get("/api/inbound/targets").expectBody().jsonPath("$.data.targets[0].confirmed").isEqualTo(false);
		this.client.call(HttpMethod.POST, this.person.token(), "/api/inbound/targets/" + id + "/resend")
			.expectStatus()
			.isOk();
		String page = text(this.client.web().post().uri(path).exchange().expectStatus().isOk());
		assertThat(page).contains("Mail is forwarded to you").doesNotContain("<form");
		get("/api/inbound/targets").expectBody()
			.jsonPath("$.data.targets[0].confirmed")
			.isEqualTo(true)
			.jsonPath("$.data.targets[0].confirmed_at")
			.isNotEmpty();
		refused(this.client.call(HttpMethod.POST, this.person.token(), "/api/inbound/targets/" + id + "/resend"), 409,
				"Forward target confirmed");
		this.client.web().get().uri(path + "a").exchange().expectStatus().isNotFound();
		URI deleted = URI.create(this.links.forwardUrl(this.person.account(), UUID.randomUUID()));
		this.client.web().post().uri(deleted.getPath()).exchange().expectStatus().isNotFound();
	}

	@Test
	void aPatternNeverRefusesThePostmaster() {
		created("{\"domain_id\": \"%s\", \"pattern\": \"post*\", \"action\": \"reject\"}");
		created("{\"domain_id\": \"%s\", \"pattern\": \"*\", \"action\": \"drop\"}");
		assertThat(matched("Postmaster")).isEqualTo("store mark null");
		assertThat(matched("postman")).startsWith("reject ");
		String exact = created("{\"domain_id\": \"%s\", \"pattern\": \"postmaster\", \"action\": \"reject\"}");
		assertThat(matched("postmaster")).isEqualTo("reject mark " + exact);
	}

	private String target(String address) {
		return JsonPath.read(text(this.client
			.send(HttpMethod.POST, this.person.token(), "/api/inbound/targets", "{\"address\": \"" + address + "\"}")
			.expectStatus()
			.isCreated()), "$.data.target.id");
	}

	private static List<String> mailsTo(String address) {
		return Given.rows("select text from email_content join email on email.id = email_id where to_emails = '{%s}'",
				address);
	}

	@Test
	void wrongRoutesAndForeignDomainsAreRefused() {
		for (String wrong : List.of("\"pattern\": \"a*b\"", "\"pattern\": \"a@b\"", "\"pattern\": \"\"",
				"\"pattern\": \"a\", \"spam\": \"x\"", "\"pattern\": \"a\", \"action\": \"x\"")) {
			refused(this.client.send(HttpMethod.POST, this.person.token(), "/api/inbound/routes",
					"{\"domain_id\": \"" + this.domain + "\", " + wrong + "}"), 400, "Invalid request data");
		}
		Person other = Person.in(this.context);
		refused(this.client.get(other.token(), "/api/inbound/routes?domain_id=" + this.domain), 404,
				"Domain not found");
		refused(this.client.send(HttpMethod.POST, other.token(), "/api/inbound/routes/test",
				"{\"recipient\": \"a@" + this.domain + ".test\"}"), 400, "Invalid request data");
		String route = created("{\"domain_id\": \"%s\", \"pattern\": \"*\"}");
		refused(this.client.call(HttpMethod.DELETE, other.token(), "/api/inbound/routes/" + route), 404,
				"Inbound route not found");
		refused(this.client.send(HttpMethod.POST, this.person.token(), "/api/inbound/routes/order",
				"{\"domain_id\": \"" + this.domain + "\", \"ids\": []}"), 400, "Invalid request data");
	}

	@Test
	void theLinkToASourceEndsAnHourAfterTheMailArrived() {
		UUID fresh = arrived("now()");
		UUID old = arrived("now() - interval '61 minutes'");
		String link = URI.create(this.links.sourceUrl(this.person.account(), fresh)).getPath();
		this.client.get(null, link)
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.isEqualTo("Subject: Hello\r\n\r\nHi");
		for (String ended : List.of(URI.create(this.links.sourceUrl(this.person.account(), old)).getPath(),
				URI.create(this.links.sourceUrl(UUID.randomUUID(), fresh)).getPath(), link + "a")) {
			this.client.web().get().uri(ended).exchange().expectStatus().isNotFound();
		}
	}

	private UUID arrived(String time) {
		UUID random = received(this.domain, 0);
		UUID id = UUID.fromString(Given.rows("select uuidv7(%s - now())", time).getFirst());
		Given.run(
				"insert into inbound_email select (jsonb_populate_record(inbound_email, jsonb_build_object('id', '%1$s'))).* from inbound_email where id = '%2$s'; "
						+ "update inbound_content set inbound_email_id = '%1$s' where inbound_email_id = '%2$s'",
				id, random);
		return id;
	}

	private String created(String body) {
		return JsonPath.read(text(this.client
			.send(HttpMethod.POST, this.person.token(), "/api/inbound/routes", body.formatted(this.domain))
			.expectStatus()
			.isCreated()), "$.data.route.id");
	}

	private String matched(String local) {
		String body = text(this.client.send(HttpMethod.POST, this.person.token(), "/api/inbound/routes/test",
				"{\"recipient\": \"" + local + "@" + this.domain + ".test\"}"));
		return JsonPath.read(body, "$.data.action") + " " + JsonPath.read(body, "$.data.spam") + " "
				+ JsonPath.read(body, "$.data.route_id");
	}

	private UUID received(UUID domain, int hoursAgo) {
		UUID id = UUID.randomUUID();
		UUID account = this.person.account();
		Given.run("insert into inbound_email (id, account_id, domain_id, from_email, to_emails, subject, spf_verdict, "
				+ "recipients, created_at) values ('%s', '%s', '%s', 'a@b.test', '{in@c.test}', 'Hello', 'PASS', "
				+ "'{hidden@c.test}', now() - interval '%d hours')", id, account, domain, hoursAgo);
		Given.run("insert into inbound_content (inbound_email_id, account_id, text, raw) values ('%s', '%s', 'Hi', "
				+ "convert_to(E'Subject: Hello\\r\\n\\r\\nHi', 'UTF8'))", id, account);
		Given.run("insert into inbound_attachment values ('%s', 0, '%s', 'ü.txt', 'text/plain', 'file')", id, account);
		return id;
	}

	private String key(String permission) {
		return this.keys
			.create(Scope.of(this.person.account()), this.domain, UUID.randomUUID().toString(), List.of(permission))
			.blockOptional(Duration.ofSeconds(30))
			.orElseThrow()
			.text();
	}

	private WebTestClient.ResponseSpec get(String path) {
		return this.client.get(this.person.token(), path);
	}

	private static String text(WebTestClient.ResponseSpec response) {
		return String.valueOf(response.expectBody(String.class).returnResult().getResponseBody());
	}

	private static void refused(WebTestClient.ResponseSpec response, int status, String error) {
		response.expectStatus().isEqualTo(status).expectBody().jsonPath("$.error").isEqualTo(error);
	}

}
