package dev.mailroom.spring.test;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A mail that a test looks at. The methods {@code has…} fail with an
 * {@code AssertionError}.
 *
 * @param from the sender as it is shown
 * @param recipients the addresses of all recipients, also those that are not shown
 * @param text empty if there is none
 * @param html empty if there is none
 * @param headers by name, without regard to case
 */
public record TestMail(String from, List<String> recipients, String subject, String text, String html,
		Map<String, String> headers, List<Attachment> attachments) {

	private static final Pattern HREF = Pattern.compile("(?i)\\shref\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)')");

	private static final Pattern URL = Pattern.compile("https?://[^\\s<>\"'\\])]+");

	/** Returns the links of the HTML and the addresses in the text, each once. */
	public List<String> links() {
		Set<String> links = new LinkedHashSet<>();
		HREF.matcher(this.html)
			.results()
			.map((it) -> (it.group(1) != null) ? it.group(1) : it.group(2))
			.forEach((it) -> links.add(it.replace("&amp;", "&")));
		URL.matcher(this.text).results().forEach((it) -> links.add(it.group().replaceAll("[.,;:!?]+$", "")));
		return new ArrayList<>(links);
	}

	/**
	 * Returns the first match of a regular expression in the text, or in the HTML without
	 * its tags if there is no text: its first group, if it has one.
	 */
	public String code(String regex) {
		String content = this.text.isBlank() ? this.html.replaceAll("<[^>]*>", " ") : this.text;
		Matcher matcher = Pattern.compile(regex).matcher(content);
		require(matcher.find(), () -> "There is no match of " + regex);
		return (matcher.groupCount() > 0) ? matcher.group(1) : matcher.group();
	}

	/** Requires this subject. */
	public TestMail hasSubject(String subject) {
		return require(this.subject.equals(subject), () -> "The subject is not \"" + subject + "\"");
	}

	/** Requires that the text or the HTML contains this. */
	public TestMail hasText(String part) {
		return require(this.text.contains(part) || this.html.contains(part), () -> "\"" + part + "\" is not contained");
	}

	/** Requires a link that contains this. */
	public TestMail hasLink(String part) {
		return require(links().stream().anyMatch((link) -> link.contains(part)),
				() -> "No link contains \"" + part + "\": " + links());
	}

	/** Requires an attachment of this name. */
	public TestMail hasAttachment(String filename) {
		return require(this.attachments.stream().anyMatch((file) -> file.filename().equals(filename)),
				() -> "There is no attachment " + filename);
	}

	private TestMail require(boolean holds, Supplier<String> message) {
		if (!holds) {
			throw new AssertionError(message.get() + " in the mail \"" + this.subject + "\" to "
					+ String.join(", ", this.recipients) + "\n" + this.text + this.html);
		}
		return this;
	}

	/** A part that is neither the text nor the HTML. */
	public record Attachment(String filename, String contentType, byte[] content) {
	}

}
