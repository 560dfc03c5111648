package dev.mailroom.api.tracking;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Scope;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.brand.Brand;
import dev.mailroom.brand.BrandChange;
import dev.mailroom.brand.Brands;
import dev.mailroom.brand.Language;
import dev.mailroom.image.Images;
import dev.mailroom.secret.Sha256;
import dev.mailroom.tracking.Links;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/** The pages for recipients with the brand of the account. */
@WithApi
class BrandedPagesTest {

	private static final byte[] PNG = "\u0089PNG\r\n\u001a\n<script>".getBytes(StandardCharsets.ISO_8859_1);

	@LocalServerPort
	int port;

	@Autowired
	Links links;

	@Autowired
	Brands brands;

	@Autowired
	Images images;

	@Autowired
	Client client;

	@Autowired
	Person person;

	private String path;

	@BeforeEach
	void addContact() {
		String book = created("/api/contact-books", "{\"name\":\"Walk people\"}", "$.data.contactBook.id");
		String contact = created("/api/contact-books/" + book + "/contacts", "{\"email\":\"ann@example.com\"}",
				"$.data.contact.id");
		this.path = URI.create(this.links.unsubscribeUrl(this.person.account(), UUID.fromString(contact))).getPath();
	}

	@Test
	void aPageHasTheBrandOfItsAccountAndAllowsNothingElse() {
		brand("Tom & \"Jerry's\"", "#0f766e", "1 Moor Lane\n<York>", List.of(Language.EN), PNG);
		for (String each : List.of(this.path, this.path + "/preferences")) {
			EntityExchangeResult<String> answer = get(each, "de");
			String page = String.valueOf(answer.getResponseBody());
			assertThat(page).contains("<html lang=\"en\">", "alt=\"Tom &amp; &quot;Jerry&#39;s&quot;\"",
					"· Tom &amp; &quot;Jerry&#39;s&quot;</title>", "<footer>1 Moor Lane\n&lt;York&gt;</footer>",
					"--main: #0f766e; --on-main: #ffffff; --link: light-dark(#0f766e, #e9efed)");
			String policy = String.valueOf(answer.getResponseHeaders().getFirst("Content-Security-Policy"));
			assertThat(policy).contains("img-src 'self'; form-action 'self'")
				.doesNotContain("unsafe", "script", "data:");
			List<String> styles = styles(page);
			assertThat(styles).hasSize(2)
				.allSatisfy((style) -> assertThat(policy)
					.contains("'sha256-" + Base64.getEncoder().encodeToString(Sha256.of(style)) + "'"));
		}
	}

	@Test
	void aLogoIsServedWithTheTypeOfItsContentAndCachedForEver() {
		brand("", null, "", List.of(Language.EN), PNG);
		String logo = body(get(this.path, "en")).replaceFirst("(?s).*<img src=\"([^\"]+)\" alt=\"\">.*", "$1");
		assertThat(logo).matches("/logo/[A-Za-z0-9_-]{59}");
		this.client.web()
			.get()
			.uri(logo)
			.header("Accept", "text/html")
			.exchange()
			.expectStatus()
			.isOk()
			.expectHeader()
			.valueEquals("Content-Type", "image/png")
			.expectHeader()
			.valueEquals("X-Content-Type-Options", "nosniff")
			.expectHeader()
			.valueEquals("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
			.expectHeader()
			.valueEquals("Cache-Control", "max-age=31536000, public, immutable")
			.expectBody(byte[].class)
			.isEqualTo(PNG);
		for (String other : List.of(logo.substring(0, logo.length() - 4) + "AAAA",
				this.path.replace("/u/", "/logo/"))) {
			this.client.web().get().uri(other).exchange().expectStatus().isNotFound();
		}
		brand("", null, "", List.of(Language.EN), new byte[0]);
		this.client.web().get().uri(logo).exchange().expectStatus().isNotFound();
		assertThat(get(this.path, "en").getResponseHeaders().getFirst("Content-Security-Policy"))
			.doesNotContain("img-src");
	}

	@Test
	void anImageIsServedUntilItIsDeleted() {
		Scope scope = Scope.of(this.person.account());
		UUID image = await(this.images.upload(scope, "a.png", Base64.getEncoder().encodeToString(PNG))).id();
		String path = URI.create(this.links.imageUrl(scope.account(), image)).getPath();
		assertThat(path).matches("/image/[A-Za-z0-9_-]{59}");
		this.client.web()
			.get()
			.uri(path)
			.exchange()
			.expectStatus()
			.isOk()
			.expectHeader()
			.valueEquals("Content-Type", "image/png")
			.expectHeader()
			.valueEquals("X-Content-Type-Options", "nosniff")
			.expectHeader()
			.valueEquals("Cross-Origin-Resource-Policy", "cross-origin")
			.expectHeader()
			.valueEquals("Cache-Control", "max-age=31536000, public, immutable")
			.expectBody(byte[].class)
			.isEqualTo(PNG);
		for (String other : List.of(path.substring(0, path.length() - 4) + "AAAA", path.replace("/image/", "/logo/"))) {
			this.client.web().get().uri(other).exchange().expectStatus().isNotFound();
		}
		await(this.images.delete(scope, image));
		this.client.web().get().uri(path).exchange().expectStatus().isNotFound();
	}

	@Test
	void aReaderGetsTheirLanguageIfTheAccountOffersIt() {
		assertThat(body(get(this.path, "de"))).contains("<html lang=\"en\">", ">Unsubscribe</button>");
		brand("Moor", null, "", List.of(Language.EN, Language.DE), new byte[0]);
		assertThat(body(get(this.path, "fr"))).contains("<html lang=\"en\">", "<header>Moor</header>");
		assertThat(body(get(this.path, "de-AT"))).contains("<html lang=\"de\">", ">Abmelden</button>",
				"Liste „Walk people“", "Alle Listen dieses Absenders");
		assertThat(body(get(this.path + "/preferences", "de"))).contains("<html lang=\"de\">", "Von allen abmelden");
		String broken = WebTestClient.bindToServer()
			.baseUrl("http://localhost:" + this.port)
			.build()
			.get()
			.uri("/u/nothing")
			.header("Accept", "text/html")
			.header("Accept-Language", "de")
			.exchange()
			.expectStatus()
			.isNotFound()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		assertThat(broken).contains("<html lang=\"de\">", "Ungültiger Link");
	}

	private Brand brand(String name, String colour, String footer, List<Language> languages, byte[] logo) {
		return await(this.brands.change(Scope.of(this.person.account()),
				BrandChange.of(name, colour, footer, languages, Base64.getEncoder().encodeToString(logo))));
	}

	private static List<String> styles(String page) {
		return Pattern.compile("(?s)<style>(.*?)</style>")
			.matcher(page)
			.results()
			.map((found) -> found.group(1))
			.toList();
	}

	private EntityExchangeResult<String> get(String path, String language) {
		return this.client.web()
			.get()
			.uri(path)
			.header("Accept-Language", language)
			.exchange()
			.expectStatus()
			.isOk()
			.expectHeader()
			.valueEquals("Vary", "Accept-Language")
			.expectBody(String.class)
			.returnResult();
	}

	private static String body(EntityExchangeResult<String> answer) {
		return String.valueOf(answer.getResponseBody());
	}

	private String created(String path, String json, String id) {
		return JsonPath.read(String.valueOf(this.client.send(HttpMethod.POST, this.person.token(), path, json)
			.expectBody(String.class)
			.returnResult()
			.getResponseBody()), id);
	}

}
