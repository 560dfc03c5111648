package dev.mailroom.outcome;

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
	void aRefusalsWordsTellWhatIsAtFault(String reply, Bounce.Type type, String code) {
		assertThat(Bounce.of(reply, true)).isEqualTo(new Bounce(type, code, reply));
	}

	@ParameterizedTest
	@CsvSource({ "550 rejected, SOFT", "550 5.1.1 no such user, HARD" })
	void behindTheRecipientABareRefusalIsNotItsFault(String reply, Bounce.Type type) {
		assertThat(Bounce.of(reply, false).type()).isEqualTo(type);
	}

}
