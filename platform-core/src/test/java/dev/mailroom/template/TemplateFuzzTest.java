package dev.mailroom.template;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.mailroom.Mutations;
import dev.mailroom.Refused;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Fuzzing of templates. */
class TemplateFuzzTest {

	private static final String VALUE = "<a href=\"x\">&'";

	private static final String ESCAPED = "&lt;a href=&quot;x&quot;&gt;&amp;&#39;";

	@FuzzTest(maxDuration = "10m")
	void templates(byte[] input) {
		check(input);
	}

	@Test
	void mutatedTemplates() {
		Mutations.check(getClass(), "templates", 3000, TemplateFuzzTest::check);
	}

	private static void check(byte[] input) {
		String text = new String(input, StandardCharsets.UTF_8);
		TemplateText template;
		try {
			template = TemplateText.parse(text);
		}
		catch (TemplateText.BrokenPlaceholder ex) {
			assertThat(ex.line()).isBetween(1, 1 + (int) text.chars().filter((next) -> next == '\n').count());
			assertThat(ex.column()).isBetween(1, 1 + text.length());
			return;
		}
		try {
			checkRendered(text, template);
		}
		catch (Refused ex) {
			assertThat(ex.details()).as("the mail becomes too long").isNotEmpty();
		}
	}

	private static void checkRendered(String text, TemplateText template) {
		Set<String> missing = new LinkedHashSet<>();
		String without = template.renderPlain(Map.of(), missing);
		assertThat(template.names()).containsAll(missing);
		if (template.names().isEmpty()) {
			assertThat(without).isEqualTo(text);
		}
		Map<String, String> values = new HashMap<>();
		template.names().forEach((name) -> values.put(name, VALUE));
		missing.clear();
		String html = template.renderHtml(values, missing);
		assertThat(missing).isEmpty();
		StringBuilder expected = new StringBuilder();
		for (TemplateText.Part part : template.parts()) {
			expected.append((part instanceof TemplateText.Literal(var literal)) ? literal : ESCAPED);
		}
		assertThat(html).isEqualTo(expected.toString());
	}

}
