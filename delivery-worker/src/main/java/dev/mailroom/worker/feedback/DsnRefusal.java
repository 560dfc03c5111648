package dev.mailroom.worker.feedback;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.outcome.Bounce;

/**
 * Why a server says that it did not deliver. That the address itself is at fault counts
 * only where a code says so, and where that is SMTP's alone, its words as well.
 */
final class DsnRefusal {

	private static final int LONGEST = 1000;

	/**
	 * An enhanced status code, not as a part of a longer number, with SMTP's before it.
	 */
	private static final Pattern ENHANCED = Pattern
		.compile("(?:\\b[245]\\d\\d[ -])?(?<![\\d.])[245]\\.\\d{1,3}\\.\\d{1,3}(?!\\.?\\d)");

	/** Three digits where a reply of SMTP begins. */
	private static final Pattern BASIC = Pattern.compile("(?i)(?:^|[:;] ?)((?:[245]\\d\\d)[ -].*)", Pattern.DOTALL);

	/** What servers without enhanced codes say of an address that is not there. */
	private static final Pattern NOBODY = Pattern.compile("(?i)no such (user|mailbox|recipient|address|person)"
			+ "|(user|recipient|mailbox|address|account)( is)? (unknown|not found|disabled)|unknown (user|recipient|local)"
			+ "|(doesn't|does not|didn't) exist|no mailbox|invalid (recipient|mailbox|address)|not a valid mailbox");

	/** What is said of the mail and its sender, whatever else is said. */
	private static final Pattern POLICY = Pattern.compile("(?i)spam|block(ed|list)|blacklist|reputation|policy|denied");

	private DsnRefusal() {
	}

	/**
	 * A recipient's fields of a report: the server's own words say more than the status.
	 */
	static Bounce of(ReportFields recipient) {
		String status = recipient.word("status");
		String diagnostic = line(recipient.get("diagnostic-code").replaceFirst("(?i)^\\s*(smtp|x-[\\w-]+)\\s*;", ""));
		String said = fromCode(diagnostic).orElse("");
		boolean vague = status.isEmpty() || status.endsWith(".0.0");
		boolean telling = !said.isEmpty() && (vague || !Bounce.enhanced(said).isEmpty());
		return judged(telling ? said : (status + " " + diagnostic).strip());
	}

	/** A text for people. */
	static Bounce of(String text) {
		List<String> lines = text.lines().map(DsnRefusal::line).filter((line) -> !line.isEmpty()).toList();
		return judged(lines.stream()
			.map(DsnRefusal::fromCode)
			.flatMap(Optional::stream)
			.findFirst()
			.orElseGet(() -> lines.isEmpty() ? "It came back without a reason" : lines.getFirst()));
	}

	private static Bounce judged(String said) {
		boolean nobody = NOBODY.matcher(said).find() && !POLICY.matcher(said).find();
		return Bounce.of((said.length() > LONGEST) ? said.substring(0, LONGEST) : said, nobody);
	}

	/** What stands from a code on. */
	private static Optional<String> fromCode(String line) {
		Matcher enhanced = ENHANCED.matcher(line);
		if (enhanced.find()) {
			return Optional.of(line.substring(enhanced.start()));
		}
		Matcher basic = BASIC.matcher(line);
		return basic.find() ? Optional.of(basic.group(1)) : Optional.empty();
	}

	private static String line(String text) {
		return text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
	}

}
