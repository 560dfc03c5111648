package dev.mailroom.worker.smtp.server;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.worker.smtp.server.SmtpHandler.SmtpClient;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Server side of one SMTP session, without I/O: reads bytes and returns the next action.
 * The commands are those of RFC 5321 with PIPELINING, SIZE, 8BITMIME, SMTPUTF8, STARTTLS
 * and AUTH, in their permitted order. They are part of this class, because each changes
 * the state of the session. While an {@link Action.Call} is pending, no more bytes must
 * be passed in.
 */
final class Dialogue {

	private static final int MAX_ERRORS = 20;

	/** Limit before the first mail, where a client that speaks SMTP makes none. */
	private static final int MAX_EARLY_ERRORS = 5;

	/**
	 * Methods and header lines of HTTP. A web page can have a browser send them, with
	 * SMTP commands as the body of the request.
	 */
	private static final Pattern HTTP = Pattern
		.compile("CONNECT|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PRI|PUT|TRACE|[^ ]+:");

	/** Commands that do not belong to a mail. */
	private static final Set<String> IDLE_COMMANDS = Set.of("NOOP", "RSET", "VRFY", "HELP", "EHLO", "HELO");

	private final SmtpServerOptions options;

	private final SmtpHandler handler;

	private final ConnectionLimits limits;

	private final InetSocketAddress address;

	private final Authentication authentication;

	private final CommandLine line = new CommandLine();

	/** Name given with EHLO or HELO; empty before. */
	private String helo = "";

	private boolean tls;

	private @Nullable Path sender;

	private final List<String> recipients = new ArrayList<>();

	private @Nullable DataReader content;

	private int errors;

	/** Whether a sender was accepted in this session. */
	private boolean begun;

	private int idleCommands;

	Dialogue(SmtpServerOptions options, SmtpHandler handler, ConnectionLimits limits, InetSocketAddress address) {
		this.options = options;
		this.handler = handler;
		this.limits = limits;
		this.address = address;
		this.authentication = new Authentication(options, handler);
	}

	Action greeting() {
		return new Action.Send("220 " + this.options.name() + " ESMTP\r\n", false);
	}

	/** Reads up to the next action. */
	Action read(ByteBuf in) {
		DataReader reader = this.content;
		if (reader != null) {
			return reader.read(in) ? finish(reader) : new Action.ReadMore();
		}
		if (!this.line.read(in)) {
			return this.line.isFull() ? Action.replyAndClose(SmtpReply.LINE_TOO_LONG) : new Action.ReadMore();
		}
		boolean tooLong = this.line.isLong();
		String text = this.line.take();
		if (tooLong && !mayBeLong(text)) {
			return reply(SmtpReply.LINE_TOO_LONG);
		}
		if (IDLE_COMMANDS.contains(verb(text)) && ++this.idleCommands > this.options.limits().idleCommands()) {
			return Action.replyAndClose(SmtpReply.NO_MAIL);
		}
		return counted(execute(text));
	}

	/** Next action after the handler has replied. */
	Action completed(Action.Call call, SmtpReply reply) {
		return counted(call.then().apply(reply));
	}

	/** Whether the client is sending a message. */
	boolean isReceivingData() {
		return this.content != null;
	}

	/** Resets the session after the TLS handshake (RFC 3207 section 4.2). */
	void secured() {
		reset();
		this.tls = true;
		this.helo = "";
		this.authentication.reset();
	}

	/** Releases the memory of a message whose transfer was not completed. */
	void end() {
		if (this.content != null) {
			this.content.discard();
			this.content = null;
		}
	}

	/** Whether extensions permit this line to exceed the usual limit. */
	private boolean mayBeLong(String line) {
		return this.authentication.isInProgress() || List.of("MAIL", "RCPT", "AUTH").contains(verb(line));
	}

	/** Executes a command line. */
	private Action execute(String line) {
		if (this.authentication.isInProgress()) {
			return this.authentication.proceed(client(), line);
		}
		if (line.chars().anyMatch((character) -> character < ' ' && character != '\t')) {
			return Action.reply(SmtpReply.CONTROL_CHARACTER);
		}
		String verb = verb(line);
		if (HTTP.matcher(verb).matches()) {
			return Action.replyAndClose(SmtpReply.NOT_SMTP);
		}
		String arguments = arguments(line);
		return switch (verb) {
			case "EHLO", "HELO" -> greet(verb, arguments);
			case "STARTTLS" -> startTls(arguments);
			case "AUTH" -> (this.sender != null) ? Action.reply(SmtpReply.BAD_SEQUENCE)
					: this.authentication.begin(client(), arguments);
			case "MAIL" -> mail(arguments);
			case "RCPT" -> rcpt(arguments);
			case "DATA" -> data(arguments);
			case "RSET" -> {
				reset();
				yield Action.reply(SmtpReply.OK);
			}
			case "NOOP" -> Action.reply(SmtpReply.OK);
			case "VRFY" -> Action.reply(SmtpReply.CANNOT_VERIFY);
			case "HELP" -> Action.reply(SmtpReply.HELP);
			case "QUIT" -> Action.replyAndClose(SmtpReply.BYE);
			default -> Action.reply(SmtpReply.UNKNOWN_COMMAND);
		};
	}

	private SmtpClient client() {
		return new SmtpClient(this.address, this.helo, this.tls, this.authentication.principal());
	}

	private Action greet(String verb, String name) {
		if (name.isEmpty()) {
			return Action.reply(SmtpReply.NAME_REQUIRED);
		}
		reset();
		this.helo = name;
		if (verb.equals("HELO")) {
			return new Action.Send("250 " + this.options.name() + "\r\n", false);
		}
		List<String> lines = new ArrayList<>(List.of(this.options.name(), "PIPELINING",
				"SIZE " + this.options.maxBytes(), "8BITMIME", "ENHANCEDSTATUSCODES"));
		if (this.options.tls() != null && !this.tls) {
			lines.add("STARTTLS");
		}
		if (this.authentication.isOffered(this.tls)) {
			lines.add("AUTH PLAIN LOGIN");
		}
		return new Action.Send("250-" + String.join("\r\n250-", lines) + "\r\n250 SMTPUTF8\r\n", false);
	}

	private Action startTls(String arguments) {
		if (this.options.tls() == null) {
			return Action.reply(SmtpReply.NOT_OFFERED);
		}
		if (this.tls) {
			return Action.reply(SmtpReply.BAD_SEQUENCE);
		}
		return arguments.isEmpty() ? new Action.StartTls(SmtpReply.READY_FOR_TLS + "\r\n")
				: Action.reply(SmtpReply.NO_ARGUMENTS);
	}

	private Action mail(String arguments) {
		Path path = Path.parse("FROM:", arguments);
		SmtpReply refusal = refuseSender(path);
		if (refusal != null || path == null) {
			return Action.reply((refusal != null) ? refusal : SmtpReply.BAD_ADDRESS);
		}
		return new Action.Call(Mono.defer(() -> this.handler.sender(client(), path.address())), (reply) -> {
			this.sender = reply.isPositive() ? path : null;
			this.begun |= reply.isPositive();
			return Action.reply(reply);
		});
	}

	private @Nullable SmtpReply refuseSender(@Nullable Path path) {
		if (this.helo.isEmpty() || this.sender != null) {
			return SmtpReply.BAD_SEQUENCE;
		}
		if (this.handler.requiresAuth() && this.authentication.principal() == null) {
			return this.authentication.isOffered(this.tls) ? SmtpReply.AUTH_REQUIRED : SmtpReply.TLS_REQUIRED;
		}
		if (path == null) {
			return SmtpReply.BAD_ADDRESS;
		}
		if (!path.hasKnownParameters()) {
			return SmtpReply.UNKNOWN_PARAMETER;
		}
		if (path.needsUtf8() && !path.hasUtf8Parameter()) {
			return SmtpReply.NEEDS_SMTPUTF8;
		}
		return (path.size() > this.options.maxBytes()) ? SmtpReply.TOO_LARGE : null;
	}

	private Action rcpt(String arguments) {
		Path path = Path.parse("TO:", arguments);
		Path from = this.sender;
		if (from == null) {
			return Action.reply(SmtpReply.BAD_SEQUENCE);
		}
		if (path == null || path.address().isEmpty()) {
			return Action.reply(SmtpReply.BAD_ADDRESS);
		}
		if (!path.parameters().isEmpty()) {
			return Action.reply(SmtpReply.UNKNOWN_PARAMETER);
		}
		if (path.needsUtf8() && !from.hasUtf8Parameter()) {
			return Action.reply(SmtpReply.NEEDS_SMTPUTF8);
		}
		if (this.recipients.size() == this.options.maxRecipients()) {
			return Action.reply(SmtpReply.TOO_MANY_RECIPIENTS);
		}
		return new Action.Call(Mono.defer(
				() -> this.handler.recipient(client(), from.address(), List.copyOf(this.recipients), path.address())),
				(reply) -> {
					if (reply.isPositive()) {
						this.recipients.add(path.address());
					}
					return Action.reply(reply);
				});
	}

	private Action data(String arguments) {
		if (!arguments.isEmpty()) {
			return Action.reply(SmtpReply.NO_ARGUMENTS);
		}
		if (this.recipients.isEmpty()) {
			return Action.reply((this.sender != null) ? SmtpReply.NO_RECIPIENT : SmtpReply.BAD_SEQUENCE);
		}
		this.content = new DataReader(this.options.maxBytes(), this.limits,
				ConnectionLimits.owner(this.address.getAddress()));
		return new Action.Send(SmtpReply.START_MAIL_INPUT + "\r\n", false);
	}

	private Action finish(DataReader reader) {
		this.content = null;
		SmtpReply refusal = refuse(reader);
		if (refusal != null) {
			reader.discard();
			reset();
			return reply(refusal);
		}
		SmtpMail mail = new SmtpMail(client(), Objects.requireNonNull(this.sender).address(), this.recipients,
				reader.bytes());
		reset();
		if (mail.hasTooManyHops()) {
			reader.discard();
			return reply(SmtpReply.TOO_MANY_HOPS);
		}
		return handle(mail, reader);
	}

	private static @Nullable SmtpReply refuse(DataReader reader) {
		if (reader.isTooLarge()) {
			return SmtpReply.TOO_LARGE;
		}
		if (reader.hasBareLineEnd()) {
			return SmtpReply.BARE_LINE_END;
		}
		return reader.isOutOfMemory() ? SmtpReply.OUT_OF_MEMORY : null;
	}

	/**
	 * Hands a mail to the handler while the memory that it takes for that is available.
	 */
	private Action handle(SmtpMail mail, DataReader reader) {
		this.idleCommands = 0;
		long memory = (long) mail.content().length * this.handler.memoryFactor();
		String account = ConnectionLimits.owner(mail.client());
		if (!this.limits.beginHandling(account, memory)) {
			reader.discard();
			return reply(SmtpReply.OUT_OF_MEMORY);
		}
		return new Action.Call(Mono.defer(() -> this.handler.mail(mail)).doFinally((_) -> {
			reader.discard();
			this.limits.endHandling(account, memory);
		}), Action::reply, true);
	}

	/** Ends the current transaction. */
	private void reset() {
		this.sender = null;
		this.recipients.clear();
	}

	private Action reply(SmtpReply reply) {
		return counted(Action.reply(reply));
	}

	/** Counts the client's errors and closes the connection after too many. */
	private Action counted(Action action) {
		if (action instanceof Action.Send(var lines, var close) && lines.startsWith("5") && !close
				&& ++this.errors >= (this.begun ? MAX_ERRORS : MAX_EARLY_ERRORS)) {
			return new Action.Send(lines + SmtpReply.TOO_MANY_ERRORS + "\r\n", true);
		}
		return action;
	}

	/** First word of a line, in upper case. */
	static String verb(String line) {
		return line.strip().split(" ", 2)[0].toUpperCase(Locale.ROOT);
	}

	/** Rest of a line after the first word. */
	static String arguments(String line) {
		String[] words = line.strip().split(" ", 2);
		return (words.length > 1) ? words[1].strip() : "";
	}

	/** Buffer for a command line, which is terminated only by CRLF. */
	private static final class CommandLine {

		/** Limit of RFC 5321 section 4.5.3.1.4, including CRLF. */
		private static final int MAX_LENGTH = 512;

		/** Limit for MAIL, RCPT and AUTH with the parameters of extensions. */
		private static final int MAX_EXTENDED_LENGTH = 4096;

		private byte[] bytes = new byte[MAX_LENGTH];

		private int length;

		/** Reads up to the end of the line and returns whether it was reached. */
		boolean read(ByteBuf in) {
			while (in.isReadable() && this.length < MAX_EXTENDED_LENGTH) {
				if (this.length == this.bytes.length) {
					this.bytes = Arrays.copyOf(this.bytes, MAX_EXTENDED_LENGTH);
				}
				byte next = in.readByte();
				this.bytes[this.length++] = next;
				if (next == '\n' && this.length > 1 && this.bytes[this.length - 2] == '\r') {
					return true;
				}
			}
			return false;
		}

		/** Whether the buffer is full: no line may be this long. */
		boolean isFull() {
			return this.length == MAX_EXTENDED_LENGTH;
		}

		/** Whether the line exceeds the limit of commands without extensions. */
		boolean isLong() {
			return this.length > MAX_LENGTH;
		}

		/** Returns the line without CRLF and clears the buffer. */
		String take() {
			String text = new String(this.bytes, 0, this.length - 2, StandardCharsets.UTF_8);
			this.length = 0;
			if (this.bytes.length > MAX_LENGTH) {
				this.bytes = new byte[MAX_LENGTH];
			}
			return text;
		}

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

		/** Declared size of the message in bytes; 0 if not declared. */
		long size() {
			return this.parameters.stream()
				.filter((parameter) -> parameter.startsWith("SIZE="))
				.mapToLong((parameter) -> Long.parseLong(parameter.substring("SIZE=".length())))
				.findFirst()
				.orElse(0);
		}

	}

}
