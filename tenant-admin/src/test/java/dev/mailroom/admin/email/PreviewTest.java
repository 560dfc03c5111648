package dev.mailroom.admin.email;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import dev.mailroom.secret.Stamp;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithAdmin
class PreviewTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	Stamp stamp;

	@Test
	void aPreviewShowsHtmlInASandboxWithoutACredential() {
		Person person = Person.in(this.context);
		GraphQl client = GraphQl.at(this.port).as(person);
		String id = client
			.change("createTemplate", "(input: { name: \"t\", htmlContent: \"<p>Hello</p>\" })", "template { id }")
			.path("template")
			.path("id")
			.asString();
		String url = client.data("{ viewer { preview(kind: TEMPLATE, id: \"" + id + "\") { url expiresAt } } }")
			.path("viewer")
			.path("preview")
			.path("url")
			.asString();
		client.web()
			.get()
			.uri(url)
			.exchange()
			.expectStatus()
			.isOk()
			.expectHeader()
			.value("Content-Security-Policy", (policy) -> assertThat(policy).startsWith("sandbox; default-src 'none'"))
			.expectHeader()
			.valueEquals("Cache-Control", "no-store")
			.expectBody(String.class)
			.isEqualTo("<p>Hello</p>");
		GraphQl stranger = GraphQl.at(this.port).as(Person.in(this.context));
		assertThat(stranger.error("{ viewer { preview(kind: TEMPLATE, id: \"" + id + "\") { url } } }")
			.path("name")
			.asString()).isEqualTo("template_not_found");
		char last = url.charAt(url.length() - 2);
		String forged = url.substring(0, url.length() - 2) + ((last == 'A') ? 'B' : 'A') + url.charAt(url.length() - 1);
		client.web().get().uri(forged).exchange().expectStatus().isNotFound();
	}

	@Test
	void aReceivedMailAndItsFilesAreDownloadedWithoutACredential() {
		Person person = Person.in(this.context);
		GraphQl client = GraphQl.at(this.port).as(person);
		UUID mail = Given.inbound(person.account(), Given.domain(person.account()));
		download(client, mail, "").expectStatus()
			.isOk()
			.expectHeader()
			.valueEquals("Content-Type", "message/rfc822")
			.expectHeader()
			.value("Content-Disposition",
					(value) -> assertThat(value).startsWith("attachment; ").contains(mail + ".eml"))
			.expectHeader()
			.value("Content-Security-Policy", (policy) -> assertThat(policy).startsWith("sandbox; default-src 'none'"))
			.expectHeader()
			.valueEquals("X-Content-Type-Options", "nosniff")
			.expectBody(String.class)
			.isEqualTo("Subject: Hello\r\n\r\nHi");
		download(client, mail, ", position: 0").expectStatus()
			.isOk()
			.expectHeader()
			.value("Content-Disposition", (value) -> assertThat(value).startsWith("attachment; ").contains("a.txt"))
			.expectBody(String.class)
			.isEqualTo("file");
		GraphQl stranger = GraphQl.at(this.port).as(Person.in(this.context));
		for (String position : new String[] { "", ", position: 0", ", position: 1" }) {
			assertThat(stranger.error("{ viewer { inboundDownload(id: \"" + mail + "\"" + position + ") { url } } }")
				.path("name")
				.asString()).isEqualTo("inbound_email_not_found");
		}
		assertThat(client.error("{ viewer { inboundDownload(id: \"" + mail + "\", position: 1) { url } } }")
			.path("name")
			.asString()).isEqualTo("inbound_email_not_found");
	}

	@Test
	void forgedAndExpiredDownloadsAndThoseOfOtherAccountsAreNotFound() {
		UUID account = Person.in(this.context).account();
		UUID mail = Given.inbound(account, Given.domain(account));
		Instant end = Instant.now().plusSeconds(60);
		PreviewToken valid = new PreviewToken(PreviewToken.Kind.INBOUND_FILE, account, mail, 0, end);
		at("/download/" + valid.text(this.stamp)).expectStatus().isOk();
		at("/preview/" + valid.text(this.stamp)).expectStatus().isNotFound();
		at("/download/" + valid.text(this.stamp).replaceFirst("..$", "AA")).expectStatus().isNotFound();
		for (PreviewToken token : new PreviewToken[] {
				new PreviewToken(PreviewToken.Kind.INBOUND_EMAIL, account, mail, end),
				new PreviewToken(PreviewToken.Kind.INBOUND_FILE, account, mail, 1, end),
				new PreviewToken(PreviewToken.Kind.INBOUND_SOURCE, UUID.randomUUID(), mail, end),
				new PreviewToken(PreviewToken.Kind.INBOUND_SOURCE, account, mail, Instant.now().minusSeconds(1)) }) {
			at("/download/" + token.text(this.stamp)).expectStatus().isNotFound();
		}
	}

	private WebTestClient.ResponseSpec at(String path) {
		return GraphQl.at(this.port).web().get().uri(path).exchange();
	}

	/** Downloads with the URL of a query, without a credential. */
	private static WebTestClient.ResponseSpec download(GraphQl client, UUID mail, String position) {
		String url = client.data("{ viewer { inboundDownload(id: \"" + mail + "\"" + position + ") { url } } }")
			.path("viewer")
			.path("inboundDownload")
			.path("url")
			.asString();
		return client.web().get().uri(url).exchange();
	}

	@Test
	void aDraftIsShownInASandboxOnlyToAFrameOfThisOrigin() {
		GraphQl client = GraphQl.at(this.port).as(Person.in(this.context));
		String url = client.data("{ viewer { draftPreview { url } } }")
			.path("viewer")
			.path("draftPreview")
			.path("url")
			.asString();
		post(client, url, "same-origin", "iframe").expectStatus()
			.isOk()
			.expectHeader()
			.value("Content-Security-Policy", (policy) -> assertThat(policy).startsWith("sandbox; default-src 'none'"))
			.expectBody(String.class)
			.isEqualTo("<p>a=b</p>\r\n");
		post(client, url, "cross-site", "iframe").expectStatus().isNotFound();
		post(client, url, "same-origin", "document").expectStatus().isNotFound();
		post(client, url + "x", "same-origin", "iframe").expectStatus().isNotFound();
		client.web().get().uri(url).exchange().expectStatus().isNotFound();
	}

	private static WebTestClient.ResponseSpec post(GraphQl client, String url, String site, String destination) {
		return client.web()
			.post()
			.uri(url)
			.contentType(MediaType.TEXT_PLAIN)
			.header("Sec-Fetch-Site", site)
			.header("Sec-Fetch-Dest", destination)
			.bodyValue("html=<p>a=b</p>\r\n")
			.exchange();
	}

	@Test
	void aLongBodyIsCutInGraphQlAndWholeInItsPreview() {
		Person person = Person.in(this.context);
		UUID mail = Given.mail(Scope.of(person.account(), Given.domain(person.account()), person.account()),
				"a@b.test");
		Given.run("update email_content set html = repeat('x', 1500000) where email_id = '%s'", mail);
		JsonNode content = GraphQl.at(this.port)
			.as(person)
			.data("{ viewer { emailContent(id: \"" + mail + "\") { html text truncated } } }")
			.path("viewer")
			.path("emailContent");
		assertThat(content.path("html").asString()).hasSize(1024 * 1024);
		assertThat(content.path("text").asString()).isEqualTo("Hi");
		assertThat(content.path("truncated").asBoolean()).isTrue();
		PreviewToken token = new PreviewToken(PreviewToken.Kind.EMAIL, person.account(), mail,
				Instant.now().plusSeconds(60));
		get(token).expectStatus().isOk().expectBody(String.class).value((html) -> assertThat(html).hasSize(1_500_000));
	}

	@Test
	void previewsOfOneAccountUseHalfOfTheMemoryAtMost() throws Exception {
		Person person = Person.in(this.context);
		UUID mail = Given.mail(Scope.of(person.account(), Given.domain(person.account()), person.account()),
				"a@b.test");
		PreviewToken stored = new PreviewToken(PreviewToken.Kind.EMAIL, person.account(), mail,
				Instant.now().plusSeconds(60));
		PreviewToken draft = new PreviewToken(PreviewToken.Kind.DRAFT, person.account(), person.account(),
				Instant.now().plusSeconds(60));
		try (Socket _ = draft(draft); Socket _ = draft(draft)) {
			Await.untilAsserted(() -> get(stored).expectStatus().isEqualTo(503));
			Person other = Person.in(this.context);
			post(GraphQl.at(this.port),
					"/preview/" + new PreviewToken(PreviewToken.Kind.DRAFT, other.account(), other.account(),
							Instant.now().plusSeconds(60))
						.text(this.stamp),
					"same-origin", "iframe")
				.expectStatus()
				.isOk();
		}
		Await.untilAsserted(() -> get(stored).expectStatus().isOk());
	}

	@Test
	void aPreviewThatIsNotReadUsesTheMemoryOfItsAccount() throws Exception {
		Person person = Person.in(this.context);
		Scope scope = Scope.of(person.account(), Given.domain(person.account()), person.account());
		UUID large = Given.mail(scope, "a@b.test");
		Given.run("update email_content set html = repeat('x', 4900000) where email_id = '%s'", large);
		PreviewToken other = new PreviewToken(PreviewToken.Kind.EMAIL, person.account(), Given.mail(scope, "a@b.test"),
				Instant.now().plusSeconds(120));
		try (Socket reader = new Socket()) {
			reader.setReceiveBufferSize(16 * 1024);
			reader.connect(new InetSocketAddress("localhost", this.port));
			reader.getOutputStream()
				.write(("GET /preview/"
						+ new PreviewToken(PreviewToken.Kind.EMAIL, person.account(), large,
								Instant.now().plusSeconds(60))
							.text(this.stamp)
						+ " HTTP/1.1\r\nHost: localhost\r\n\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			assertThat(reader.getInputStream().read()).as("the beginning of the response").isEqualTo('H');
			get(other).expectStatus().isEqualTo(503);
		}
		Await.untilAsserted(() -> get(other).expectStatus().isOk());
	}

	/** Sends most of a draft of three megabytes. */
	private Socket draft(PreviewToken token) throws IOException {
		Socket socket = new Socket("localhost", this.port);
		socket.getOutputStream()
			.write(("POST /preview/" + token.text(this.stamp)
					+ " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 3000000\r\n\r\n"
					+ "html=" + " ".repeat(2_200_000))
				.getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	@Test
	void everyKindOfContentHasAPreviewUntilItExpires() {
		Person person = Person.in(this.context);
		UUID domain = Given.domain(person.account());
		UUID mail = Given.mail(Scope.of(person.account(), domain, person.account()), "a@b.test");
		UUID inbound = Given.inbound(person.account(), domain);
		expect(new PreviewToken(PreviewToken.Kind.EMAIL, person.account(), mail, Instant.now().plusSeconds(60)), 200);
		expect(new PreviewToken(PreviewToken.Kind.INBOUND_EMAIL, person.account(), inbound,
				Instant.now().plusSeconds(60)), 200);
		expect(new PreviewToken(PreviewToken.Kind.CAMPAIGN, person.account(), mail, Instant.now().plusSeconds(60)),
				404);
		expect(new PreviewToken(PreviewToken.Kind.EMAIL, UUID.randomUUID(), mail, Instant.now().plusSeconds(60)), 404);
		expect(new PreviewToken(PreviewToken.Kind.EMAIL, person.account(), mail, Instant.now().minusSeconds(1)), 404);
	}

	private void expect(PreviewToken token, int status) {
		get(token).expectStatus().isEqualTo(status);
	}

	private WebTestClient.ResponseSpec get(PreviewToken token) {
		return GraphQl.at(this.port).web().get().uri("/preview/" + token.text(this.stamp)).exchange();
	}

}
