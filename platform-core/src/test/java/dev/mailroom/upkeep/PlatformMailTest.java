package dev.mailroom.upkeep;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.account.Account;
import dev.mailroom.account.AccountNotice;
import dev.mailroom.account.Invitations;
import dev.mailroom.account.Secret;
import dev.mailroom.brand.BrandChange;
import dev.mailroom.brand.Brands;
import dev.mailroom.brand.Language;
import dev.mailroom.brand.Letter;
import dev.mailroom.secret.SealedText;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class PlatformMailTest {

	@Autowired
	PlatformMail mail;

	@Autowired
	AccountMails mails;

	@Autowired
	Brands brands;

	@Autowired
	Invitations invitations;

	@Autowired
	SealedText sealed;

	private final String to = UUID.randomUUID() + "@owner.test";

	@Test
	void mailIsSentBeforeThePlatformsAccountExists() {
		Given.run("delete from domain where account_id = '%s'", Account.PLATFORM);
		Given.run("delete from account where id = '%s'", Account.PLATFORM);
		Flux.range(0, 4)
			.flatMap((i) -> this.mail.send(this.to, Letter.of("Hello " + i, "Hi")))
			.blockLast(Duration.ofSeconds(30));
		assertThat(Given.rows("select status from delivery where recipient = '%s'", this.to)).containsExactly("pending",
				"pending", "pending", "pending");
		assertThat(Given.rows("select status from domain where account_id = '%s'", Account.PLATFORM))
			.containsExactly("verified");
	}

	@Test
	void aMailIsTextAndHtmlWithTheSameLinkWhichIsSealedInBoth() {
		Secret token = Secret.random();
		await(this.mails.send(new AccountNotice.VerifyAddress(this.to, token)));
		for (String column : List.of("text", "html")) {
			String stored = stored(column);
			assertThat(stored).contains("The link is valid for a day.", "If you did not register, do nothing.")
				.doesNotContain(token.text());
			assertThat(this.sealed.open(stored, Account.PLATFORM, this.to))
				.contains("http://localhost:8081/verify-email?token=" + token.text());
		}
		assertThat(stored("html")).startsWith("<!doctype html>").contains(">Verify address</a>").doesNotContain("<img");
	}

	@Test
	void anInvitationNamesInviterAccountRoleAndExpiry() {
		Scope account = Scope.of(Given.account("free"));
		Given.run("update account set name = 'Maria <b>' where id = '%s'", account.account());
		String part = this.sealed.seal("secret", Account.PLATFORM, this.to);
		await(this.brands.change(account, BrandChange.of("Moor & Sons " + part, null, "", List.of(Language.DE), null)));
		AccountNotice notice = await(this.invitations.invite(account, this.to, "developer")).notice();
		await(this.mails.send(notice));
		assertThat(Given.rows("select subject from email where to_emails = '{%s}'", this.to).getFirst())
			.startsWith("Maria <b> invited you to Moor & Sons");
		assertThat(stored("text")).contains("Maria <b> invited you to Moor & Sons", "with the role developer", " UTC.",
				"Accept the invitation:\nhttp://localhost:8081/accept-invitation?token=[sealed:");
		assertThat(stored("html"))
			.contains("<html lang=\"en\">", "Maria &lt;b&gt; invited you to Moor &amp; Sons [sealed ",
					"with the role developer", "accept-invitation?token=[sealed:")
			.doesNotContain("Maria <b>");
	}

	private String stored(String column) {
		return Given
			.rows("select %s from email_content join email on email.id = email_id where to_emails = '{%s}'", column,
					this.to)
			.getFirst();
	}

}
