package dev.mailroom.api.tracking;

import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.tracking.Links;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class UnsubscribeTest {

	@Autowired
	Links links;

	@Autowired
	Client client;

	@Autowired
	Person person;

	private String contacts;

	private String contact;

	private String path;

	@BeforeEach
	void addContact() {
		String book = JsonPath.read(body(call(HttpMethod.POST, "/api/contact-books", "{\"name\":\"Tom & <Jerry's>\"}")),
				"$.data.contactBook.id");
		this.contacts = "/api/contact-books/" + book + "/contacts";
		call(HttpMethod.POST, this.contacts, "{\"email\":\"ann@example.com\"}");
		this.contact = Given.rows("select id from contact where contact_book_id = '%s'", book).getFirst();
		this.path = URI.create(this.links.unsubscribeUrl(this.person.account(), UUID.fromString(this.contact)))
			.getPath();
	}

	@Test
	void thePageHasNoEffect() {
		String page = page(this.client.web().get().uri(this.path).exchange());
		assertThat(page).contains("<button type=\"submit\">Unsubscribe</button>", "method=\"post\"",
				"Tom &amp; &lt;Jerry&#39;s&gt;");
		page(this.client.web().get().uri(this.path + "?List-Unsubscribe=One-Click").exchange());
		this.client.web().head().uri(this.path).exchange().expectStatus().isOk();
		assertThat(subscribed()).isTrue();
		assertThat(events()).doesNotContain("contact.unsubscribed");
	}

	@Test
	void oneClickUnsubscribesOnceAndTheButtonResubscribes() {
		List<String> pages = IntStream.range(0, 8).parallel().mapToObj((_) -> page(oneClick())).toList();
		assertThat(pages).allMatch((page) -> page.contains("You are unsubscribed") && page.contains("Subscribe again"));
		assertThat(subscribed()).isFalse();
		assertThat(events()).containsOnlyOnce("contact.unsubscribed");
		assertThat(page(this.client.web().get().uri(this.path).exchange())).contains("You are unsubscribed");
		assertThat(page(post(this.path + "?subscribe=true", "List-Unsubscribe=One-Click")))
			.contains("subscribed again");
		assertThat(subscribed()).isTrue();
	}

	@Test
	void theButtonWorksWhateverQueryThePageWasLoadedWith() {
		for (String before : List.of("", "?subscribe=true", "?subscribe=false")) {
			press(this.path + before, page(post(this.path + "?subscribe=true", "")), "Unsubscribe");
			assertThat(subscribed()).isFalse();
			press(this.path + before, page(this.client.web().get().uri(this.path + before).exchange()),
					"Subscribe again");
			assertThat(subscribed()).isTrue();
		}
	}

	@Test
	void aPostUnsubscribesWhateverItsBodyIs() {
		this.client.web().post().uri(this.path).exchange().expectStatus().isOk();
		assertThat(subscribed()).isFalse();
		page(post(this.path + "?subscribe=true", ""));
		this.client.web()
			.post()
			.uri(this.path)
			.contentType(MediaType.parseMediaType("multipart/form-data; boundary=b"))
			.bodyValue("--b\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--b--\r\n")
			.exchange()
			.expectStatus()
			.isOk();
		assertThat(subscribed()).isFalse();
	}

	@Test
	void anUnsubscriptionAfterTheDeletionOfTheContactAppliesWhenItIsAddedAgain() {
		this.client.call(HttpMethod.DELETE, this.person.token(), this.contacts + "/" + this.contact);
		assertThat(page(this.client.web().get().uri(this.path).exchange())).contains(">Unsubscribe</button>")
			.doesNotContain("ann@example.com");
		assertThat(page(oneClick())).contains("You are unsubscribed");
		call(HttpMethod.POST, this.contacts, "{\"email\":\"ann@example.com\"}");
		assertThat(Given.rows("select subscribed from contact where id = '%s'", this.contact)).containsExactly("f");
		assertThat(page(post(this.path + "?subscribe=true", ""))).contains("subscribed again");
		assertThat(subscribed()).isTrue();
	}

	@Test
	void aContactWithoutABookSeesAPage() {
		this.client.call(HttpMethod.DELETE, this.person.token(), this.contacts.replace("/contacts", ""));
		assertThat(page(this.client.web().get().uri(this.path).exchange())).contains("You are not subscribed")
			.doesNotContain("<form", "ann@example.com");
		assertThat(page(oneClick())).contains("You are not subscribed");
	}

	/** As a browser does: an empty action is the page's own address, with its query. */
	private void press(String address, String page, String button) {
		assertThat(page).contains(">" + button + "</button>");
		String action = page.replaceFirst("(?s).*<form method=\"post\" action=\"([^\"]*)\".*", "$1");
		page(post(action.isEmpty() ? address : this.path + action, "List-Unsubscribe=One-Click"));
	}

	private WebTestClient.ResponseSpec oneClick() {
		return post(this.path, "List-Unsubscribe=One-Click");
	}

	private WebTestClient.ResponseSpec post(String path, String form) {
		return this.client.web()
			.post()
			.uri(path)
			.contentType(MediaType.APPLICATION_FORM_URLENCODED)
			.bodyValue(form)
			.exchange();
	}

	/** The body of a page that contains no script and forbids others. */
	static String page(WebTestClient.ResponseSpec answer) {
		String page = answer.expectStatus()
			.isOk()
			.expectHeader()
			.contentType("text/html;charset=UTF-8")
			.expectHeader()
			.valueEquals("Cache-Control", "no-store")
			.expectHeader()
			.value("Content-Security-Policy",
					(policy) -> assertThat(policy).startsWith("default-src 'none'; style-src 'sha256-")
						.contains("form-action 'self'", "frame-ancestors 'none'")
						.doesNotContain("unsafe", "script"))
			.expectHeader()
			.doesNotExist("Set-Cookie")
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		assertThat(page).startsWith("<!doctype html>")
			.contains("lang=\"en\"")
			.doesNotContain("<script", "http", "%1$s");
		return String.valueOf(page);
	}

	private boolean subscribed() {
		return Given.rows("select subscribed from contact where id = '%s'", this.contact).contains("t");
	}

	private List<String> events() {
		return Given.rows("select kind from event where account_id = '%s'", this.person.account());
	}

	private WebTestClient.ResponseSpec call(HttpMethod method, String path, String json) {
		return this.client.send(method, this.person.token(), path, json);
	}

	private static String body(WebTestClient.ResponseSpec answer) {
		return String.valueOf(answer.expectBody(String.class).returnResult().getResponseBody());
	}

}
