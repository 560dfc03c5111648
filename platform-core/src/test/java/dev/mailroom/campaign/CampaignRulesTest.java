package dev.mailroom.campaign;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class CampaignRulesTest {

	private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

	@ParameterizedTest
	@CsvSource(nullValues = "-", value = { "-", "''", "tomorrow", "2030-01-02T00:00:00", "2030-01-01T00:00:00Z",
			"2029-12-31T00:00:00Z", "2030-01-31T00:00:01Z" })
	void anInvalidTimeIsRefused(String text) {
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> CampaignRules.sendAt(text, NOW))
			.satisfies((refused) -> assertThat(refused.details()).extracting(Refusal.Detail::field)
				.containsExactly("send_at"));
	}

	@ParameterizedTest
	@CsvSource({ "2030-01-01T00:00:01Z,2030-01-01T00:00:01Z", "2030-01-31T00:00:00Z,2030-01-31T00:00:00Z",
			"2030-01-01T02:00:00+01:00,2030-01-01T01:00:00Z" })
	void aTimeWithinThirtyDaysIsAccepted(String text, Instant expected) {
		assertThat(CampaignRules.sendAt(text, NOW)).isEqualTo(expected);
	}

	@Test
	void aPastTimeIsAcceptedOnlyIfItIsUnchanged() {
		Instant past = NOW.minusSeconds(1);
		Campaign.Form form = new Campaign.Form("n", "a@b.test", List.of(), "s", UUID.randomUUID(), null, null, "t",
				past.toString());
		assertThat(CampaignRules.check(form, past, NOW).sendAt()).isEqualTo(past);
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> CampaignRules.check(form, null, NOW));
	}

	@Test
	void allErrorsAreReportedAtOnce() {
		Campaign.Form form = new Campaign.Form(" ", "nobody", List.of("x", "a@b.test"), "{{a", null, null, null, "",
				"soon");
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> CampaignRules.check(form, null, NOW))
			.satisfies((refused) -> assertThat(refused.details()).extracting(Refusal.Detail::field)
				.containsExactly("name", "from", "reply_to[0]", "subject", "contact_book_id", "html_content",
						"send_at"));

	}

	@Test
	void aResolvedCampaignNeedsContent() {
		CampaignRules.Checked checked = CampaignRules.check(
				new Campaign.Form("n", "a@b.test", null, "s", UUID.randomUUID(), UUID.randomUUID(), null, null, null),
				null, NOW);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new CampaignReferences.Resolved(checked, UUID.randomUUID(), "Book", null, null));
	}

}
