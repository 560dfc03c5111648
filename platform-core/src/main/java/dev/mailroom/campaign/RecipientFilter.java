package dev.mailroom.campaign;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.FieldErrors;
import org.jspecify.annotations.Nullable;

/**
 * Checks the filter of a campaign. A condition is
 * <code>{"property": "city", "equals": "Graz"}</code> or with another operator in place
 * of <code>equals</code>, <code>{"created_at": {"after": time, "before": time}}</code>,
 * <code>{"clicked": {"within_days": 30}}</code> or
 * <code>{"clicked": {"campaign_id": id}}</code>, likewise <code>not_clicked</code>,
 * <code>opened</code> and <code>not_opened</code>, or <code>all</code> or
 * <code>any</code> with a list of conditions. The database evaluates it.
 */
final class RecipientFilter {

	private static final int MAX_CONDITIONS = 50;

	private static final int MAX_DEPTH = 5;

	/** Contacts of a book up to which the opens and clicks of each can be looked up. */
	static final int MAX_CONTACTS_OF_BEHAVIOUR = 50_000;

	private static final int MAX_OF_BEHAVIOUR = 3;

	private static final int MAX_DAYS = 365;

	private static final Set<String> TEXTS = Set.of("is_not", "contains", "starts_with");

	private static final Set<String> DATES = Set.of("before", "after");

	private static final Set<String> BEHAVIOUR = Set.of("clicked", "not_clicked", "opened", "not_opened");

	private final FieldErrors errors;

	private int conditions;

	private int behaviours;

	private RecipientFilter(FieldErrors errors) {
		this.errors = errors;
	}

	/**
	 * Checks a filter; null is no filter.
	 * @param errors receives the errors
	 */
	static void check(@Nullable Object filter, FieldErrors errors) {
		if (filter != null) {
			new RecipientFilter(errors).condition("filter", filter, 1);
		}
	}

	/** Whether a valid filter has a condition on opens or clicks. */
	static boolean hasBehaviour(@Nullable Object filter) {
		return switch (filter) {
			case Map<?, ?> condition -> condition.keySet().stream().anyMatch(BEHAVIOUR::contains)
					|| condition.values().stream().anyMatch(RecipientFilter::hasBehaviour);
			case List<?> conditions -> conditions.stream().anyMatch(RecipientFilter::hasBehaviour);
			case null, default -> false;
		};
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
		else if (condition.size() == 2 && condition.containsKey("property")) {
			operator(field, condition);
		}
		else if (condition.size() == 1 && BEHAVIOUR.containsAll(condition.keySet())) {
			String name = String.valueOf(condition.keySet().iterator().next());
			behaviour(field + "." + name, condition.get(name));
		}
		else if (condition.keySet().equals(Set.of("created_at"))) {
			times(field + ".created_at", condition.get("created_at"));
		}
		else if (condition.keySet().equals(Set.of("all")) || condition.keySet().equals(Set.of("any"))) {
			String operator = String.valueOf(condition.keySet().iterator().next());
			list(field + "." + operator, condition.get(operator), depth);
		}
		else {
			this.errors.add(field,
					"must have property and an operator, or created_at, clicked, not_clicked, opened, not_opened, all or any");
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

	private void operator(String field, Map<?, ?> condition) {
		if (!(condition.get("property") instanceof String name) || name.indexOf('\0') >= 0) {
			this.errors.add(field + ".property", "must be the name of a property");
		}
		condition.forEach((operator, value) -> {
			if (TEXTS.contains(operator)) {
				if (!(value instanceof String text) || text.isEmpty() || text.indexOf('\0') >= 0) {
					this.errors.add(field + "." + operator, "must be a text");
				}
			}
			else if (DATES.contains(operator)) {
				if (!(value instanceof String text) || !isDate(text)) {
					this.errors.add(field + "." + operator, "must be an ISO 8601 date");
				}
			}
			else if (operator.equals("exists")) {
				if (!(value instanceof Boolean)) {
					this.errors.add(field + ".exists", "must be a boolean");
				}
			}
			else if (!operator.equals("property")) {
				this.errors.add(field,
						"must have property and equals, is_not, contains, starts_with, before, after or exists");
			}
		});
	}

	private void behaviour(String field, @Nullable Object value) {
		this.behaviours++;
		if (this.behaviours > MAX_OF_BEHAVIOUR) {
			this.errors.add("filter", "has more than " + MAX_OF_BEHAVIOUR + " conditions on opens and clicks");
		}
		if (value instanceof Map<?, ?> of && of.keySet().equals(Set.of("within_days"))) {
			// The database reads it as an int, so 30.0 is refused too.
			if (!(of.get("within_days") instanceof Number days) || !days.toString().matches("[1-9][0-9]{0,2}")
					|| days.intValue() > MAX_DAYS) {
				this.errors.add(field + ".within_days", "must be a whole number from 1 to " + MAX_DAYS);
			}
		}
		else if (value instanceof Map<?, ?> of && of.keySet().equals(Set.of("campaign_id"))) {
			if (!(of.get("campaign_id") instanceof String id) || !isId(id)) {
				this.errors.add(field + ".campaign_id", "must be the id of a campaign");
			}
		}
		else {
			this.errors.add(field, "must have within_days or campaign_id");
		}
	}

	private static boolean isDate(String text) {
		try {
			return LocalDate.parse(text).getYear() > 0 && text.length() == 10;
		}
		catch (DateTimeException _) {
			return false;
		}
	}

	private static boolean isId(String text) {
		try {
			return UUID.fromString(text).toString().equalsIgnoreCase(text);
		}
		catch (IllegalArgumentException _) {
			return false;
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
