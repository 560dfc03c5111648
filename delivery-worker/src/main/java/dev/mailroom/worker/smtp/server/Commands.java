package dev.mailroom.worker.smtp.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.worker.smtp.server.Dialogue.Action;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Commands of RFC 5321 with PIPELINING, SIZE, 8BITMIME, SMTPUTF8, STARTTLS and AUTH, in
 * their permitted order.
 */
final class Commands {

	private final SmtpServerOptions options;

	private final SmtpHandler handler;

	private final SmtpSessionState session;

	private final Authentication authentication;

	private final List<String> recipients = new ArrayList<>();

	private @Nullable Path sender;

	private boolean receivingData;

	Commands(SmtpServerOptions options, SmtpHandler handler, SmtpSessionState session) {
		this.options = options;
		this.handler = handler;
		this.session = session;
		this.authentication = new Authentication(options, handler, session);
	}

	/** Whether extensions permit this line to exceed the usual limit. */
	boolean mayBeLong(String line) {
		return this.authentication.isInProgress() || List.of("MAIL", "RCPT", "AUTH").contains(CommandLine.verb(line));
	}

	/** Executes a command line. */
	Action execute(String line) {
		if (this.authentication.isInProgress()) {
			return this.authentication.proceed(line);
		}
		if (line.chars().anyMatch((character) -> character < ' ' && character != '\t')) {
			return Action.reply(Replies.CONTROL_CHARACTER);
		}
		String verb = CommandLine.verb(line);
		String arguments = CommandLine.arguments(line);
		return switch (verb) {
			case "EHLO", "HELO" -> greet(verb, arguments);
			case "STARTTLS" -> startTls(arguments);
			case "AUTH" ->
				(this.sender != null) ? Action.reply(Replies.BAD_SEQUENCE) : this.authentication.begin(arguments);
			case "MAIL" -> mail(arguments);
			case "RCPT" -> rcpt(arguments);
			case "DATA" -> data(arguments);
			case "RSET" -> {
				reset();
				yield Action.reply(Replies.OK);
			}
			case "NOOP" -> Action.reply(Replies.OK);
			case "VRFY" -> Action.reply(Replies.CANNOT_VERIFY);
			case "HELP" -> Action.reply(Replies.HELP);
			case "QUIT" -> Action.replyAndClose(Replies.BYE);
			default -> Action.reply(Replies.UNKNOWN_COMMAND);
		};
	}

	/** Whether DATA was accepted, so that the message follows. */
	boolean isReceivingData() {
		return this.receivingData;
	}

	private Action greet(String verb, String name) {
		if (name.isEmpty()) {
			return Action.reply(Replies.NAME_REQUIRED);
		}
		reset();
		this.session.introduced(name);
		if (verb.equals("HELO")) {
			return new Action.Send("250 " + this.options.name() + "\r\n", false);
		}
		List<String> lines = new ArrayList<>(List.of(this.options.name(), "PIPELINING",
				"SIZE " + this.options.maxBytes(), "8BITMIME", "ENHANCEDSTATUSCODES"));
		if (this.options.tls() != null && !this.session.isSecured()) {
			lines.add("STARTTLS");
		}
		if (this.authentication.isOffered()) {
			lines.add("AUTH PLAIN LOGIN");
		}
		return new Action.Send("250-" + String.join("\r\n250-", lines) + "\r\n250 SMTPUTF8\r\n", false);
	}

	private Action startTls(String arguments) {
		if (this.options.tls() == null) {
			return Action.reply(Replies.NOT_OFFERED);
		}
		if (this.session.isSecured()) {
			return Action.reply(Replies.BAD_SEQUENCE);
		}
		return arguments.isEmpty() ? new Action.StartTls(Replies.READY_FOR_TLS + "\r\n")
				: Action.reply(Replies.NO_ARGUMENTS);
	}

	private Action mail(String arguments) {
		Path path = Path.parse("FROM:", arguments);
		SmtpReply refusal = refuseSender(path);
		if (refusal != null || path == null) {
			return Action.reply((refusal != null) ? refusal : Replies.BAD_ADDRESS);
		}
		return new Action.Call(Mono.defer(() -> this.handler.sender(this.session.client(), path.address())),
				(reply) -> {
					this.sender = reply.isPositive() ? path : null;
					return Action.reply(reply);
				});
	}

	private @Nullable SmtpReply refuseSender(@Nullable Path path) {
		if (!this.session.isIntroduced() || this.sender != null) {
			return Replies.BAD_SEQUENCE;
		}
		if (this.handler.requiresAuth() && !this.session.isAuthenticated()) {
			return this.authentication.isOffered() ? Replies.AUTH_REQUIRED : Replies.TLS_REQUIRED;
		}
		if (path == null) {
			return Replies.BAD_ADDRESS;
		}
		if (!path.hasKnownParameters()) {
			return Replies.UNKNOWN_PARAMETER;
		}
		if (path.needsUtf8() && !path.hasUtf8Parameter()) {
			return Replies.NEEDS_SMTPUTF8;
		}
		return (path.size() > this.options.maxBytes()) ? Replies.TOO_LARGE : null;
	}

	private Action rcpt(String arguments) {
		Path path = Path.parse("TO:", arguments);
		Path from = this.sender;
		if (from == null) {
			return Action.reply(Replies.BAD_SEQUENCE);
		}
		if (path == null || path.address().isEmpty()) {
			return Action.reply(Replies.BAD_ADDRESS);
		}
		if (!path.parameters().isEmpty()) {
			return Action.reply(Replies.UNKNOWN_PARAMETER);
		}
		if (path.needsUtf8() && !from.hasUtf8Parameter()) {
			return Action.reply(Replies.NEEDS_SMTPUTF8);
		}
		if (this.recipients.size() == this.options.maxRecipients()) {
			return Action.reply(Replies.TOO_MANY_RECIPIENTS);
		}
		return new Action.Call(Mono.defer(() -> this.handler.recipient(this.session.client(), from.address(),
				List.copyOf(this.recipients), path.address())), (reply) -> {
					if (reply.isPositive()) {
						this.recipients.add(path.address());
					}
					return Action.reply(reply);
				});
	}

	private Action data(String arguments) {
		if (!arguments.isEmpty()) {
			return Action.reply(Replies.NO_ARGUMENTS);
		}
		if (this.recipients.isEmpty()) {
			return Action.reply((this.sender != null) ? Replies.NO_RECIPIENT : Replies.BAD_SEQUENCE);
		}
		this.receivingData = true;
		return new Action.Send(Replies.START_MAIL_INPUT + "\r\n", false);
	}

	/** The mail of the current transaction. */
	SmtpMail mail(byte[] content) {
		return new SmtpMail(this.session.client(), Objects.requireNonNull(this.sender).address(), this.recipients,
				content);
	}

	/** Ends the current transaction. */
	void reset() {
		this.sender = null;
		this.recipients.clear();
		this.receivingData = false;
	}

	void secured() {
		reset();
		this.session.secured();
	}

	/**
	 * Argument of MAIL or RCPT: an address between angle brackets, and parameters.
	 *
	 * @param address empty for the null sender
	 * @param parameters in upper case
	 */
	private record Path(String address, List<String> parameters) {

		private static final Pattern FORM = Pattern
			.compile("<((?:\"(?:[^\"\\\\]|\\\\.)*+\"|[^\">\\s])*+)>((?: +[^ ]+)*+)");

		private static final Pattern KNOWN = Pattern.compile("SIZE=\\d{1,15}|BODY=(7BIT|8BITMIME)|SMTPUTF8|AUTH=[^ ]+");

		/** Returns null if the text is malformed. */
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

		boolean hasKnownParameters() {
			return this.parameters.stream().allMatch((parameter) -> KNOWN.matcher(parameter).matches());
		}

		boolean hasUtf8Parameter() {
			return this.parameters.contains("SMTPUTF8");
		}

		boolean needsUtf8() {
			return this.address.chars().anyMatch((character) -> character > '~');
		}

		/** Announced size of the message in bytes; 0 if not announced. */
		long size() {
			return this.parameters.stream()
				.filter((parameter) -> parameter.startsWith("SIZE="))
				.mapToLong((parameter) -> Long.parseLong(parameter.substring("SIZE=".length())))
				.findFirst()
				.orElse(0);
		}

	}

}
