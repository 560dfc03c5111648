package dev.mailroom.check;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import static dev.mailroom.check.ContentFinding.Check.DOCUMENT;
import static dev.mailroom.check.ContentFinding.Check.SIZE;
import static dev.mailroom.check.ContentFinding.Check.SPAM;
import static dev.mailroom.check.ContentFinding.Check.SUBJECT;
import static dev.mailroom.check.ContentFinding.Check.TEXT;
import static dev.mailroom.check.ContentFinding.Check.UNSUBSCRIBE;

/**
 * Checks content with its placeholders, as its author wrote it. Nothing is requested from
 * other servers.
 */
public final class ContentChecks {

	/** Size of the HTML from which Gmail clips a mail, in bytes. */
	private static final int CLIPPED = 102_000;

	/** Tracked links are longer than those of the author. */
	private static final int NEARLY_CLIPPED = 90_000;

	/** Longer subjects are cut in all inboxes. */
	private static final int MAX_SUBJECT = 90;

	/**
	 * Most tags of HTML that is parsed: its tree can have 12 times as many elements,
	 * because parsers repeat those that are not closed.
	 */
	private static final int MAX_TAGS = 20_000;

	private static final Pattern UNSUBSCRIBE_URL = Pattern.compile("\\{\\{\\s*unsubscribe_url\\s*(\\||}})");

	/** Phrases that the rules of SpamAssassin and their relatives name. */
	private static final List<String> SPAM_PHRASES = List.of("100% free", "act now", "click here", "dear friend",
			"double your", "earn money", "free money", "guaranteed", "lose weight", "make money", "no obligation",
			"once in a lifetime", "risk free", "risk-free", "this is not spam", "you have won", "winner");

	private static final Pattern SHOUTING = Pattern.compile("!{2,}|[$€£]{2,}");

	private static final int MIN_CAPITALS = 10;

	private ContentChecks() {
	}

	/** The findings in the order of the checks; each check has one at least. */
	public static List<ContentFinding> of(Source source) {
		Findings findings = new Findings();
		@Nullable String html = source.html();
		subject(findings, source.subject(), source.campaign());
		String visible = "";
		if (html != null && !html.isBlank()) {
			if (html.chars().filter((character) -> character == '<').limit(MAX_TAGS + 1L).count() > MAX_TAGS) {
				findings.warn(DOCUMENT, "The HTML has too many tags to be checked.");
			}
			else {
				visible = new HtmlChecks(html, source, findings).visibleText();
			}
			size(findings, html);
		}
		text(findings, source);
		unsubscribe(findings, source);
		spam(findings, source.subject(), visible + "\n" + Objects.requireNonNullElse(source.text(), ""));
		return findings.all();
	}

	private static void subject(Findings findings, @Nullable String subject, boolean campaign) {
		if (subject == null || subject.isBlank()) {
			if (campaign) {
				findings.error(SUBJECT, "There is no subject.");
			}
			findings.pass(SUBJECT, "Each email brings its own subject.");
		}
		else if (subject.length() > MAX_SUBJECT) {
			findings.warn(SUBJECT, "It has " + subject.length() + " characters; inboxes show 40 to 70 of them.");
		}
		findings.pass(SUBJECT, "Its length is fine.");
	}

	private static void size(Findings findings, String html) {
		int bytes = html.getBytes(StandardCharsets.UTF_8).length;
		String kilobytes = String.format(Locale.ROOT, "%.1f kB", bytes / 1000.0);
		if (bytes > CLIPPED) {
			findings.warn(SIZE,
					"The HTML has " + kilobytes + ": Gmail clips it after 102 kB, with the link to unsubscribe.");
		}
		else if (bytes > NEARLY_CLIPPED) {
			findings.warn(SIZE, "The HTML has " + kilobytes + ": with tracked links Gmail may clip it.");
		}
		findings.pass(SIZE, "The HTML has " + kilobytes + ".");
	}

	private static void text(Findings findings, Source source) {
		if (source.text() == null || source.text().isBlank()) {
			findings.warn(TEXT, "There is no text part for readers without HTML; some filters count that.");
		}
		findings.pass(TEXT, "There is a text part.");
	}

	private static void unsubscribe(Findings findings, Source source) {
		boolean linked = hasLink(source.html());
		if (!source.campaign()) {
			findings.pass(UNSUBSCRIBE, (linked || hasLink(source.text())) ? "There is a link."
					: "There is no link. A campaign needs one.");
		}
		else if (source.html() != null && !linked) {
			findings.error(UNSUBSCRIBE, "The HTML has no link to {{unsubscribe_url}}.");
		}
		else if (source.html() == null && !hasLink(source.text())) {
			findings.error(UNSUBSCRIBE, "The text has no {{unsubscribe_url}}.");
		}
		else if (source.text() != null && !hasLink(source.text())) {
			findings.warn(UNSUBSCRIBE, "The text part has no {{unsubscribe_url}}.");
		}
		findings.pass(UNSUBSCRIBE, "Each recipient has a link of their own.");
	}

	private static boolean hasLink(@Nullable String content) {
		return content != null && UNSUBSCRIBE_URL.matcher(content).find();
	}

	private static void spam(Findings findings, @Nullable String subject, String text) {
		String all = (Objects.requireNonNullElse(subject, "") + "\n" + text).toLowerCase(Locale.ROOT);
		List<String> phrases = SPAM_PHRASES.stream().filter(all::contains).toList();
		if (!phrases.isEmpty()) {
			findings.warn(SPAM, "Some filters count “" + String.join("”, “", phrases) + "”.");
		}
		if (subject != null && SHOUTING.matcher(subject).find()) {
			findings.warn(SPAM, "The subject repeats ! or a currency sign.");
		}
		if (subject != null && subject.codePoints().filter(Character::isUpperCase).count() >= MIN_CAPITALS
				&& subject.equals(subject.toUpperCase(Locale.ROOT))) {
			findings.warn(SPAM, "The subject is written in capitals.");
		}
		findings.pass(SPAM, "No such words. What filters decide also depends on the sender.");
	}

	/**
	 * Content to check.
	 *
	 * @param campaign whether it is that of a campaign, which needs a link to unsubscribe
	 * @param images sizes in bytes of images that this installation serves, by their URL
	 */
	public record Source(boolean campaign, @Nullable String subject, @Nullable String html, @Nullable String text,
			Map<String, Integer> images) {

		public Source {
			images = Map.copyOf(images);
		}

	}

}
