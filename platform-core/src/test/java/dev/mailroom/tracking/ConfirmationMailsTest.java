package dev.mailroom.tracking;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.brand.Brand;
import dev.mailroom.brand.BrandChange;
import dev.mailroom.brand.Brands;
import dev.mailroom.brand.Language;
import dev.mailroom.contact.Consent;
import dev.mailroom.contact.Contact;
import dev.mailroom.contact.ContactBooks;
import dev.mailroom.contact.ContactForm;
import dev.mailroom.contact.ContactIntake;
import dev.mailroom.contact.Contacts;
import dev.mailroom.secret.SealedText;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class ConfirmationMailsTest {

	@Autowired
	ContactBooks books;

	@Autowired
	Brands brands;

	@Autowired
	Links links;

	@Autowired
	ContactIntake intake;

	@Autowired
	Contacts contacts;

	@Autowired
	ConfirmationMails mails;

	@Autowired
	Consents consents;

	@Autowired
	Tokens tokens;

	@Autowired
	SealedText sealed;

	private final UUID account = Given.account("free");

	private final Scope scope = Scope.of(this.account);

	@Test
	void aPendingContactGetsOneMailWhoseLinkConfirms() {
		UUID domain = Given.domain(this.account);
		UUID contact = pending("ann@c.test");
		Await.together(4, (_) -> this.mails.send());
		Await.until("the mail", () -> !sent().isEmpty());
		this.mails.send();
		assertThat(sent()).containsExactly("ann@c.test Please confirm your subscription to “Tom & Jerry” no-reply@"
				+ domain + ".test false false transactional");
		assertThat(Given.rows("select contact_id from queue where account_id = '%s'", this.account))
			.containsExactly("null");
		assertThat(
				Given.rows("select coalesce(api_key_id, person_id) from email where account_id = '%s'", this.account))
			.containsExactly("null");
		assertThat(Given.rows("select used from quota_use where account_id = '%s'", this.account)).containsOnly("1");
		TrackingToken.Confirmation link = this.tokens.confirmation(link()).orElseThrow();
		assertThat(link.contact()).isEqualTo(contact);
		assertThat(link.isExpired(Instant.now())).isFalse();
		assertThat(link.isExpired(Instant.now().plus(Duration.ofDays(8)))).isTrue();
		assertThat(await(this.consents.of(link)).pending()).isTrue();
		assertThat(await(this.consents.confirm(link)).subscribed()).isTrue();
		assertThat(await(this.consents.confirm(link)).subscribed()).isTrue();
	}

	@Test
	void theMailHasTheBrandAndTheLanguageOfTheAccount() {
		UUID domain = Given.domain(this.account);
		String png = Base64.getEncoder().encodeToString("\u0089PNG\r\n\u001a\n".getBytes(StandardCharsets.ISO_8859_1));
		Brand brand = await(this.brands.change(this.scope,
				BrandChange.of("Moor & Sons", "#ffe000", "1 Moor Lane\nYork", List.of(Language.DE, Language.EN), png)));
		UUID contact = pending("ann@c.test", "Walk people");
		Given.run("update contact_book set public_name = 'Wanderfreunde' where account_id = '%s'", this.account);
		this.mails.send();
		Await.until("the mail", () -> !sent().isEmpty());
		assertThat(Given.rows("select subject || ' ' || sender from email where account_id = '%s'", this.account))
			.containsExactly("Bitte bestätigen Sie Ihre Anmeldung für „Wanderfreunde“ Moor & Sons <no-reply@" + domain
					+ ".test>");
		String text = Given.rows("select text from email_content where account_id = '%s'", this.account).getFirst();
		String html = Given.rows("select html from email_content where account_id = '%s'", this.account).getFirst();
		assertThat(text).contains("E-Mails der Liste „Wanderfreunde“", "-- \n1 Moor Lane\nYork")
			.doesNotContain("Walk people");
		assertThat(html).contains("<html lang=\"de\">", "alt=\"Moor &amp; Sons\"",
				"src=\"" + this.links.logoUrl(this.account, brand.logo()) + "\"", "background:#ffe000;color:#000000",
				"1 Moor Lane\nYork");
		String token = this.sealed.open(text, this.account, "ann@c.test")
			.replaceFirst("(?s).*/confirm/([A-Za-z0-9_-]+)\\s.*", "$1");
		assertThat(this.tokens.confirmation(token).orElseThrow().contact()).isEqualTo(contact);
		assertThat(this.sealed.open(html, this.account, "ann@c.test")).contains("/confirm/" + token + "\"");
	}

	@Test
	void aBookNamedAfterTheSealedLinkOfAnEarlierMailDoesNotRevealIt() {
		Given.domain(this.account);
		String part = this.sealed.seal("token", this.account, "ann@c.test");
		pending("ann@c.test", "t.ex/?" + part);
		this.mails.send();
		Await.until("the mail", () -> !sent().isEmpty());
		String text = Given.rows("select text from email_content where account_id = '%s'", this.account).getFirst();
		assertThat(this.sealed.open(text, this.account, "ann@c.test")).contains("t.ex/?").doesNotContain("t.ex/?token");
	}

	@Test
	void aContactThatUnsubscribesAndIsAskedAgainOnTheSameDayGetsAnotherMail() {
		Given.domain(this.account);
		UUID contact = pending("again@c.test");
		this.mails.send();
		Await.until("the first mail", () -> sent().size() == 1);
		UUID now = new UUID(Instant.now().toEpochMilli() << 16, 1);
		await(this.consents.confirm(new TrackingToken.Confirmation(this.account, contact, now)));
		await(this.consents.set(new TrackingToken.Unsubscribe(this.account, contact, null), false));
		UUID book = UUID
			.fromString(Given.rows("select contact_book_id from contact where id = '%s'", contact).getFirst());
		await(this.contacts.change(this.scope, book, contact,
				new Contact.Change(null, null, true, null, Consent.Source.API)));
		this.mails.send();
		Await.until("the second mail", () -> sent().size() == 2);
	}

	@Test
	void aLinkThatIsTooOldOrOfAnotherAccountConfirmsNothing() {
		UUID contact = pending("old@c.test");
		UUID old = new UUID(Instant.now().minus(Duration.ofDays(8)).toEpochMilli() << 16, 1);
		assertThat(await(this.consents.confirm(new TrackingToken.Confirmation(this.account, contact, old))).pending())
			.isTrue();
		UUID now = new UUID(Instant.now().toEpochMilli() << 16, 1);
		assertThat(Await
			.isEmpty(this.consents.confirm(new TrackingToken.Confirmation(Given.account("free"), contact, now))))
			.isTrue();
		assertThat(Given.rows("select subscribed from contact where id = '%s'", contact)).containsExactly("f");
	}

	@Test
	void aRefusedMailIsSentWhenItIsPermitted() {
		pending("late@c.test");
		this.mails.send();
		Await.until("the refusal", () -> delay() > 600);
		assertThat(sent()).isEmpty();
		Given.domain(this.account);
		Given.run("update confirmation set due_at = now() where account_id = '%s'", this.account);
		this.mails.send();
		Await.until("the mail", () -> !sent().isEmpty());
	}

	@Test
	void aContactThatIsNotPendingAnyMoreAndAnOldRequestGetNoMail() {
		Given.domain(this.account);
		UUID decided = pending("decided@c.test");
		UUID old = pending("old@c.test");
		Given.run("update contact set consent = null where id = '%s'", decided);
		Given.run("update contact set consent_at = now() - interval '8 days' where id = '%s'", old);
		this.mails.send();
		Await.until("the end of the requests",
				() -> Given
					.rows("select 1 from confirmation where account_id = '%s' and due_at is not null", this.account)
					.isEmpty());
		assertThat(sent()).isEmpty();
	}

	private UUID pending(String email) {
		return pending(email, "Tom & Jerry");
	}

	private UUID pending(String email, String name) {
		UUID book = await(this.books.create(this.scope, name, null, true)).id();
		return await(this.intake.create(this.scope, book,
				new ContactForm(email, null, null, null, null, false, Consent.Origin.of(Consent.Source.API))))
			.id();
	}

	private double delay() {
		return Double.parseDouble(Given
			.rows("select extract(epoch from due_at - now()) from confirmation where account_id = '%s'", this.account)
			.getFirst());
	}

	private List<String> sent() {
		return Given.rows(
				"select to_emails[1] || ' ' || subject || ' ' || from_email || ' ' || open_tracking || ' ' || click_tracking "
						+ "|| ' ' || stream from email where account_id = '%s'",
				this.account);
	}

	private String link() {
		String text = Given.rows("select text from email_content where account_id = '%s'", this.account).getFirst();
		assertThat(text).contains("the list “Tom & Jerry”").contains("/confirm/[sealed:");
		return this.sealed.open(text, this.account, "ann@c.test")
			.replaceFirst("(?s).*/confirm/([A-Za-z0-9_-]+)\\s.*", "$1");
	}

}
