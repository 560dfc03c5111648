package dev.mailroom.worker.smtpd;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What follows MAIL or RCPT: an address between angle brackets, and parameters.
 *
 * @param address empty for the null sender
 * @param parameters in upper case
 */
record Path(String address, List<String> parameters) {

	private static final Pattern FORM = Pattern.compile("<((?:\"(?:[^\"\\\\]|\\\\.)*+\"|[^\">\\s])*+)>((?: +[^ ]+)*+)");

	private static final Pattern KNOWN = Pattern.compile("SIZE=\\d{1,15}|BODY=(7BIT|8BITMIME)|SMTPUTF8|AUTH=[^ ]+");

	/** Returns null where the text is nothing of the kind. */
	static @Nullable Path parse(String keyword, String text) {
		if (!text.regionMatches(true, 0, keyword, 0, keyword.length())) {
			return null;
		}
		Matcher form = FORM.matcher(text.substring(keyword.length()).strip());
		if (!form.matches()) {
			return null;
		}
		String rest = form.group(2).strip().toUpperCase(Locale.ROOT);
		return new Path(form.group(1), rest.isEmpty() ? List.of() : List.of(rest.split(" +")));
	}

	boolean knowsItsParameters() {
		return this.parameters.stream().allMatch((parameter) -> KNOWN.matcher(parameter).matches());
	}

	boolean asksForUtf8() {
		return this.parameters.contains("SMTPUTF8");
	}

	boolean needsUtf8() {
		return this.address.chars().anyMatch((character) -> character > '~');
	}

	/** The bytes that the sender has announced; 0 where it has not. */
	long size() {
		return this.parameters.stream()
			.filter((parameter) -> parameter.startsWith("SIZE="))
			.mapToLong((parameter) -> Long.parseLong(parameter.substring("SIZE=".length())))
			.findFirst()
			.orElse(0);
	}

}
