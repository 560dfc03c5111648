package dev.mailroom.mail.outcome;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class BounceTest {

	@ParameterizedTest
	@MethodSource("samples")
	void aReplyHasTheReasonThatItsTextStates(Sample sample) {
		assertThat(Bounce.of(sample.reply(), sample.command()).reason()).isEqualTo(sample.reason());
	}

	@Test
	void eachRuleDecidesASampleAndEachReasonOfARuleIsReached() {
		Set<Bounce.Rule> unused = new HashSet<>(Bounce.RULES);
		samples().forEach((sample) -> Bounce.rule(sample.reply(), sample.command()).ifPresent(unused::remove));
		assertThat(unused).isEmpty();
	}

	@Test
	void aDeferralAndAReasonOfAnEventAreExplainedOrNot() {
		assertThat(Bounce.meaning("452 4.2.2 The mailbox is full")).isEqualTo(Bounce.Reason.MAILBOX_FULL.sentence());
		assertThat(Bounce.meaning("451 4.0.0 gibberish")).isNull();
		assertThat(Bounce.Reason.sentence("policy")).isEqualTo(Bounce.Reason.POLICY.sentence());
		assertThat(Bounce.Reason.sentence("unheard_of")).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "550 5.1.1 no such user, 5.1.1", "550-5.7.26 unauthenticated, 5.7.26", "550 #5.1.0 no, 5.1.0",
			"550 sorry. (#5.1.1), 5.1.1", "550 no, 550", "gibberish, ''" })
	void theCodeIsTheEnhancedOneOrElseThatOfTheReply(String reply, String code) {
		assertThat(Bounce.of(reply, Bounce.Command.RCPT)).extracting(Bounce::code, Bounce::diagnostic)
			.containsExactly(code, reply);
	}

	@ParameterizedTest
	@CsvSource({ "MAIL, 550 5.7.1 no, Deferred", "MAIL, 554 blocked using zen.spamhaus.org, Deferred",
			"RCPT, 550 5.7.1 no, Bounced", "MAIL, 550 5.1.1 who, Failed", "MAIL, 553 5.1.8 no such domain, Failed",
			"RCPT, 553 5.1.8 no such domain, Failed", "MAIL, 553 5.7.1 not owned by user, Failed",
			"RCPT, 550 5.1.1 who, Bounced", "DATA, 554 no, Bounced", "MAIL, 530 5.7.0 sign in, Deferred",
			"DATA, 550 rate limit, Deferred", "RCPT, 550 Greylisted, Deferred" })
	void aRefusalOfTheSendingSideIsTriedAgainUnlessTheSenderIsAtFault(Bounce.Command command, String reply,
			String outcome) {
		assertThat(Bounce.of(reply, command).outcome(command).getClass().getSimpleName()).isEqualTo(outcome);
	}

	@ParameterizedTest
	@CsvSource({ "550 5.7.1 blocked, true", "451 4.7.1 blocked, false", "550 too busy, false",
			"530 5.7.0 sign in, false" })
	void aDeferralAfterAPermanentRefusalOfTheSendingSideIsABlock(String reply, boolean block) {
		assertThat(Bounce.isBlock(reply)).isEqualTo(block);
	}

	@Test
	void theDocumentationListsEachReasonWithItsSentence() throws IOException {
		String document = Files.readString(Path.of("../docs/refusals.md"));
		String table = Stream.of(Bounce.Reason.values())
			.map((reason) -> "| `%s` | %s%s | %s |\n".formatted(reason.contractName(), reason.type().contractName(),
					reason.isTemporary() ? ", tried again" : "", reason.sentence()))
			.collect(Collectors.joining());
		assertThat(document).contains("|---|---|---|\n" + table + "\n");
	}

	@Test
	@Timeout(20)
	void hostileRepliesAreReadInLimitedTime() {
		for (String part : List.of("a", " ", "mailbox ", "the user ", "exceeds ", "<", "@", "a@", "daily host from ")) {
			String reply = "550 " + part.repeat(200_000);
			assertThatNoException().isThrownBy(() -> Bounce.of(reply, Bounce.Command.RCPT));
		}
	}

	private static Stream<Sample> samples() {
		try (InputStream file = Objects.requireNonNull(BounceTest.class.getResourceAsStream("/refusals.txt"))) {
			return new String(file.readAllBytes(), StandardCharsets.UTF_8).lines()
				.filter((line) -> !line.isEmpty() && !line.startsWith("#"))
				.map(Sample::of)
				.toList()
				.stream();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	record Sample(String provider, Bounce.Command command, Bounce.Reason reason, String reply) {

		static Sample of(String line) {
			List<String> parts = Stream.of(line.split("\\|", 4)).map(String::strip).toList();
			return new Sample(parts.get(0), Bounce.Command.valueOf(parts.get(1)),
					Bounce.Reason.valueOf(parts.get(2).toUpperCase(Locale.ROOT)), parts.get(3));
		}

	}

}
