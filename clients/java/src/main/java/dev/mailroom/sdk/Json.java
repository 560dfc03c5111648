package dev.mailroom.sdk;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Reads and writes JSON (RFC 8259): maps, lists, texts, numbers, booleans and null. It is
 * written here so that the library has no dependency.
 */
public final class Json {

	private static final int MAX_DEPTH = 200;

	private final String text;

	private int at;

	private Json(String text) {
		this.text = text;
	}

	/**
	 * Reads a value.
	 * @throws IllegalArgumentException if the text is not JSON
	 */
	public static @Nullable Object read(String text) {
		Json json = new Json(text);
		Object value = json.value(0);
		json.space();
		if (json.at < text.length()) {
			throw json.malformed();
		}
		return value;
	}

	/** Writes a value. */
	public static String write(@Nullable Object value) {
		StringBuilder out = new StringBuilder();
		write(value, out);
		return out.toString();
	}

	private @Nullable Object value(int depth) {
		if (depth > MAX_DEPTH) {
			throw malformed();
		}
		space();
		char next = peek();
		return switch (next) {
			case '{' -> object(depth);
			case '[' -> array(depth);
			case '"' -> string();
			case 't' -> word("true", true);
			case 'f' -> word("false", false);
			case 'n' -> word("null", null);
			default -> number();
		};
	}

	private Map<String, @Nullable Object> object(int depth) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		this.at++;
		if (isNext('}')) {
			return members;
		}
		do {
			space();
			String name = string();
			require(':');
			members.put(name, value(depth + 1));
		}
		while (isNext(','));
		require('}');
		return members;
	}

	private List<@Nullable Object> array(int depth) {
		List<@Nullable Object> elements = new ArrayList<>();
		this.at++;
		if (isNext(']')) {
			return elements;
		}
		do {
			elements.add(value(depth + 1));
		}
		while (isNext(','));
		require(']');
		return elements;
	}

	private String string() {
		if (peek() != '"') {
			throw malformed();
		}
		this.at++;
		StringBuilder out = new StringBuilder();
		while (peek() != '"') {
			char next = this.text.charAt(this.at++);
			if (next < ' ') {
				throw malformed();
			}
			out.append((next == '\\') ? escaped() : next);
		}
		this.at++;
		return out.toString();
	}

	private char escaped() {
		char kind = peek();
		this.at++;
		return switch (kind) {
			case '"', '\\', '/' -> kind;
			case 'b' -> '\b';
			case 'f' -> '\f';
			case 'n' -> '\n';
			case 'r' -> '\r';
			case 't' -> '\t';
			case 'u' -> unicode();
			default -> throw malformed();
		};
	}

	private char unicode() {
		int code = 0;
		for (int i = 0; i < 4; i++) {
			int digit = Character.digit(peek(), 16);
			if (digit < 0 || peek() > 'f') {
				throw malformed();
			}
			code = code * 16 + digit;
			this.at++;
		}
		return (char) code;
	}

	private Number number() {
		int start = this.at;
		skip('-');
		if (!skip('0')) {
			digits();
		}
		boolean whole = true;
		if (skip('.')) {
			whole = false;
			digits();
		}
		if (skip('e') || skip('E')) {
			whole = false;
			if (!skip('+')) {
				skip('-');
			}
			digits();
		}
		BigDecimal number = new BigDecimal(this.text.substring(start, this.at));
		return (whole && this.at - start < 19) ? (Number) number.longValueExact() : number;
	}

	private void digits() {
		int start = this.at;
		while (this.at < this.text.length() && this.text.charAt(this.at) >= '0' && this.text.charAt(this.at) <= '9') {
			this.at++;
		}
		if (this.at == start) {
			throw malformed();
		}
	}

	private @Nullable Object word(String word, @Nullable Object value) {
		if (!this.text.startsWith(word, this.at)) {
			throw malformed();
		}
		this.at += word.length();
		return value;
	}

	private void space() {
		while (this.at < this.text.length() && " \t\n\r".indexOf(this.text.charAt(this.at)) >= 0) {
			this.at++;
		}
	}

	private char peek() {
		if (this.at >= this.text.length()) {
			throw malformed();
		}
		return this.text.charAt(this.at);
	}

	private boolean skip(char wanted) {
		boolean found = this.at < this.text.length() && this.text.charAt(this.at) == wanted;
		if (found) {
			this.at++;
		}
		return found;
	}

	private boolean isNext(char wanted) {
		space();
		return skip(wanted);
	}

	private void require(char wanted) {
		if (!isNext(wanted)) {
			throw malformed();
		}
	}

	private IllegalArgumentException malformed() {
		return new IllegalArgumentException("The text is not JSON at position " + this.at);
	}

	private static void write(@Nullable Object value, StringBuilder out) {
		if (value == null || value instanceof Boolean || value instanceof Number) {
			out.append(value);
		}
		else if (value instanceof Fields fields) {
			write(fields.values(), out);
		}
		else if (value instanceof Map<?, ?> map) {
			out.append('{');
			for (Iterator<? extends Map.Entry<?, ?>> members = map.entrySet().iterator(); members.hasNext();) {
				Map.Entry<?, ?> member = members.next();
				quote(String.valueOf(member.getKey()), out);
				out.append(':');
				write(member.getValue(), out);
				out.append(members.hasNext() ? "," : "");
			}
			out.append('}');
		}
		else if (value instanceof Iterable<?> list) {
			out.append('[');
			for (Iterator<?> elements = list.iterator(); elements.hasNext();) {
				write(elements.next(), out);
				out.append(elements.hasNext() ? "," : "");
			}
			out.append(']');
		}
		else {
			quote(value.toString(), out);
		}
	}

	private static void quote(String text, StringBuilder out) {
		out.append('"');
		for (int i = 0; i < text.length(); i++) {
			char next = text.charAt(i);
			if (next == '"' || next == '\\') {
				out.append('\\').append(next);
			}
			else if (next < ' ' || Character.isSurrogate(next)) {
				out.append(String.format("\\u%04x", (int) next));
			}
			else {
				out.append(next);
			}
		}
		out.append('"');
	}

}
