package dev.mailroom.mail.outcome;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A permanent refusal, classified by the first of the {@link #RULES} that matches the
 * server's reply. The same rules apply to replies of servers and to notifications.
 *
 * @param code the enhanced status code (RFC 3463), or else the three-digit reply code;
 * empty if the reply has neither
 * @param diagnostic the reply
 */
public record Bounce(Reason reason, String code, String diagnostic) {

	/**
	 * At the beginning of the reply, or at its end in parentheses as qmail writes it.
	 * Cisco's servers write # before it.
	 */
	private static final Pattern ENHANCED = Pattern
		.compile("(?:^(?:\\d{3}[ -])?#?|\\(#)([245]\\.\\d{1,3}\\.\\d{1,3})\\b");

	private static final Pattern DIGITS = Pattern.compile("^([245]\\d\\d)\\b");

	/**
	 * Addresses quoted in the reply, whose words must not match a rule. An address ends
	 * at a colon, behind which Barracuda writes what decides.
	 */
	private static final Pattern QUOTED = Pattern
		.compile("<[^<>]{0,320}+>|[^\\s<>:;,()\"@]{1,64}+@[^\\s<>:;,()\"@\\]]{1,255}+");

	private static final Pattern SPACE = Pattern.compile("[\\s\\p{Cntrl}]+");

	/** Limit on the text that is read, to bound the cost of matching. */
	private static final int MAX_LENGTH = 2000;

	/**
	 * The rules; the first that matches decides. Texts of one provider stand before those
	 * of many servers, and texts before codes. Texts about the sending side stand before
	 * those about the address, because only a statement about the address may suppress
	 * it.
	 */
	static final List<Rule> RULES = List.of(
			// authentication missing, insufficient, failed or requiring TLS (RFC 4954
			// section 6)
			text("any", Reason.LOGIN_REQUIRED, "^(?:530|534|535|538)\\b"),
			code("any", Reason.INVALID_SENDER, "5.1.7", "5.1.8"),

			// the texts and codes of large providers
			text("Gmail", Reason.RATE_LIMITED, "receiving mail (?:too quickly|at a rate)|unusual rate of"),
			text("Gmail", Reason.UNKNOWN_ADDRESS,
					"email account that you tried to reach does not exist|\\?p=nosuchuser"),
			text("Gmail", Reason.DISABLED_ADDRESS, "email account that you tried to reach is (?:disabled|inactive)"),
			text("Gmail", Reason.MAILBOX_FULL, "inbox is out of storage"),
			text("Gmail", Reason.UNWANTED_CONTENT, "likely (?:unsolicited|suspicious)"),
			text("Gmail", Reason.CONTENT_REFUSED, "potential security issue"),
			text("Gmail", Reason.BLOCKED_SERVER, "not authorized to send email directly"),
			text("Microsoft", Reason.UNKNOWN_ADDRESS,
					"5\\.4\\.1 recipient address rejected: access denied|resolver\\.adr\\.recipientnotfound"
							+ "|5\\.5\\.0 requested action not taken: mailbox unavailable"),
			text("Microsoft", Reason.RESTRICTED_ADDRESS, "resolver\\.rst\\."),
			text("Microsoft", Reason.RATE_LIMITED, "\\brp-00\\d\\b|server busy"),
			text("Microsoft", Reason.BLOCK_LIST, "part of their network is on our block list"),
			text("Microsoft", Reason.BLOCKED_SERVER, "banned sending ip|\\b(?:dy|ou|cs)-00\\d\\b"),
			text("Microsoft", Reason.NOT_AUTHENTIC, "required authentication level|does not pass dmarc"),
			text("Microsoft", Reason.SENDER_REFUSED, "unregistered domains|banned sender"),
			text("Yahoo", Reason.RATE_LIMITED, "\\[tss04\\]|temporarily deferred due to"),
			text("Yahoo", Reason.BLOCKED_SERVER, "will be permanently deferred"),
			text("Yahoo", Reason.UNKNOWN_ADDRESS,
					"user doesn't have an? \\S{1,80} account|mail action aborted, mailbox not found"),
			text("Yahoo", Reason.DISABLED_ADDRESS, "this mailbox is disabled \\(554\\.30\\)"),
			text("Apple", Reason.UNKNOWN_ADDRESS, "recipient no longer on server"),
			text("Apple", Reason.POLICY, "\\[(?:cs|hm)\\d\\d\\] message rejected"),
			text("GMX", Reason.REVERSE_DNS, "bad dns ptr|invalid dns mx"),
			text("GMX", Reason.BLOCKED_SERVER, "ip address is black ?listed"),
			text("GMX", Reason.POLICY, "reject due to policy restrictions|/error-messages\\?ip="),
			text("Telekom", Reason.BLOCKED_SERVER, "ask your postmaster for help or to contact"),
			text("Mail.ru", Reason.DISABLED_ADDRESS, "is unavailable: account is disabled"),
			text("Mail.ru", Reason.UNKNOWN_ADDRESS, "message was not accepted -- invalid mailbox"),
			text("Mail.ru", Reason.BLOCKED_SERVER, "access from ip address \\S{1,60} blocked"),
			text("Yandex", Reason.UNWANTED_CONTENT, "under suspicion of spam"),
			text("Proofpoint", Reason.BLOCKED_SERVER, "ipcheck\\.proofpoint\\.com|proofpoint\\.com/dnsbl-lookup"),
			text("Proofpoint", Reason.POLICY, "local policy violation"),
			text("Mimecast", Reason.NOT_AUTHENTIC, "anti-spoofing policy|spf sender invalid"),
			text("Mimecast", Reason.REPUTATION, "poor reputation sender"),
			text("Mimecast", Reason.POLICY, "envelope blocked|rejected due to security policies"),
			text("Barracuda", Reason.POLICY, "failure for one or more recipients \\( ?: ?blocked\\)"),
			text("Barracuda", Reason.BLOCK_LIST, "blocked using barracuda"),
			text("Barracuda", Reason.UNKNOWN_ADDRESS, "\\bcuda_nsu\\b"),
			text("cPanel", Reason.MAILBOX_FULL, "blocks limit exceeded|inode limit exceeded"),
			text("cPanel", Reason.RATE_LIMITED, "exceeded the max (?:emails|defers)"),
			text("Cisco", Reason.UNKNOWN_ADDRESS, "#5\\.1\\.0 address rejected"),
			text("Amazon SES", Reason.SENDER_REFUSED, "email address is not verified"),

			// the pace, although the reply is permanent
			text("any", Reason.GREYLISTED, "gr[ea]y-?list"),
			text("any", Reason.RATE_LIMITED,
					"too busy|too many (?:connections|messages|mails|emails)|ratelimit|\\brate (?:limit|exceeded)"
							+ "|(?:daily|hourly) .{0,40}(?:quota|limit)|(?:quota|limit) exceeded (?:for )?today"
							+ "|send(?:ing)? (?:quota|limit)|exceeded .{0,40}per (?:hour|day|minute)"),

			// the sending side
			text("any", Reason.BLOCK_LIST,
					"spamhaus|spamcop|\\bsorbs\\b|barracudacentral|dnsbl|surbl|\\brbls?\\b|(?:block|black|deny)[ -]?list"),
			text("any", Reason.REPUTATION, "reputation"),
			text("any", Reason.REVERSE_DNS,
					"reverse (?:dns|hostname|look-?up)|\\bptr\\b|\\brdns\\b|\\b(?:helo|ehlo)\\b"),
			text("any", Reason.NOT_AUTHENTIC, "\\bspf\\b|\\bdkim\\b|\\bdmarc\\b|openspf|unauthenticated"),
			text("any", Reason.RELAY_DENIED,
					"relay(?:ing)? (?:access |is )?(?:denied|not|prohibited|refused)|\\bto relay\\b|rcpthosts"
							+ "|(?:not|cannot|can't|won't) relay|(?:smtp|requires?) auth"),
			text("any", Reason.INVALID_SENDER,
					"sender address rejected: domain not found|domain of sender address|sender domain "),
			text("any", Reason.SENDER_REFUSED,
					"not owned by user|your (?:account|mailbox)|(?:invalid|bad|unknown|unauthorized) sender"
							+ "|sender (?:address )?(?:verif|denied|rejected|refused|blocked|not |is not |unknown)"),
			text("any", Reason.BLOCKED_SERVER,
					"(?:your|sending|client) (?:ip|host|network|server)\\b|this (?:ip|network)\\b"
							+ "|\\bip (?:address )?\\S{0,60} ?(?:is )?(?:blocked|banned|rejected|refused|denied)"
							+ "|\\bhost (?:rejected|blocked|refused|denied)"
							+ "|(?:mails?|messages?|connections?) from (?:ip |your |\\[?\\d+\\.\\d+\\.)"),
			text("any", Reason.UNWANTED_CONTENT, "\\bspam|spam\\b|\\bjunk|unsolicited|bulk (?:e-?)?mail|phishing"),
			text("any", Reason.CONTENT_REFUSED, "virus|malware|(?:forbidden|banned|illegal) (?:content|attachment)"),

			// the mailbox
			text("any", Reason.MAIL_TOO_LARGE,
					"(?:message|mail) (?:is )?too (?:large|big)|exceeds .{0,40}\\bsize|\\bsize (?:limit|exceeds)"),
			text("any", Reason.MAILBOX_FULL,
					"over .{0,10}quota|quota ?exceeded|exceed(?:s|ed|ing)? .{0,20}(?:quota|storage)"
							+ "|(?:mailbox|inbox|mailfolder|storage|disk).{0,30}\\bfull\\b|\\bfull mailbox"),
			text("any", Reason.TRY_LATER, "temporar(?:y|ily)\\b|\\blater\\b|insufficient system"),
			text("any", Reason.DISABLED_ADDRESS,
					"(?:account|mailbox|user|recipient|address).{0,30}"
							+ "\\b(?:disabled|deactivated|suspended|discontinued|terminated|inactive)\\b"),

			// the address
			text("Postfix", Reason.UNKNOWN_DOMAIN, "domain name not found.{0,300}: host not found(?!, try)"),
			text("any", Reason.UNKNOWN_DOMAIN,
					"no such domain|\\bdomain (?:not found|(?:does not|doesn't) (?:exist|accept))"),
			text("any", Reason.UNKNOWN_ADDRESS,
					"no such (?:user|mailbox|recipient|address|person|account|customer|local)"
							+ "|(?:user|recipient|mailbox|address|account|person|local)(?: \\S{1,64})?(?: is| was)? ?"
							+ "(?:unknown|not found|invalid|not known|unavailable: user not found)"
							+ "|(?:unknown|invalid|undeliverable|unrouteable|nonexistent|non-existent) "
							+ "(?:user|recipient|mailbox|address|account|local)"
							+ "|(?:user|recipient|mailbox|address|account|it|who) (?:does not|doesn't|didn't|did not) exist"
							+ "|(?:does not|doesn't) have an? .{0,40}account|no (?:mailbox|user|recipient) (?:here|with|by)"
							+ "|not a (?:valid|known|local) (?:user|mailbox|recipient|address)|not our (?:customer|user)"
							+ "|mailbox name not allowed|unknown in (?:local|virtual|relay)"),
			// the text of RFC 5321 for 550, which after the message may mean a policy
			new Rule("any", Reason.UNKNOWN_ADDRESS, Set.of(), Pattern.compile("mailbox unavailable"), true),

			// words that also occur beside other reasons
			text("any", Reason.POLICY,
					"\\bpolic(?:y|ies)\\b|administrative(?:ly)? prohibit|\\bblocked\\b|\\bbanned\\b|access denied"
							+ "|not (?:allowed|accepted|permitted|authori[sz]ed)|service refused"),
			text("any", Reason.SENDER_REFUSED, "\\bsenders?\\b"),

			// codes without a text (RFC 3463, RFC 7372, RFC 7505)
			code("any", Reason.UNKNOWN_ADDRESS, "5.1.1", "5.1.3", "5.1.6"),
			code("any", Reason.UNKNOWN_DOMAIN, "5.1.2", "5.1.10"), code("any", Reason.MAILBOX_FULL, "5.2.2"),
			code("any", Reason.MAIL_TOO_LARGE, "5.2.3", "5.3.4"),
			code("any", Reason.NOT_AUTHENTIC, "5.7.20", "5.7.21", "5.7.22", "5.7.23", "5.7.26"),
			code("any", Reason.REVERSE_DNS, "5.7.25", "5.7.27"),
			text("any", Reason.POLICY, "^(?:\\d{3}[ -])?5\\.7\\.|\\(#5\\.7\\."),
			text("any", Reason.UNREACHABLE,
					"^(?:\\d{3}[ -])?[45]\\.4\\.|retry time(?:out)? .{0,10}exceeded|connection (?:timed out|refused)"),
			text("any", Reason.CONTENT_REFUSED, "^(?:\\d{3}[ -])?5\\.6\\."));

	/** Reply codes to RCPT with which a server may mean that the mailbox is unknown. */
	private static final Set<String> UNEXPLAINED = Set.of("550", "551", "553");

	/** Classifies a permanent refusal. */
	public static Bounce of(String reply, Command command) {
		return new Bounce(reason(reply, command), code(reply), reply);
	}

	/**
	 * Whether a deferral is a permanent refusal of the sending side: it is tried again
	 * only because it may be lifted.
	 */
	public static boolean isBlock(String deferral) {
		return deferral.startsWith("5") && reason(deferral, Command.MAIL).type() == Type.BLOCK;
	}

	/**
	 * The explanation for people of a reply to a mail that is tried again; null if no
	 * rule matches it.
	 */
	public static @Nullable String meaning(String reply) {
		return rule(reply, Command.REPORTED).map((rule) -> rule.reason().sentence()).orElse(null);
	}

	private static Reason reason(String reply, Command command) {
		boolean unexplained = command == Command.RCPT && UNEXPLAINED.contains(code(reply));
		return rule(reply, command).map(Rule::reason).orElse(unexplained ? Reason.UNEXPLAINED : Reason.OTHER);
	}

	/** The rule that decides; empty if none matches. */
	static Optional<Rule> rule(String reply, Command command) {
		String code = code(reply);
		String text = text(reply);
		return RULES.stream().filter((rule) -> rule.matches(code, text, command)).findFirst();
	}

	/** The text that rules are compared with: one line, lower-case, without addresses. */
	private static String text(String reply) {
		String cut = (reply.length() > MAX_LENGTH) ? reply.substring(0, MAX_LENGTH) : reply;
		String line = SPACE.matcher(cut).replaceAll(" ").replace('\u2019', '\'').toLowerCase(Locale.ROOT);
		return SPACE.matcher(QUOTED.matcher(line).replaceAll(" ")).replaceAll(" ").strip();
	}

	/** The enhanced status code, or else the reply code. */
	static String code(String reply) {
		String enhanced = enhanced(reply);
		Matcher digits = DIGITS.matcher(reply);
		return !enhanced.isEmpty() ? enhanced : digits.find() ? digits.group(1) : "";
	}

	/** The enhanced status code of a reply; empty if it has none. */
	public static String enhanced(String reply) {
		Matcher enhanced = ENHANCED.matcher(reply);
		return enhanced.find() ? enhanced.group(1) : "";
	}

	private static Rule text(String provider, Reason reason, String pattern) {
		return new Rule(provider, reason, Set.of(), Pattern.compile(pattern), false);
	}

	private static Rule code(String provider, Reason reason, String... codes) {
		return new Rule(provider, reason, Set.of(codes), null, false);
	}

	/** The kind of the bounce. */
	public Type type() {
		return this.reason.type();
	}

	/**
	 * The outcome of a hand-over that was refused like this. A refusal of MAIL states
	 * nothing about the recipient: a block of the sending side is tried again, because
	 * the operator can have it lifted, and other refusals fail the mail.
	 */
	public Outcome outcome(Command command) {
		boolean atMail = command == Command.MAIL;
		boolean blocked = type() == Type.BLOCK && this.reason != Reason.SENDER_REFUSED;
		if (this.reason == Reason.INVALID_SENDER) {
			return new Outcome.Failed(this.diagnostic);
		}
		if (this.reason.isTemporary() || (atMail && blocked)) {
			return new Outcome.Deferred(this.diagnostic);
		}
		return atMail ? new Outcome.Failed(this.diagnostic) : new Outcome.Bounced(this.reason, this.diagnostic);
	}

	/** The step that was refused. */
	public enum Command {

		/** The sender. */
		MAIL,
		/** The recipient. */
		RCPT,
		/** The message, before or after it was transferred. */
		DATA,
		/** Unknown: the refusal is reported by another server. */
		REPORTED

	}

	/** Kinds of bounces. */
	public enum Type {

		/** The address does not exist: it is suppressed. */
		HARD,
		/** The mailbox or this mail: full, too large, content refused. */
		SOFT,
		/** The sender: its reputation, or a policy against it. */
		BLOCK;

		/** The name in events. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/** Reasons of refusals. Their names are stable, and part of events. */
	public enum Reason {

		UNKNOWN_ADDRESS(Type.HARD, "The recipient's server says that the address does not exist."),
		DISABLED_ADDRESS(Type.HARD, "The recipient's server says that the mailbox is disabled."),
		UNKNOWN_DOMAIN(Type.HARD, "The domain of the address does not exist or accepts no mail."),
		REFUSED_AGAIN(Type.HARD, "The recipient's server refused the address on two days without a reason."),
		UNEXPLAINED(Type.SOFT, "The recipient's server refused the address without a reason."),
		MAILBOX_FULL(Type.SOFT, "The mailbox is full."),
		MAIL_TOO_LARGE(Type.SOFT, "The mail is too large for the recipient's server."),
		CONTENT_REFUSED(Type.SOFT, "The recipient's server does not accept the content of the mail."),
		RESTRICTED_ADDRESS(Type.SOFT, "The address accepts mail of certain senders only."),
		UNSUPPORTED(Type.SOFT, "The recipient's server lacks an extension that the mail requires."),
		RELAY_DENIED(Type.SOFT, "The server does not accept mail for the domain of the address."),
		UNREACHABLE(Type.SOFT, "The recipient's server could not be reached."),
		FORWARDED(Type.SOFT, "The mail was forwarded to an address that does not exist."),
		OTHER(Type.SOFT, "The recipient's server refused the mail."),
		LOGIN_REQUIRED(Type.SOFT, true, "The server requires authentication."),
		GREYLISTED(Type.SOFT, true, "The recipient's server accepts mail of new senders at a later attempt only."),
		RATE_LIMITED(Type.SOFT, true, "The recipient's server accepts less mail at a time."),
		TRY_LATER(Type.SOFT, true, "The recipient's server has a temporary problem."),
		BLOCK_LIST(Type.BLOCK, "The sending server is on a block list."),
		BLOCKED_SERVER(Type.BLOCK, "The recipient's server refuses the IP address or network of the sending server."),
		REPUTATION(Type.BLOCK, "The sending server or domain has a bad reputation."),
		REVERSE_DNS(Type.BLOCK, "The host name of the sending server has no matching DNS records."),
		NOT_AUTHENTIC(Type.BLOCK, "SPF, DKIM or DMARC of the sending domain did not pass."),
		UNWANTED_CONTENT(Type.BLOCK, "The recipient's server considers the mail to be spam."),
		POLICY(Type.BLOCK, "A policy of the recipient's server refuses the mail."),
		SENDER_REFUSED(Type.BLOCK, "The server does not accept mail of this sender."),
		INVALID_SENDER(Type.BLOCK, "The server considers the address of the sender to be invalid.");

		private final Type type;

		private final boolean temporary;

		private final String sentence;

		Reason(Type type, String sentence) {
			this(type, false, sentence);
		}

		Reason(Type type, boolean temporary, String sentence) {
			this.type = type;
			this.temporary = temporary;
			this.sentence = sentence;
		}

		public Type type() {
			return this.type;
		}

		/** Whether a later attempt may succeed although the reply is permanent. */
		boolean isTemporary() {
			return this.temporary;
		}

		/** An explanation for people. */
		public String sentence() {
			return this.sentence;
		}

		/** The name in events and statements. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

		/**
		 * The explanation of the reason with this name in events; null if there is none.
		 */
		public static @Nullable String sentence(String contractName) {
			for (Reason reason : values()) {
				if (reason.contractName().equals(contractName)) {
					return reason.sentence();
				}
			}
			return null;
		}

		static @Nullable Reason of(@Nullable String name) {
			return (name != null) ? valueOf(name.toUpperCase(Locale.ROOT)) : null;
		}

	}

	/**
	 * One line of the table: enhanced status codes or a text.
	 *
	 * @param provider the provider or server that is known to reply like this; any for
	 * many
	 * @param text compared with the reply in lower case
	 * @param onlyRcpt whether the rule applies to replies to RCPT only
	 */
	record Rule(String provider, Reason reason, Set<String> codes, @Nullable Pattern text, boolean onlyRcpt) {

		boolean matches(String code, String reply, Command command) {
			return (!this.onlyRcpt || command == Command.RCPT)
					&& ((this.text != null) ? this.text.matcher(reply).find() : this.codes.contains(code));
		}

	}

}
