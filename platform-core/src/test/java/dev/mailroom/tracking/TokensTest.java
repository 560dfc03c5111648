package dev.mailroom.tracking;

import java.util.UUID;

import dev.mailroom.WithCore;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class TokensTest {

	private static final UUID ACCOUNT = UUID.randomUUID();

	private static final UUID SUBJECT = UUID.randomUUID();

	@Autowired
	Tokens tokens;

	@Test
	void encodedTokensAreParsed() {
		TrackingToken.Open open = new TrackingToken.Open(ACCOUNT, SUBJECT);
		TrackingToken.Click click = new TrackingToken.Click(ACCOUNT, SUBJECT, UUID.randomUUID());
		TrackingToken.Unsubscribe leave = new TrackingToken.Unsubscribe(ACCOUNT, SUBJECT);
		assertThat(this.tokens.open(this.tokens.text(open))).contains(open);
		assertThat(this.tokens.click(this.tokens.text(click))).contains(click);
		assertThat(this.tokens.unsubscribe(this.tokens.text(leave))).contains(leave);
		assertThat(this.tokens.text(open)).as("the same at every attempt")
			.isEqualTo(this.tokens.text(open))
			.matches("[A-Za-z0-9_-]+");
	}

	@Test
	void aTokenIsInvalidForAnotherPurpose() {
		String open = this.tokens.text(new TrackingToken.Open(ACCOUNT, SUBJECT));
		String leave = this.tokens.text(new TrackingToken.Unsubscribe(ACCOUNT, SUBJECT));
		assertThat(this.tokens.unsubscribe(open)).isEmpty();
		assertThat(this.tokens.open(leave)).isEmpty();
		assertThat(this.tokens.click(open)).isEmpty();
	}

	@Test
	void forgedAndTruncatedTokensAreInvalid() {
		String text = this.tokens.text(new TrackingToken.Open(ACCOUNT, SUBJECT));
		for (int i = 0; i < text.length(); i++) {
			char other = (text.charAt(i) == 'A') ? 'B' : 'A';
			assertThat(this.tokens.open(text.substring(0, i) + other + text.substring(i + 1))).as("at %s", i).isEmpty();
			assertThat(this.tokens.open(text.substring(0, i))).isEmpty();
		}
		assertThat(this.tokens.open(text + "A")).isEmpty();
		assertThat(this.tokens.open("=".repeat(text.length()))).isEmpty();
		assertThat(this.tokens.open("ü".repeat(text.length()))).isEmpty();
	}

}
