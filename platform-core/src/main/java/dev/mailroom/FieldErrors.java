package dev.mailroom;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import dev.mailroom.Refusal.Detail;

/** Collects the invalid fields of a request, to refuse it for all of them at once. */
public final class FieldErrors {

	private static final int MAX_REPORTED = 100;

	private final List<Detail> errors;

	private final String path;

	public FieldErrors() {
		this(new ArrayList<>(), "");
	}

	private FieldErrors(List<Detail> errors, String path) {
		this.errors = errors;
		this.path = path;
	}

	/**
	 * A view that adds to these errors those of an object within the request.
	 * @param path precedes the names of its fields, such as {@code attachments[0].}
	 */
	public FieldErrors at(String path) {
		return new FieldErrors(this.errors, this.path + path);
	}

	/**
	 * Adds an invalid field.
	 * @param message the rule that the value breaks, without the name of the field
	 */
	public void add(String field, String message) {
		this.errors.add(new Detail(this.path + field, message));
	}

	public boolean isEmpty() {
		return this.errors.isEmpty();
	}

	/** The invalid fields in the order in which they were added. */
	public List<Detail> all() {
		return List.copyOf(this.errors);
	}

	/** The first invalid field and its rule; the usual message of the refusal. */
	public String first() {
		Detail first = this.errors.getFirst();
		return first.field() + " " + first.message();
	}

	/** The first invalid field and its rule, and the number of the others. */
	public String summary() {
		int others = this.errors.size() - 1;
		return (others > 0) ? first() + " (and " + others + " more, see details)" : first();
	}

	/**
	 * Refuses the request with {@code Invalid request data} if a field is invalid.
	 * @throws Refused with the first hundred invalid fields
	 */
	public void refuseIfAny() {
		refuseIfAny(Refusal.INVALID_REQUEST, FieldErrors::first);
	}

	/**
	 * Refuses the request if a field is invalid.
	 * @param message the message for the errors, such as {@code FieldErrors::summary}
	 * @throws Refused the refusal, with the first hundred invalid fields
	 */
	public void refuseIfAny(Refusal refusal, Function<FieldErrors, String> message) {
		if (!isEmpty()) {
			throw refusal.because(message.apply(this), this.errors.stream().limit(MAX_REPORTED).toList());
		}
	}

}
