package dev.mailroom.template;

import dev.mailroom.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * A reason why a template would be refused.
 *
 * @param field name of the field in snake case
 * @param line line of a broken placeholder, counted from 1; null for other problems
 * @param column column of a broken placeholder, counted from 1; null for other problems
 */
public record TemplateProblem(String field, @Nullable Integer line, @Nullable Integer column, String message) {

	static TemplateProblem of(Refusal.Detail detail) {
		return new TemplateProblem(detail.field(), null, null, detail.message());
	}

	Refusal.Detail detail() {
		return new Refusal.Detail(this.field, this.message);
	}

}
