package dev.mailroom.mail.outcome;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class BounceTest {

	@ParameterizedTest
	@CsvSource({ "550 5.1.1 no such user, HARD, 5.1.1", "556 5.1.10 no mail there, HARD, 5.1.10",
			"550 unknown, HARD, 550", "552 5.2.2 mailbox full, SOFT, 5.2.2", "552 5.3.4 too large, SOFT, 5.3.4",
			"550 5.6.0 not to our taste, SOFT, 5.6.0", "554 no, SOFT, 554", "550-5.7.26 unauthenticated, BLOCK, 5.7.26",
			"554 5.7.1 Service unavailable, BLOCK, 5.7.1", "554 Client host blocked using zen.spamhaus.org, BLOCK, 554",
			"550 5.1.1 rejected for poor sender reputation, BLOCK, 5.1.1",
			"550 5.1.1 <blacklist@spamhaus.test>: unknown, HARD, 5.1.1", "gibberish, SOFT, ''" })
	void bouncesAreClassifiedByTheReplyToRcpt(String reply, Bounce.Type type, String code) {
		assertThat(Bounce.of(reply, true)).isEqualTo(new Bounce(type, code, reply));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "550 Administrative prohibition|BLOCK", "550 Sender verify failed|BLOCK",
			"550 SPF: 192.0.2.1 is not allowed to send mail from b.test|BLOCK", "550 Message rejected as spam|BLOCK",
			"550 Your host has no reverse DNS|BLOCK", "550 HELO is syntactically invalid|BLOCK",
			"550 relay not permitted|SOFT", "550 Relaying denied|SOFT",
			"553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)|BLOCK",
			"553 sorry, that domain isn't in my list of allowed rcpthosts|SOFT",
			"550 sorry, no mailbox here by that name. (#5.1.1)|HARD", "554 sorry, no mailbox here (#5.1.1)|HARD",
			"550 5.4.1 Recipient address rejected: Access denied. [x.test]|HARD", "550 5.4.1 No answer from host|SOFT",
			"5.4.4 Host or domain name not found. Name service error for name=x.test type=AAAA: Host not found|HARD",
			"550 No such user here|HARD", "550 mailbox unavailable|HARD", "553 mailbox name not allowed|HARD",
			"550 <sender@spam.test>: User unknown in local recipient table|HARD", "550 unrouteable address|HARD" })
	void repliesAboutTheSenderAreNotHardBounces(String reply, Bounce.Type type) {
		assertThat(Bounce.of(reply, true).type()).isEqualTo(type);
	}

	@ParameterizedTest
	@CsvSource({ "550 rejected, SOFT", "550 5.1.1 no such user, HARD" })
	void aRefusalAfterRcptIsHardOnlyWithAnEnhancedCode(String reply, Bounce.Type type) {
		assertThat(Bounce.of(reply, false).type()).isEqualTo(type);
	}

}
