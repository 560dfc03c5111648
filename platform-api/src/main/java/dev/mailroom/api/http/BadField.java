package dev.mailroom.api.http;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Says where in a body a value could not be read. */
public final class BadField {

	private BadField() {
	}

	/**
	 * The path to the value: {@code attachments[0].content}; {@code body} where it is the
	 * whole.
	 */
	public static String of(JacksonException error) {
		List<String> steps = new ArrayList<>();
		for (JacksonException.Reference step : error.getPath()) {
			@Nullable String name = step.getPropertyName();
			if (name == null) {
				steps.add("[" + step.getIndex() + "]");
			}
			else {
				steps.add((steps.isEmpty() ? "" : ".") + name);
			}
		}
		return steps.isEmpty() ? "body" : String.join("", steps);
	}

}
