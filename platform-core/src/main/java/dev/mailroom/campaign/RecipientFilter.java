package dev.mailroom.campaign;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.mailroom.FieldErrors;
import org.jspecify.annotations.Nullable;

/**
 * Checks the filter of a campaign. A condition is
 * <code>{"property": "city", "equals": "Graz"}</code>,
 * <code>{"created_at": {"after": time, "before": time}}</code>, or <code>all</code> or
 * <code>any</code> with a list of conditions. The database evaluates it.
 */
final class RecipientFilter {

	private static final int MAX_CONDITIONS = 50;

	private static final int MAX_DEPTH = 5;

	private final FieldErrors errors;

	private int conditions;

	private RecipientFilter(FieldErrors errors) {
		this.errors = errors;
	}

	/**
	 * Checks a filter; null is no filter.
	 * @param errors receives the errors
	 */
	static void check(@Nullable Map<String, Object> filter, FieldErrors errors) {
		if (filter != null) {
			new RecipientFilter(errors).condition("filter", filter, 1);
		}
	}

	private void condition(String field, @Nullable Object value, int depth) {
		this.conditions++;
		if (this.conditions > MAX_CONDITIONS || depth > MAX_DEPTH) {
			this.errors.add("filter", "has more than " + MAX_CONDITIONS + " conditions or " + MAX_DEPTH + " levels");
		}
		else if (!(value instanceof Map<?, ?> condition)) {
			this.errors.add(field, "must be an object");
		}
		else if (condition.keySet().equals(Set.of("property", "equals"))) {
			property(field, condition);
		}
		else if (condition.keySet().equals(Set.of("created_at"))) {
			times(field + ".created_at", condition.get("created_at"));
		}
		else if (condition.keySet().equals(Set.of("all")) || condition.keySet().equals(Set.of("any"))) {
			String operator = String.valueOf(condition.keySet().iterator().next());
			list(field + "." + operator, condition.get(operator), depth);
		}
		else {
			this.errors.add(field, "must have property and equals, or created_at, or all, or any");
		}
	}

	private void property(String field, Map<?, ?> condition) {
		if (!(condition.get("property") instanceof String)) {
			this.errors.add(field + ".property", "must be the name of a property");
		}
		Object equals = condition.get("equals");
		if (!(equals instanceof String) && !(equals instanceof Number) && !(equals instanceof Boolean)) {
			this.errors.add(field + ".equals", "must be a text, a number or a boolean");
		}
		if (String.valueOf(equals).indexOf('\0') >= 0 || String.valueOf(condition.get("property")).indexOf('\0') >= 0) {
			this.errors.add(field, "must not contain the character NUL");
		}
	}

	private void list(String field, @Nullable Object value, int depth) {
		if (!(value instanceof List<?> conditions) || conditions.isEmpty()) {
			this.errors.add(field, "must be a list of conditions");
			return;
		}
		for (int i = 0; i < conditions.size() && this.conditions <= MAX_CONDITIONS; i++) {
			condition(field + "[" + i + "]", conditions.get(i), depth + 1);
		}
	}

	private void times(String field, @Nullable Object value) {
		if (!(value instanceof Map<?, ?> times) || times.isEmpty()
				|| !Set.of("after", "before").containsAll(times.keySet())) {
			this.errors.add(field, "must have after, before or both");
			return;
		}
		times.forEach((name, time) -> {
			if (!isTime(time)) {
				this.errors.add(field + "." + name, "must be an ISO 8601 date and time with an offset");
			}
		});
	}

	private static boolean isTime(@Nullable Object value) {
		try {
			return value instanceof String text && OffsetDateTime.parse(text).getYear() > 0
					&& OffsetDateTime.parse(text).getYear() < 10_000;
		}
		catch (DateTimeException _) {
			return false;
		}
	}

}
