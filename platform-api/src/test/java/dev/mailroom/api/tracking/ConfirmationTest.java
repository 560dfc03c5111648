package dev.mailroom.api.tracking;

import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.secret.SealedText;
import dev.mailroom.tracking.ConfirmationMails;
import dev.mailroom.tracking.Links;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

import static dev.mailroom.api.tracking.UnsubscribeTest.page;
import static org.assertj.core.api.Assertions.assertThat;

/** Double opt-in from the API to the pages of the person. */
@WithApi
class ConfirmationTest {

	@Autowired
	Links links;

	@Autowired
	ConfirmationMails mails;

	@Autowired
	SealedText sealed;

	@Autowired
	Client client;

	@Autowired
	Person person;

	private String book;

	private String contact;

	@BeforeEach
	void addContact() {
		Given.domain(this.person.account());
		this.book = book("Tom & <Jerry's>", true);
		this.contact = contact(this.book, "{\"email\":\"ann@example.com\",\"firstName\":\"Ann\"}");
	}

	@Test
	void theLinkOfTheMailSubscribesByPostOnly() {
		assertThat(read(contactPath(), "$.data.contact.consent")).isEqualTo("pending");
		this.mails.send();
		Await.until("the mail", () -> !texts().isEmpty());
		String text = this.sealed.open(texts().getFirst(), this.person.account(), "ann@example.com");
		String path = URI.create(text.replaceFirst("(?s).*?(http\\S+/confirm/\\S+).*", "$1")).getPath();
		assertThat(page(get(path))).contains("Confirm your subscription?", "Tom &amp; &lt;Jerry&#39;s&gt;",
				"<button type=\"submit\">Confirm</button>");
		this.client.web().head().uri(path).exchange().expectStatus().isOk();
		assertThat(isSubscribed()).isFalse();
		List<String> pages = IntStream.range(0, 4).parallel().mapToObj((_) -> page(post(path, ""))).toList();
		assertThat(pages).allMatch((page) -> page.contains("You are subscribed"));
		assertThat(isSubscribed()).isTrue();
		assertThat(read(contactPath(), "$.data.contact.consent")).isEqualTo("confirmed");
		assertThat(read(contactPath(), "$.data.contact.consent_source")).isEqualTo("api");
		assertThat(read(contactPath(), "$.data.contact.confirmed_ip")).isEqualTo("127.0.0.1");
		assertThat(page(get(path))).contains("You are subscribed").doesNotContain("<form");
		this.client.call(HttpMethod.DELETE, this.person.token(), contactPath());
		assertThat(page(post(path, ""))).contains("You are not subscribed");
	}

	@Test
	void anExpiredOrAlteredLinkConfirmsNothing() {
		String path = URI.create(this.links.confirmationUrl(this.person.account(), UUID.fromString(this.contact)))
			.getPath();
		get(path.substring(0, path.length() - 2) + "AA").expectStatus().isNotFound();
		get(unsubscribePath().replace("/u/", "/confirm/")).expectStatus().isNotFound();
		Given.run("update contact set consent = null where id = '%s'", this.contact);
		assertThat(page(post(path, ""))).contains("There is nothing to confirm");
		assertThat(isSubscribed()).isFalse();
	}

	@Test
	void aRequestForAnotherMailIsLimited() {
		this.client.send(HttpMethod.POST, this.person.token(), contactPath() + "/confirmation", "")
			.expectStatus()
			.isEqualTo(429);
		Given.run("update confirmation set due_at = null, mails = 1, sent_at = now() - interval '25 hours' "
				+ "where contact_id = '%s'", this.contact);
		this.client.send(HttpMethod.POST, this.person.token(), contactPath() + "/confirmation", "")
			.expectStatus()
			.isOk();
	}

	@Test
	void aStatedConsentSubscribesWithoutAMail() {
		this.client.web()
			.post()
			.uri("/api/contact-books/" + this.book + "/contacts/import?consent_stated=true")
			.headers((headers) -> headers.setBearerAuth(this.person.token()))
			.contentType(MediaType.parseMediaType("text/csv"))
			.bodyValue("email\nstated@example.com\n")
			.exchange()
			.expectStatus()
			.isOk();
		assertThat(
				Given.rows("select subscribed || consent || consent_source from contact where contact_book_id = '%s' "
						+ "and email = 'stated@example.com'", this.book))
			.containsExactly("truestatedimport");
	}

	@Test
	void otherBooksAndContactsShowNothingOfConsents() {
		String plain = book("Plain", false);
		String id = contact(plain, "{\"email\":\"plain@example.com\"}");
		assertThat(body(this.client.get(this.person.token(), "/api/contact-books/" + plain)))
			.doesNotContain("double_opt_in");
		assertThat(body(this.client.get(this.person.token(), "/api/contact-books/" + plain + "/contacts/" + id)))
			.doesNotContain("consent", "confirmed");
		assertThat(read("/api/contact-books/" + this.book, "$.data.contactBook.double_opt_in").toString())
			.isEqualTo("true");
	}

	@Test
	void thePreferencePageShowsAndChangesAllBooksOfTheAddress() {
		String news = book("News", false);
		String other = contact(news, "{\"email\":\"ANN@example.com\",\"firstName\":\"Ann\"}");
		String stranger = contact(news, "{\"email\":\"eve@example.com\"}");
		String path = unsubscribePath() + "/preferences";
		assertThat(page(get(unsubscribePath()))).contains("/preferences\">");
		assertThat(page(get(path)))
			.contains("Tom &amp; &lt;Jerry&#39;s&gt;", "value=\"" + other + "\" checked",
					"value=\"" + this.contact + "\">", "value=\"Ann\"")
			.doesNotContain(stranger, "eve@");
		String shown = "shown=" + this.contact + "&shown=" + other;
		String saved = page(post(path, shown + "&shown=" + stranger + "&subscribe=" + this.contact
				+ "&first_name=%22%3E%3Cb%3E&last_name=Lee"));
		assertThat(saved).contains("Your choice is saved", "value=\"&quot;&gt;&lt;b&gt;\"").doesNotContain("\"><b>");
		assertThat(Given.rows("select subscribed || first_name || last_name from contact where account_id = '%s' "
				+ "order by created_at", this.person.account()))
			.containsExactly("true\"><b>Lee", "false\"><b>Lee", "true");
		assertThat(Given.rows("select consent from contact where id = '%s'", this.contact))
			.containsExactly("confirmed");
		page(post(path, ""));
		assertThat(isSubscribed()).isTrue();
		page(post(path, shown + "&subscribe=" + this.contact + "&none=true&first_name=Ann&last_name=Lee"));
		assertThat(isSubscribed()).isFalse();
		assertThat(Given.rows("select subscribed from contact where id = '%s'", stranger)).containsExactly("t");
	}

	private String unsubscribePath() {
		return URI.create(this.links.unsubscribeUrl(this.person.account(), UUID.fromString(this.contact))).getPath();
	}

	private String contactPath() {
		return "/api/contact-books/" + this.book + "/contacts/" + this.contact;
	}

	private String book(String name, boolean doubleOptIn) {
		return JsonPath.read(body(this.client.send(HttpMethod.POST, this.person.token(), "/api/contact-books",
				"{\"name\":\"" + name + "\",\"double_opt_in\":" + doubleOptIn + "}")), "$.data.contactBook.id");
	}

	private String contact(String book, String json) {
		return JsonPath.read(body(this.client.send(HttpMethod.POST, this.person.token(),
				"/api/contact-books/" + book + "/contacts", json)), "$.data.contact.id");
	}

	private Object read(String path, String field) {
		return JsonPath.read(body(this.client.get(this.person.token(), path)), field);
	}

	private List<String> texts() {
		return Given.rows("select text from email_content where account_id = '%s'", this.person.account());
	}

	private boolean isSubscribed() {
		return Given.rows("select subscribed from contact where id = '%s'", this.contact).contains("t");
	}

	private WebTestClient.ResponseSpec get(String path) {
		return this.client.web().get().uri(path).exchange();
	}

	private WebTestClient.ResponseSpec post(String path, String form) {
		return this.client.web()
			.post()
			.uri(path)
			.contentType(MediaType.APPLICATION_FORM_URLENCODED)
			.bodyValue(form)
			.exchange();
	}

	private static String body(WebTestClient.ResponseSpec answer) {
		return String.valueOf(answer.expectBody(String.class).returnResult().getResponseBody());
	}

}
