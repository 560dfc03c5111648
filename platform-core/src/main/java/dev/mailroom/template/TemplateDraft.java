package dev.mailroom.template;

import java.util.List;
import java.util.Map;

import dev.mailroom.Refused;
import org.jspecify.annotations.Nullable;

/**
 * Content of a template that is not saved.
 *
 * @param problems reasons why it would be refused
 * @param variables the distinct names of its placeholders; none if it has problems
 * @param rendered the content with values in place of its placeholders; null if it has
 * problems
 */
public record TemplateDraft(List<TemplateProblem> problems, List<String> variables,
		Content.@Nullable Rendered rendered) {

	public TemplateDraft {
		problems = List.copyOf(problems);
		variables = List.copyOf(variables);
	}

	/**
	 * Checks and renders content. Values that cannot be rendered are problems of the
	 * field variables.
	 */
	public static TemplateDraft of(Template.Form form, @Nullable Map<String, @Nullable Object> values) {
		List<TemplateProblem> problems = TemplateRules.problems(form);
		if (!problems.isEmpty()) {
			return new TemplateDraft(problems, List.of(), null);
		}
		Content content = new Content(form.subject(), form.htmlContent(), form.textContent());
		try {
			return new TemplateDraft(List.of(), content.variables(), content.render(Variables.read(values)));
		}
		catch (Refused refused) {
			return new TemplateDraft(refused.details().stream().map(TemplateProblem::of).toList(), content.variables(),
					null);
		}
	}

}
