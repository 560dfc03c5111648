package dev.mailroom.dmarc;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A policy record (RFC 9989 section 4.7). Tags that are unknown or no longer in use, such
 * as {@code pct}, have no effect.
 *
 * @param text the record as published
 * @param tags values by the name of the tag in lower case; the first of several
 */
public record DmarcRecord(String text, Map<String, String> tags) {

	private static final Pattern VERSION = Pattern.compile("v\\s*=\\s*DMARC1\\s*(;.*)?", Pattern.DOTALL);

	private static final Pattern REPORT_URI = Pattern.compile("mailto:[^@\\s]+@[^@\\s]+", Pattern.CASE_INSENSITIVE);

	/** Longer texts are no policies. */
	private static final int MAX_LENGTH = 8192;

	/** Reads a text; empty if it is no record of this version. */
	public static Optional<DmarcRecord> parse(String text) {
		String record = text.strip();
		if (record.length() > MAX_LENGTH || !VERSION.matcher(record).matches()) {
			return Optional.empty();
		}
		Map<String, String> tags = new LinkedHashMap<>();
		for (String field : record.split(";", -1)) {
			int equals = field.indexOf('=');
			if (equals > 0) {
				tags.putIfAbsent(field.substring(0, equals).strip().toLowerCase(Locale.ROOT),
						field.substring(equals + 1).strip());
			}
		}
		return Optional.of(new DmarcRecord(record, tags));
	}

	/**
	 * Whether the record states a policy: valid actions, or an address for reports. With
	 * the latter alone, the action is none.
	 */
	public boolean isPolicy() {
		return hasActions() || reportUris().stream().anyMatch((uri) -> REPORT_URI.matcher(uri).matches());
	}

	private boolean hasActions() {
		return Action.of(this.tags.get("p")) != null && Stream.of("sp", "np")
			.filter(this.tags::containsKey)
			.allMatch((tag) -> Action.of(this.tags.get(tag)) != null);
	}

	/** Whether the policy is a test: receivers take the next milder action. */
	public boolean isTest() {
		return is("t", "y");
	}

	/** Whether SPF has to be aligned exactly. */
	public boolean isStrictSpf() {
		return is("aspf", "s");
	}

	/** Whether DKIM has to be aligned exactly. */
	public boolean isStrictDkim() {
		return is("adkim", "s");
	}

	/** URIs to which aggregate reports are sent. */
	public List<String> reportUris() {
		@Nullable String uris = this.tags.get("rua");
		return (uris == null) ? List.of() : Arrays.stream(uris.split(",", -1))
			.map(String::strip)
			// A limit on the size of reports, as earlier versions had.
			.map((uri) -> uri.replaceFirst("!\\d+[kmgt]?$", ""))
			.filter((uri) -> !uri.isEmpty())
			.toList();
	}

	/** The text with another address for reports beside those that it has. */
	public String withReports(String uri) {
		@Nullable String uris = this.tags.get("rua");
		if (uris == null || uris.isEmpty()) {
			return this.text.replaceFirst("[;\\s]*$", "") + "; rua=" + uri;
		}
		int begin = this.text.indexOf(uris, this.text.toLowerCase(Locale.ROOT).indexOf("rua"));
		return this.text.substring(0, begin) + uris + "," + uri + this.text.substring(begin + uris.length());
	}

	/**
	 * A record of a subdomain that this record covers, with the same effect and another
	 * address for reports.
	 */
	public String ofSubdomain(Action action, String uri) {
		StringBuilder record = new StringBuilder("v=DMARC1; p=").append(action.contractName());
		Stream.of("adkim", "aspf", "rua")
			.filter(this.tags::containsKey)
			.forEach((tag) -> record.append("; ").append(tag).append('=').append(this.tags.get(tag)));
		return this.tags.containsKey("rua") ? record + "," + uri : record + "; rua=" + uri;
	}

	/** The action that the record asks for its own domain. */
	public Action own() {
		return lowered(action("p"));
	}

	/** The action that it asks for subdomains without a record. */
	public Action ofSubdomains() {
		return lowered(action(this.tags.containsKey("sp") ? "sp" : "p"));
	}

	/** The action that it asks for subdomains that do not exist. */
	Action ofMissingSubdomains() {
		return this.tags.containsKey("np") ? lowered(action("np")) : ofSubdomains();
	}

	/** Whether subdomains that do not exist have an action of their own. */
	boolean namesMissingSubdomains() {
		return this.tags.containsKey("np");
	}

	/** Whether the name is a public suffix, or an organizational domain. */
	boolean endsWalk() {
		return isPublicSuffix() || is("psd", "n");
	}

	boolean isPublicSuffix() {
		return is("psd", "y");
	}

	private boolean is(String tag, String value) {
		return value.equalsIgnoreCase(this.tags.get(tag));
	}

	private Action action(String tag) {
		@Nullable Action action = hasActions() ? Action.of(this.tags.get(tag)) : null;
		return (action != null) ? action : Action.NONE;
	}

	private Action lowered(Action action) {
		return !isTest() ? action : switch (action) {
			case REJECT -> Action.QUARANTINE;
			case QUARANTINE, NONE -> Action.NONE;
		};
	}

	/** Actions for mail that fails, the mildest first. */
	public enum Action {

		/** No action. */
		NONE,
		/** Treats the mail as suspicious. */
		QUARANTINE,
		/** Refuses the mail. */
		REJECT;

		static @Nullable Action of(@Nullable String text) {
			return Stream.of(values())
				.filter((action) -> action.contractName().equalsIgnoreCase(text))
				.findFirst()
				.orElse(null);
		}

		/** The value in the record and in JSON. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
