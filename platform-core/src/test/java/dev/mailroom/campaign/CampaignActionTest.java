package dev.mailroom.campaign;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CampaignActionTest {

	private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

	private static final Map<CampaignAction, Set<Status>> ALLOWED = Map.of(CampaignAction.EDIT,
			Set.of(Status.DRAFT, Status.SCHEDULED), CampaignAction.SCHEDULE, Set.of(Status.DRAFT, Status.PAUSED),
			CampaignAction.UNSCHEDULE, Set.of(Status.SCHEDULED), CampaignAction.START, Set.of(Status.DRAFT),
			CampaignAction.PAUSE, Set.of(Status.RUNNING), CampaignAction.RESUME, Set.of(Status.PAUSED),
			CampaignAction.DELETE, Set.of(Status.DRAFT, Status.SCHEDULED, Status.PAUSED, Status.SENT));

	@ParameterizedTest
	@EnumSource(CampaignAction.class)
	void anActFitsItsStatesAndNoOther(CampaignAction act) {
		for (Status status : Status.values()) {
			assertThat(act.fits(status)).as("%s of %s", act, status).isEqualTo(ALLOWED.get(act).contains(status));
		}
		Refused refused = act.refused(UUID.randomUUID(), Status.SENT);
		assertThat(refused.refusal().kind()).isEqualTo(Refusal.Kind.INVALID);
		assertThat(refused.refusal().error()).startsWith("Can only ");
		assertThat(refused.message()).endsWith("is sent");
	}

	@Test
	void aStateIsReadByTheContractsWordAlone() {
		for (Status status : Status.values()) {
			assertThat(Status.of(status.wire())).contains(status);
		}
		assertThat(Status.of("Draft")).isEmpty();
		assertThat(Status.of("")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-",
			value = { "0,true,-,true,true,false,-", "86400000,true,-,true,true,false,-",
					"86400001,true,-,true,true,false,24 hours", "1,true,spam,true,true,false,spam",
					"1,false,-,true,true,false,not verified", "1,true,-,false,true,false,no longer verified",
					"1,true,-,true,false,false,nobody", "1,true,-,true,false,true,-" })
	void whatComesTooLateOrMayNotSendIsPausedWithItsReason(long late, boolean verified, String paused, boolean sendable,
			boolean contacts, boolean started, String reason) {
		DueCampaign due = new DueCampaign(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID(), late, started,
				verified, paused, sendable, contacts);
		Optional<String> hindrance = due.hindrance(Duration.ofHours(24));
		if (reason == null) {
			assertThat(hindrance).isEmpty();
		}
		else {
			assertThat(hindrance).hasValueSatisfying((it) -> assertThat(it).contains(reason));
		}
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-", value = { "-", "''", "tomorrow", "2030-01-02T00:00:00", "2030-01-01T00:00:00Z",
			"2029-12-31T00:00:00Z", "2030-01-31T00:00:01Z" })
	void aTimeThatIsNoneIsRefused(String text) {
		assertThatThrownBy(() -> CampaignRules.time(text, NOW)).isInstanceOf(Refused.class)
			.satisfies((error) -> assertThat(((Refused) error).details()).extracting(Refusal.Detail::field)
				.containsExactly("send_at"));
	}

	@ParameterizedTest
	@CsvSource({ "2030-01-01T00:00:01Z", "2030-01-31T00:00:00Z", "2030-01-01T02:00:00+01:00" })
	void aTimeWithinThirtyDaysIsTaken(String text) {
		assertThat(CampaignRules.time(text, NOW)).isAfter(NOW);
	}

	@Test
	void aTimeThatHasComeStaysWhereItIsNotChanged() {
		Instant past = NOW.minusSeconds(1);
		Campaign.Asked asked = new Campaign.Asked("n", "a@b.test", List.of(), "s", UUID.randomUUID(), null, null, "t",
				past.toString());
		assertThat(CampaignRules.check(asked, past, NOW).sendAt()).isEqualTo(past);
		assertThatThrownBy(() -> CampaignRules.check(asked, null, NOW)).isInstanceOf(Refused.class);
	}

	@Test
	void everythingThatIsWrongIsSaidAtOnce() {
		Campaign.Asked asked = new Campaign.Asked(" ", "nobody", List.of("x", "a@b.test"), "{{a", null, null, null, "",
				"soon");
		assertThatThrownBy(() -> CampaignRules.check(asked, null, NOW)).isInstanceOf(Refused.class)
			.satisfies((error) -> assertThat(((Refused) error).details()).extracting(Refusal.Detail::field)
				.containsExactly("name", "from", "reply_to[0]", "subject", "contact_book_id", "html_content",
						"send_at"));
	}

	@Test
	void aTrialShowsByItsNameWhatOnlyContactsKnow() {
		Campaign campaign = new Campaign(UUID.randomUUID(), UUID.randomUUID(), "n", Status.DRAFT, "a@b.test",
				"a@b.test", UUID.randomUUID(), List.of(), "Hi {{first_name}}", UUID.randomUUID(), "Book", null,
				"<p>{{team}} {{city|Rome}}</p>", "{{unsubscribe_url}}", null, null, null, 0, 0, 0, 0, 0, NOW, NOW);
		assertThat(CampaignPreview.of(campaign).subject()).isEqualTo("Hi Ann");
		assertThat(CampaignPreview.of(campaign).html()).isEqualTo("<p>[team] Rome</p>");
		assertThat(CampaignPreview.of(campaign).text()).startsWith("https://example.com/");
	}

}
