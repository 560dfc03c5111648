package dev.mailroom.worker.compose;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.mailroom.Mutations;
import dev.mailroom.tracking.LinkTarget;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Fuzzing of the search for links in HTML. */
class HtmlLinksFuzzTest {

	private static final String TRACKED = "https://t.test/";

	@FuzzTest(maxDuration = "10m")
	void documents(byte[] input) {
		checkDocument(input);
	}

	@Test
	void mutatedDocuments() {
		Mutations.check(getClass(), "documents", 3000, HtmlLinksFuzzTest::checkDocument);
	}

	/**
	 * Without replacements the document is unchanged; after the replacement of all links
	 * none but the replacement is found.
	 */
	private static void checkDocument(byte[] input) {
		String html = new String(input, StandardCharsets.UTF_8);
		HtmlLinks links = HtmlLinks.of(html);
		assertThat(links.with((_) -> Optional.empty(), "")).isEqualTo(html);
		assertThat(links.with((_) -> Optional.empty(), "!")).hasSize(html.length() + 1);
		assertThat(links.targets()).allSatisfy((target) -> assertThat(target.url()).matches("(?i)https?://[!-~]+"));
		String replaced = links.with((_) -> Optional.of(TRACKED), "");
		HtmlLinks again = HtmlLinks.of(replaced);
		assertThat(again.targets()).extracting(LinkTarget::url)
			.containsExactlyElementsOf(links.targets().isEmpty() ? List.of() : List.of(TRACKED));
		assertThat(again.with((_) -> Optional.of(TRACKED), "")).isEqualTo(replaced);
	}

}
