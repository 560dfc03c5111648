package dev.mailroom.worker.smtp.server;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.mail.outcome.Bounce;

/**
 * Reason of a failed delivery in a notification. A bounce is hard only if an enhanced
 * status code, or a basic code together with the text, reports an invalid address.
 */
final class DsnRefusal {

	private static final int MAX_LENGTH = 1000;

	/** Enhanced status code, outside longer numbers, after an optional basic code. */
	private static final Pattern ENHANCED = Pattern
		.compile("(?:\\b[245]\\d\\d[ -])?(?<![\\d.])[245]\\.\\d{1,3}\\.\\d{1,3}(?!\\.?\\d)");

	/** Basic code at the beginning of a reply. */
	private static final Pattern BASIC = Pattern.compile("(?i)(?:^|[:;] ?)((?:[245]\\d\\d)[ -].*)", Pattern.DOTALL);

	/** Texts of servers without enhanced codes about an unknown address. */
	private static final Pattern UNKNOWN_ADDRESS = Pattern.compile("(?i)no such (user|mailbox|recipient|address|person)"
			+ "|(user|recipient|mailbox|address|account)( is)? (unknown|not found|disabled)|unknown (user|recipient|local)"
			+ "|(doesn't|does not|didn't) exist|no mailbox|invalid (recipient|mailbox|address)|not a valid mailbox");

	/** Texts about the mail or its sender, which exclude a hard bounce. */
	private static final Pattern POLICY = Pattern.compile("(?i)spam|block(ed|list)|blacklist|reputation|policy|denied");

	private DsnRefusal() {
	}

	/** Reason in the fields of a recipient; the diagnostic is preferred to the status. */
	static Bounce of(ReportFields recipient) {
		String status = recipient.word("status");
		String diagnostic = line(recipient.get("diagnostic-code").replaceFirst("(?i)^\\s*(smtp|x-[\\w-]+)\\s*;", ""));
		String reply = fromCode(diagnostic).orElse("");
		boolean vague = status.isEmpty() || status.endsWith(".0.0");
		boolean specific = !reply.isEmpty() && (vague || !Bounce.enhanced(reply).isEmpty());
		return bounce(specific ? reply : (status + " " + diagnostic).strip());
	}

	/** Reason in the text of a notification. */
	static Bounce of(String text) {
		List<String> lines = text.lines().map(DsnRefusal::line).filter((line) -> !line.isEmpty()).toList();
		return bounce(lines.stream()
			.map(DsnRefusal::fromCode)
			.flatMap(Optional::stream)
			.findFirst()
			.orElseGet(() -> lines.isEmpty() ? "Returned without a reason" : lines.getFirst()));
	}

	private static Bounce bounce(String reply) {
		boolean unknown = UNKNOWN_ADDRESS.matcher(reply).find() && !POLICY.matcher(reply).find();
		return Bounce.of((reply.length() > MAX_LENGTH) ? reply.substring(0, MAX_LENGTH) : reply, unknown);
	}

	/** Rest of the line from the code on. */
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
