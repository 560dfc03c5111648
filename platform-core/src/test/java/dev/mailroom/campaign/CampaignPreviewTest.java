package dev.mailroom.campaign;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.template.Content;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CampaignPreviewTest {

	private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

	private final Campaign campaign = new Campaign(UUID.randomUUID(), UUID.randomUUID(), "n", CampaignStatus.DRAFT,
			"a@b.test", "a@b.test", UUID.randomUUID(), List.of(), "Hi {{first_name}}", UUID.randomUUID(), "Book", null,
			"<p>{{team}} {{city|Rome}}</p>", "{{unsubscribe_url}}", null, null, null, Map.of(), null, 0,
			Campaign.Counts.NONE, null, NOW, NOW);

	@Test
	void variablesWithoutASampleValueAreShownByName() {
		Content.Rendered preview = CampaignPreview.of(this.campaign);
		assertThat(preview.subject()).isEqualTo("Hi Ann");
		assertThat(preview.html()).isEqualTo("<p>[team] Rome</p>");
		assertThat(preview.text()).startsWith("https://example.com/");
	}

	@Test
	void theGivenUnsubscribeLinkIsUsed() {
		assertThat(CampaignPreview.of(this.campaign, "https://m.test/u/1").text()).isEqualTo("https://m.test/u/1");
	}

}
