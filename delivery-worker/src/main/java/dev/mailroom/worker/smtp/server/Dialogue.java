package dev.mailroom.worker.smtp.server;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.Function;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Server side of one SMTP session, without I/O: reads bytes and returns the next action.
 * While an {@link Action.Call} is pending, no more bytes must be passed in.
 */
final class Dialogue {

	private static final int MAX_ERRORS = 20;

	/** Commands that do not belong to a mail. */
	private static final Set<String> IDLE_COMMANDS = Set.of("NOOP", "RSET", "VRFY", "HELP", "EHLO", "HELO");

	private final SmtpServerOptions options;

	private final SmtpHandler handler;

	private final ConnectionLimits limits;

	private final String owner;

	private final Commands commands;

	private final CommandLine line = new CommandLine();

	private @Nullable DataReader content;

	private int errors;

	private int idleCommands;

	Dialogue(SmtpServerOptions options, SmtpHandler handler, ConnectionLimits limits, SmtpSessionState session) {
		this.options = options;
		this.handler = handler;
		this.limits = limits;
		this.owner = ConnectionLimits.owner(session.client().address().getAddress());
		this.commands = new Commands(options, handler, session);
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
			return this.line.isFull() ? Action.replyAndClose(Replies.LINE_TOO_LONG) : new Action.ReadMore();
		}
		boolean tooLong = this.line.isLong();
		String text = this.line.take();
		if (tooLong && !this.commands.mayBeLong(text)) {
			return reply(Replies.LINE_TOO_LONG);
		}
		if (IDLE_COMMANDS.contains(CommandLine.verb(text))
				&& ++this.idleCommands > this.options.limits().idleCommands()) {
			return Action.replyAndClose(Replies.NO_MAIL);
		}
		Action action = this.commands.execute(text);
		if (this.commands.isReceivingData()) {
			this.content = new DataReader(this.options.maxBytes(), this.limits, this.owner);
		}
		return counted(action);
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
		this.commands.secured();
	}

	/** Releases the memory of a message whose transfer was not completed. */
	void end() {
		if (this.content != null) {
			this.content.discard();
			this.content = null;
		}
	}

	private Action finish(DataReader reader) {
		this.content = null;
		SmtpReply refusal = refuse(reader);
		if (refusal != null) {
			reader.discard();
			this.commands.reset();
			return reply(refusal);
		}
		SmtpMail mail = this.commands.mail(reader.bytes());
		this.commands.reset();
		if (Hops.exceedLimit(mail.content())) {
			reader.discard();
			return reply(Replies.TOO_MANY_HOPS);
		}
		return handle(mail, reader);
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
			return reply(Replies.OUT_OF_MEMORY);
		}
		return new Action.Call(Mono.defer(() -> this.handler.mail(mail)).doFinally((_) -> {
			reader.discard();
			this.limits.endHandling(account, memory);
		}), Action::reply, true);
	}

	private static @Nullable SmtpReply refuse(DataReader reader) {
		if (reader.isTooLarge()) {
			return Replies.TOO_LARGE;
		}
		if (reader.hasBareLineEnd()) {
			return Replies.BARE_LINE_END;
		}
		return reader.isOutOfMemory() ? Replies.OUT_OF_MEMORY : null;
	}

	private Action reply(SmtpReply reply) {
		return counted(Action.reply(reply));
	}

	/** Counts the client's errors and closes the connection after too many. */
	private Action counted(Action action) {
		if (action instanceof Action.Send(var lines, var close) && lines.startsWith("5") && !close
				&& ++this.errors == MAX_ERRORS) {
			return new Action.Send(lines + Replies.TOO_MANY_ERRORS + "\r\n", true);
		}
		return action;
	}

	/** Next action of the connection. */
	sealed interface Action {

		/** An action that sends a reply. */
		static Action reply(SmtpReply reply) {
			return new Send(reply + "\r\n", false);
		}

		/** An action that sends a reply and closes the connection. */
		static Action replyAndClose(SmtpReply reply) {
			return new Send(reply + "\r\n", true);
		}

		/** Waits for more bytes. */
		record ReadMore() implements Action {
		}

		/**
		 * Sends lines.
		 *
		 * @param lines each terminated by CRLF
		 * @param close whether the connection is closed afterwards
		 */
		record Send(String lines, boolean close) implements Action {
		}

		/**
		 * Calls the handler. Nothing is read until it has replied.
		 *
		 * @param then maps the handler's reply to the next action
		 * @param isMail whether the handler is given a complete mail
		 */
		record Call(Mono<SmtpReply> result, Function<SmtpReply, Action> then, boolean isMail) implements Action {

			Call(Mono<SmtpReply> result, Function<SmtpReply, Action> then) {
				this(result, then, false);
			}
		}

		/** Sends lines and begins TLS; unread bytes are discarded. */
		record StartTls(String lines) implements Action {
		}

	}

	/**
	 * Number of servers that a mail has passed, according to its Received fields. A large
	 * number indicates a mail loop (RFC 5321 section 6.3).
	 */
	private static final class Hops {

		private static final int MAX_HOPS = 100;

		private static final byte[] RECEIVED = "received:".getBytes(StandardCharsets.US_ASCII);

		private Hops() {
		}

		/**
		 * Whether the mail has passed more than the permitted number of servers.
		 * @param content lines terminated by CRLF
		 */
		static boolean exceedLimit(byte[] content) {
			int hops = 0;
			for (int line = 0; line < content.length && content[line] != '\r'
					&& hops <= MAX_HOPS; line = nextLine(content, line)) {
				hops += isReceived(content, line) ? 1 : 0;
			}
			return hops > MAX_HOPS;
		}

		private static int nextLine(byte[] content, int line) {
			int end = line;
			while (end < content.length && content[end] != '\n') {
				end++;
			}
			return end + 1;
		}

		private static boolean isReceived(byte[] content, int line) {
			if (line + RECEIVED.length > content.length) {
				return false;
			}
			for (int i = 0; i < RECEIVED.length; i++) {
				if (Character.toLowerCase(content[line + i]) != RECEIVED[i]) {
					return false;
				}
			}
			return true;
		}

	}

}
