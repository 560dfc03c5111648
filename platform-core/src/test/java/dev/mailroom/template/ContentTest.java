package dev.mailroom.template;

import java.util.List;
import java.util.Map;

import dev.mailroom.Refused;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

class ContentTest {

	@Test
	void aDraftNamesTheLineOfABrokenPlaceholderInEachField() {
		TemplateDraft draft = TemplateDraft.of(new Template.Form(null, "{{}}", "<p>\n  {{name</p>", "{{fine}}"), null);
		assertThat(draft.problems()).extracting(TemplateProblem::field, TemplateProblem::line, TemplateProblem::column)
			.containsExactly(tuple("subject", 1, 1), tuple("html_content", 2, 3));
		assertThat(draft.rendered()).isNull();
	}

	@Test
	void aDraftIsRenderedAndReportsValuesThatCannotBe() {
		Template.Form form = new Template.Form(null, "Hi {{name}}", null, "{{city}}");
		TemplateDraft draft = TemplateDraft.of(form, Map.of("name", "Ann"));
		assertThat(draft.rendered()).isEqualTo(new Content.Rendered("Hi Ann", null, "", List.of("city")));
		assertThat(draft.variables()).containsExactly("name", "city");
		assertThat(TemplateDraft.of(form, Map.of("name", List.of())).problems()).containsExactly(
				new TemplateProblem("variables.name", null, null, "must be a text, a number or a boolean"));
		assertThat(TemplateDraft.of(new Template.Form(null, null, null, null), null).problems()).isEmpty();
	}

	@Test
	void variablesAreListedOnceInOrderOfAppearance() {
		Content content = new Content("{{ b }} {{a}}", "<p>{{c|x}}{{a}}</p>", "{{d.e-f_1}}{{b}}");
		assertThat(content.variables()).containsExactly("b", "a", "c", "d.e-f_1");
	}

	@Test
	void valuesAreEscapedInHtmlOnly() {
		Map<String, String> variables = Map.of("who", "<b>\"Tom\" & 'Ann'</b>");
		Content.Rendered mail = new Content("{{who}}", "<p title='{{who}}'>&amp;</p>", "{{who}}").render(variables);
		assertThat(mail.subject()).isEqualTo("<b>\"Tom\" & 'Ann'</b>");
		assertThat(mail.html())
			.isEqualTo("<p title='&lt;b&gt;&quot;Tom&quot; &amp; &#39;Ann&#39;&lt;/b&gt;'>&amp;</p>");
		assertThat(mail.text()).isEqualTo("<b>\"Tom\" & 'Ann'</b>");
	}

	@Test
	void placeholdersInValuesAreNotExpanded() {
		assertThat(new Content(null, null, "{{a}}{{b}}").render(Map.of("a", "{{b}}", "b", "{")).text())
			.isEqualTo("{{b}}{");
	}

	@ParameterizedTest
	@CsvSource({ "{{name|friend}},,friend", "{{ name | dear friend }},,dear friend", "{{name|friend}},'',friend",
			"{{name|friend}},' ',friend", "{{name|friend}},Ann,Ann", "{{name|}},,''", "{{name|a|b}},,a|b",
			"{{name}},'',''" })
	void aFallbackReplacesAnAbsentOrBlankValue(String template, String name, String rendered) {
		Map<String, String> variables = (name != null) ? Map.of("name", name) : Map.of();
		Content.Rendered mail = new Content(null, null, template).render(variables);
		assertThat(mail.text()).isEqualTo(rendered);
		assertThat(mail.missing()).isEmpty();
	}

	@Test
	void fallbacksAreEscapedInHtml() {
		assertThat(new Content(null, "{{name|Tom & Ann}}", null).render(Map.of()).html()).isEqualTo("Tom &amp; Ann");
	}

	@Test
	void placeholdersWithoutAValueAreEmptyAndReportedOnce() {
		Content.Rendered mail = new Content("{{b}}", null, "Hi {{a}}{{b}}{{c|x}}!").render(Map.of("z", "1"));
		assertThat(mail.text()).isEqualTo("Hi x!");
		assertThat(mail.missing()).containsExactly("b", "a");
		assertThat(mail.html()).isNull();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "plain", "", "}}", "{ {a} }", "@media print{p{color:red}}", "{{a}}}", "{{größe}}", "{{1}}" })
	void textOutsideOfPlaceholdersIsUnchanged(String text) {
		assertThat(new Content(null, null, text).render(Map.of("a", "{{a", "größe", "", "1", "")).text())
			.isEqualTo(text.replace("{{größe}}", "").replace("{{1}}", "").replace("{{a}}", "{{a"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';',
			value = { "a {{b;line 1, column 3", "{{}};line 1, column 1", "{{ }};line 1, column 1",
					"x{{a b}};line 1, column 2", "{{{a}}};line 1, column 1", "{{#if a}};line 1, column 1",
					"{{|x}};line 1, column 1", "{{a {{b}};line 1, column 1", "{{a|{{b}}}};line 1, column 1" })
	void aMalformedPlaceholderIsReportedWithLineAndColumn(String text, String position) {
		assertThatIllegalArgumentException().isThrownBy(() -> new Content(null, null, text))
			.withMessageContaining("has a broken placeholder at " + position + ": ");
	}

	@Test
	void theColumnIsCountedFromTheStartOfTheLine() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Content(null, null, "one\r\ntwo {{x y}}"))
			.withMessageContaining("at line 2, column 5: {{x y}} ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\r\nBcc: x@y.test", "a\nb", "a\rb", "a\0b", "a\u2028b" })
	void aLineBreakInTheSubjectIsRefused(String value) {
		Content content = new Content("Hello {{a}}", null, "{{a}}");
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> content.render(Map.of("a", value)))
			.satisfies((refused) -> assertThat(refused.details().getFirst().field()).isEqualTo("variables"));
	}

	@Test
	void aMailThatIsTooLongIsRefused() {
		Content content = new Content(null, "{{a}}".repeat(50_000), null);
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> content.render(Map.of("a", "x".repeat(100_000))))
			.withMessageContaining("longer than");
		Content subject = new Content("{{a}}", null, "x");
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> subject.render(Map.of("a", "x".repeat(999))))
			.withMessageContaining("subject longer than");
	}

}
