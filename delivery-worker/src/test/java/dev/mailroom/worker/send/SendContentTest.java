package dev.mailroom.worker.send;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static dev.mailroom.worker.send.SendEnvironment.SMTP;
import static dev.mailroom.worker.send.SendEnvironment.await;
import static dev.mailroom.worker.send.SendEnvironment.awaitLastEvent;
import static dev.mailroom.worker.send.SendEnvironment.awaitSettled;
import static dev.mailroom.worker.send.SendEnvironment.pause;
import static dev.mailroom.worker.send.SendEnvironment.received;
import static dev.mailroom.worker.send.SendEnvironment.resume;
import static org.assertj.core.api.Assertions.assertThat;

/** Tracking links and signatures of the mails sent. */
@SendEnvironment.SendingWorker
class SendContentTest {

	private final Scope scope = Given.sender("unlimited");

	@AfterEach
	void resetRelay() {
		SMTP.behave();
	}

	@Test
	void aTrackedMailHasLinksOfItsOwnForEachRecipient() {
		SMTP.answer("RCPT slow@tracked.test", "451 4.7.1 later");
		UUID book = UUID.randomUUID();
		pause(this.scope.account());
		UUID mail = Given.mail(this.scope, "fast@tracked.test", "slow@tracked.test");
		Given.run("update email set open_tracking = true, click_tracking = true, link_host = 'links.shop.test' "
				+ "where id = '%s'", mail);
		Given.run("update email_content set html = '<a href=\"https://example.com/%s\">x</a>' where email_id = '%s'",
				book, mail);
		Given.run("insert into contact_book (id, account_id, name, created_at, updated_at) "
				+ "values ('%s', '%s', 'Friends', now(), now())", book, this.scope.account());
		Given.run(
				"insert into contact (id, account_id, contact_book_id, email, email_key, created_at, updated_at) "
						+ "values ('%1$s', '%2$s', '%1$s', 'a@b.test', 'a@b.test', now(), now())",
				book, this.scope.account());
		Given.run("update queue set contact_id = '%s' where id = (select id from delivery "
				+ "where email_id = '%s' and position = 1)", book, mail);
		resume(this.scope.account());
		await("a delay of the slow recipient",
				() -> !Given
					.rows("select id from event where email_id = '%s' and kind = 'email.delivery_delayed'", mail)
					.isEmpty());
		SMTP.behave();
		awaitSettled(mail);
		String fast = received("fast@tracked.test").getFirst().content();
		String slow = received("slow@tracked.test").getLast().content();
		assertThat(fast).contains("/t/c/", "/t/o/").doesNotContain("example.com", "List-Unsubscribe: ");
		assertThat(slow).doesNotContain("localhost")
			.contains("https://links.shop.test/t/c/", "https://links.shop.test/t/o/",
					"List-Unsubscribe: <https://links.shop.test/u/",
					"List-Unsubscribe-Post: List-Unsubscribe=One-Click");
		assertThat(slow).doesNotContain(fast.substring(fast.indexOf("/t/c/"), fast.indexOf("/t/c/") + 40));
		assertThat(Given.rows("select url from tracked_link where account_id = '%s'", this.scope.account()))
			.containsExactly("https://example.com/" + book);
	}

	@Test
	void aMailWhoseSigningKeyCannotBeReadIsDeferredAndNotSentUnsigned() {
		Given
			.run("insert into dkim_key (id, account_id, domain_id, selector, algorithm, public_key, sealed_private_key, "
					+ "active, created_at) values (gen_random_uuid(), '%s', '%s', 's1', 'rsa-sha256', 'x', '\\x00', "
					+ "true, now())", this.scope.account(), this.scope.domain());
		UUID mail = Given.mail(this.scope, "b@unsigned.test");
		awaitLastEvent("delivery_delayed", mail);
		assertThat(received("@unsigned.test")).isEmpty();
		Given.run("update dkim_key set active = false where domain_id = '%s'", this.scope.domain());
	}

	@Test
	void aMailBeyondTheLimitsFailsWithAReasonAndOthersAreDelivered() {
		pause(this.scope.account());
		UUID tooLong = Given.mail(this.scope, "many@lines.test");
		Given.run("update email_content set text = repeat(E'\\n', 1000001) where email_id = '%s'", tooLong);
		UUID empty = Given.mail(this.scope, "empty@lines.test");
		Given.run("update email_content set text = repeat(E'\\n', 300000) || 'end' where email_id = '%s'", empty);
		UUID sound = Given.mail(this.scope, "sound@lines.test");
		resume(this.scope.account());
		awaitLastEvent("failed", tooLong);
		awaitLastEvent("delivered", empty);
		awaitLastEvent("delivered", sound);
		assertThat(Given.rows("select why from dead_letter where email_id = '%s'", tooLong)).singleElement()
			.asString()
			.contains("1000001 lines; at most 1000000 can be sent");
	}

	@Test
	void aMailWithTooManyTrackedLinksFailsWithAReasonAndUnclosedTagsDoNoHarm() {
		pause(this.scope.account());
		UUID tooMany = Given.mail(this.scope, "many@links.test");
		track(tooMany, "(select string_agg('<a href=http://x.test/' || n || '>x</a>', '') "
				+ "from generate_series(1, 5001) as n)");
		UUID permitted = Given.mail(this.scope, "permitted@links.test");
		track(permitted, "(select string_agg('<a href=http://x.test/' || n || '>x</a>', '') "
				+ "from generate_series(1, 5000) as n)");
		UUID unclosed = Given.mail(this.scope, "unclosed@links.test");
		track(unclosed, "repeat('<b' || (select string_agg(' a' || n || '=1', '') from generate_series(1, 512) as n) "
				+ "|| '>', 12) || repeat('<p>x', 20000) || repeat('</p>', 20000)");
		resume(this.scope.account());
		awaitLastEvent("failed", tooMany);
		awaitLastEvent("delivered", permitted);
		awaitLastEvent("delivered", unclosed);
		assertThat(Given.rows("select why from dead_letter where email_id = '%s'", tooMany)).singleElement()
			.asString()
			.contains("5001 tracked links; at most 5000 can be sent");
	}

	private static void track(UUID mail, String html) {
		Given.run("update email set open_tracking = true, click_tracking = true where id = '%s'", mail);
		Given.run("update email_content set html = %s where email_id = '%s'", html, mail);
	}

}
