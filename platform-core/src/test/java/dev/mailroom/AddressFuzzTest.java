package dev.mailroom;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.mailroom.mail.draft.Mailbox;
import dev.mailroom.webhook.Feed;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Fuzzing of texts that clients send: addresses, mailboxes and cursors. */
class AddressFuzzTest {

	@FuzzTest(maxDuration = "10m")
	void addresses(byte[] input) {
		checkAddress(input);
	}

	@Test
	void mutatedAddresses() {
		Mutations.check(getClass(), "addresses", 3000, AddressFuzzTest::checkAddress);
	}

	@FuzzTest(maxDuration = "10m")
	void cursors(byte[] input) {
		checkCursor(input);
	}

	@Test
	void mutatedCursors() {
		Mutations.check(getClass(), "cursors", 3000, AddressFuzzTest::checkCursor);
	}

	/** An accepted address fits into the envelope and parses to the same again. */
	private static void checkAddress(byte[] input) {
		String text = new String(input, StandardCharsets.UTF_8);
		EmailAddress.parse(text).ifPresent(AddressFuzzTest::checkStored);
		Mailbox.parse(text).ifPresent((mailbox) -> {
			assertThat(mailbox.name().chars().noneMatch(EmailAddress::breaksALine)).isTrue();
			assertThat(Mailbox.parse(mailbox.toString())).as("mailbox as stored").contains(mailbox);
			checkStored(mailbox.address());
		});
	}

	private static void checkStored(EmailAddress address) {
		String text = address.toString();
		assertThat(text.chars().noneMatch(EmailAddress::breaksALine)).isTrue();
		assertThat(address.domain()).matches("[a-z0-9.-]{3,253}").contains(".");
		assertThat(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)).as("in UTF-8")
			.isEqualTo(text);
		assertThat(EmailAddress.parse(text)).as("address as stored").contains(address);
	}

	private static void checkCursor(byte[] input) {
		String text = new String(input, StandardCharsets.UTF_8);
		Optional<Page.Cursor> page = Page.Cursor.parse(text);
		assertThat(page.map(Page.Cursor::text).flatMap(Page.Cursor::parse)).isEqualTo(page);
		Optional<Feed.Cursor> feed = Feed.Cursor.parse(text);
		assertThat(feed.map(Feed.Cursor::text).flatMap(Feed.Cursor::parse)).isEqualTo(feed);
	}

}
