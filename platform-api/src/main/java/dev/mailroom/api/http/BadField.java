package dev.mailroom.api.http;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Location of a JSON value that could not be read. */
public final class BadField {

	private BadField() {
	}

	/**
	 * The path of the value, such as {@code attachments[0].content}; {@code body} for the
	 * whole body.
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
