package dev.mailroom.worker.smtpd;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The server's side of one SMTP session: bytes in, what to do next out. Knows nothing of
 * sockets. Until what it has asked for is answered it must not hear more.
 */
final class Dialogue {

	private static final int MOST_ERRORS = 20;

	private final SmtpServerOptions terms;

	private final SmtpHandler handler;

	private final ConnectionLimits room;

	private final String owner;

	private final Commands commands;

	private final CommandLine line = new CommandLine();

	private @Nullable DataReader content;

	private int errors;

	Dialogue(SmtpServerOptions terms, SmtpHandler handler, ConnectionLimits room, SmtpSessionState visit) {
		this.terms = terms;
		this.handler = handler;
		this.room = room;
		this.owner = ConnectionLimits.owner(visit.client().address().getAddress());
		this.commands = new Commands(terms, handler, visit);
	}

	Step greeting() {
		return new Step.Say("220 " + this.terms.name() + " ESMTP\r\n", false);
	}

	/** Takes what has come up to where something is to be done. */
	Step hear(ByteBuf in) {
		DataReader whole = this.content;
		if (whole != null) {
			return whole.endsIn(in) ? finish(whole) : new Step.More();
		}
		if (!this.line.endsIn(in)) {
			return this.line.isEndless() ? new Step.Say(Replies.LINE_TOO_LONG + "\r\n", true) : new Step.More();
		}
		boolean tooLong = this.line.isLong();
		String text = this.line.take();
		if (tooLong && !this.commands.mayBeLong(text)) {
			return say(Replies.LINE_TOO_LONG);
		}
		return doing(this.commands.act(text));
	}

	/** Goes on with what was asked for. */
	Step answered(Step.Ask ask, SmtpReply reply) {
		return counted(ask.then().apply(reply));
	}

	/** Whether a client that is silent now is silent inside a mail. */
	boolean isInsideAMail() {
		return this.content != null;
	}

	/** Begins anew on a connection that is encrypted by now (RFC 3207 4.2). */
	void secured() {
		this.commands.secured();
	}

	/** Gives back what a session holds that ends here. */
	void end() {
		if (this.content != null) {
			this.content.forget();
			this.content = null;
		}
	}

	private Step doing(Commands.Act act) {
		return switch (act) {
			case Commands.Act.Begin _ -> begin();
			case Commands.Act.Next(var step) -> counted(step);
		};
	}

	private Step begin() {
		this.content = new DataReader(this.terms.mostBytes(), this.room, this.owner);
		return new Step.Say(Replies.GO_AHEAD + "\r\n", false);
	}

	private Step finish(DataReader whole) {
		this.content = null;
		if (whole.isTooLarge() || whole.hasBareLineEnd() || whole.foundNoRoom()) {
			SmtpReply no = whole.isTooLarge() ? Replies.TOO_LARGE
					: whole.hasBareLineEnd() ? Replies.BARE_LINE_END : Replies.NO_ROOM;
			whole.forget();
			this.commands.forget();
			return say(no);
		}
		SmtpMail mail = this.commands.mail(whole.bytes());
		this.commands.forget();
		if (ReceivedCount.areTooMany(mail.content())) {
			whole.forget();
			return say(Replies.TOO_MANY_HOPS);
		}
		return new Step.Ask(Mono.defer(() -> this.handler.mail(mail)).doFinally((_) -> whole.forget()), Commands::said);
	}

	private Step say(SmtpReply reply) {
		return counted(Commands.said(reply));
	}

	/** Counts a client's errors, and has enough of it at some point. */
	private Step counted(Step step) {
		if (step instanceof Step.Say(var lines, var last) && lines.startsWith("5") && !last
				&& ++this.errors == MOST_ERRORS) {
			return new Step.Say(lines + Replies.TOO_MANY_ERRORS + "\r\n", true);
		}
		return step;
	}

}
