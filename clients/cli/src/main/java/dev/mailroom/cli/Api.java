package dev.mailroom.cli;

import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.mailroom.sdk.Mailroom;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the API. The answers stay as they are, because {@code --json} prints them.
 */
final class Api {

	private static final Pattern UUID_TEXT = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

	private static final int PAGE = 100;

	private final Mailroom mailroom;

	Api(Mailroom mailroom) {
		this.mailroom = mailroom;
	}

	/** The SDK, for bodies that are no JSON. */
	Mailroom sdk() {
		return this.mailroom;
	}

	Value get(String path) {
		return call("GET", path, null);
	}

	/**
	 * Calls an operation with an idempotency key of its own, so that the SDK repeats it.
	 */
	Value post(String path, @Nullable Object body) {
		return post(path, body, UUID.randomUUID().toString());
	}

	Value post(String path, @Nullable Object body, String idempotencyKey) {
		return new Value(this.mailroom.with((options) -> options.withIdempotencyKey(idempotencyKey))
			.request("POST", path, body));
	}

	Value call(String method, String path, @Nullable Object body) {
		return new Value(this.mailroom.request(method, path, body));
	}

	/** Visits the items of a list until the visitor has seen enough. */
	void each(String path, String name, Predicate<Value> visitor) {
		String cursor = "";
		do {
			Value page = get(path + (path.contains("?") ? "&" : "?") + "limit=" + PAGE + "&cursor=" + encoded(cursor))
				.at("data");
			for (Value item : page.at(name).list()) {
				if (!visitor.test(item)) {
					return;
				}
			}
			cursor = page.at("pagination", "next_cursor").raw();
		}
		while (!cursor.isEmpty());
	}

	List<Value> list(String path, String name, int max) {
		List<Value> items = new ArrayList<>();
		each(path, name, (item) -> items.add(item) && items.size() < max);
		return items;
	}

	/** The id of a thing that a person may call by its name. */
	String id(String path, String list, String idOrName) {
		if (UUID_TEXT.matcher(idOrName).matches()) {
			return idOrName;
		}
		List<String> found = new ArrayList<>();
		each(path, list, (item) -> {
			if (item.at("name").raw().equalsIgnoreCase(idOrName)) {
				found.add(item.at("id").raw());
			}
			return true;
		});
		if (found.size() != 1) {
			throw new Failure(found.isEmpty() ? Failure.NOT_FOUND : Failure.USAGE,
					found.isEmpty() ? "not_found" : "ambiguous",
					"There " + (found.isEmpty() ? "is no" : "are several") + " " + list.replaceAll("s$", "")
							+ (found.isEmpty() ? "" : "s") + " with the name " + Output.clean(idOrName));
		}
		return found.get(0);
	}

	InputStream events(String path) {
		return this.mailroom.stream(path, "text/event-stream");
	}

	static String path(String first, String id, String... rest) {
		return first + "/" + encoded(id) + ((rest.length > 0) ? "/" + String.join("/", rest) : "");
	}

	/** A path with those parameters that have a value. */
	static String query(String path, Map<String, ? extends @Nullable Object> parameters) {
		String query = parameters.entrySet()
			.stream()
			.filter((entry) -> entry.getValue() != null)
			.map((entry) -> encoded(entry.getKey()) + "=" + encoded(String.valueOf(entry.getValue())))
			.collect(Collectors.joining("&"));
		return query.isEmpty() ? path : path + "?" + query;
	}

	static String encoded(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
	}

}
