package dev.mailroom.worker.smtp.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.mailroom.Mutations;
import dev.mailroom.Scope;
import dev.mailroom.worker.smtp.server.SmtpHandler.SmtpClient;
import dev.mailroom.worker.smtp.server.SmtpServerOptions.SmtpLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** Fuzzing of the bytes of SMTP sessions, with and without sign-in. */
class DialogueFuzzTest {

	private static final int MAX_BYTES = 2000;

	private static final int MAX_RECIPIENTS = 5;

	@FuzzTest(maxDuration = "10m")
	void sessions(byte[] input) {
		check(input);
	}

	@Test
	void mutatedSessions() {
		Mutations.check(getClass(), "sessions", 500, DialogueFuzzTest::check);
	}

	private static void check(byte[] input) {
		for (boolean signIn : new boolean[] { false, true }) {
			Run whole = new Run(signIn);
			whole.send(input);
			Run pieces = new Run(signIn);
			int size = 1 + (Arrays.hashCode(input) & 7);
			for (int from = 0; from < input.length; from += size) {
				pieces.send(Arrays.copyOfRange(input, from, Math.min(input.length, from + size)));
			}
			whole.end();
			pieces.end();
			assertThat(pieces.replies.toString()).as("replies do not depend on the division into packets")
				.isEqualTo(whole.replies.toString());
			assertThat(pieces.mails()).isEqualTo(whole.mails());
			whole.check(signIn);
		}
	}

	/** One session. */
	private static final class Run implements SmtpHandler {

		private final StringBuilder replies = new StringBuilder();

		private final List<SmtpMail> mails = new ArrayList<>();

		private final ConnectionLimits limits = new ConnectionLimits(SmtpLimits.usual());

		private final boolean signIn;

		private final Dialogue dialogue;

		private boolean signedIn;

		private boolean closed;

		Run(boolean signIn) {
			this.signIn = signIn;
			SmtpServerOptions options = new SmtpServerOptions("", 0, "mailroom", null, true, MAX_BYTES, MAX_RECIPIENTS,
					SmtpLimits.usual());
			this.dialogue = new Dialogue(options, this, this.limits,
					new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
		}

		@Override
		public boolean requiresAuth() {
			return this.signIn;
		}

		@Override
		public Mono<Scope> signIn(SmtpClient client, String user, String password) {
			this.signedIn |= password.equals("secret");
			return password.equals("secret") ? Mono.just(Scope.of(new UUID(0, 1))) : Mono.empty();
		}

		@Override
		public Mono<SmtpReply> mail(SmtpMail mail) {
			this.mails.add(mail);
			return Mono.just(new SmtpReply(250, "2.6.0", "Accepted"));
		}

		void send(byte[] input) {
			ByteBuf bytes = Unpooled.wrappedBuffer(input);
			while (bytes.isReadable() && !this.closed) {
				int before = bytes.readerIndex();
				Action action = this.dialogue.read(bytes);
				assertThat(action instanceof Action.ReadMore && bytes.isReadable()).as("unread input").isFalse();
				assertThat(bytes.readerIndex()).as("progress").isGreaterThan(before);
				perform(action);
			}
		}

		private void perform(Action action) {
			switch (action) {
				case Action.ReadMore _ -> {
				}
				case Action.Send(var lines, var close) -> {
					this.closed |= close;
					this.replies.append(lines);
				}
				case Action.Call call -> perform(this.dialogue.completed(call,
						Objects.requireNonNullElse(call.result().block(), SmtpReply.LOCAL_ERROR)));
				case Action.StartTls(var lines) -> this.replies.append(lines);
			}
		}

		void end() {
			this.dialogue.end();
		}

		List<String> mails() {
			return this.mails.stream()
				.map((mail) -> mail.mailFrom() + mail.rcptTo()
						+ new String(mail.content(), StandardCharsets.ISO_8859_1))
				.toList();
		}

		void check(boolean signIn) {
			assertThat(this.replies.toString()).matches("(?:[2-5]\\d\\d[ -][ -~]*\\r\\n)*+");
			assertThat(this.mails.isEmpty() || this.signedIn || !signIn).as("mail without sign-in").isTrue();
			for (SmtpMail mail : this.mails) {
				String content = new String(mail.content(), StandardCharsets.ISO_8859_1);
				assertThat(content.length()).isLessThanOrEqualTo(MAX_BYTES);
				assertThat(content.replace("\r\n", "")).as("only CRLF ends a line").doesNotContain("\r", "\n");
				assertThat(content.isEmpty() || content.endsWith("\r\n")).as("complete lines").isTrue();
				assertThat(mail.rcptTo()).isNotEmpty().hasSizeLessThanOrEqualTo(MAX_RECIPIENTS);
				assertThat(mail.rcptTo()).allMatch((address) -> !address.isEmpty());
				assertThat(mail.mailFrom() + mail.rcptTo()).matches("[^\\x00-\\x08\\x0a-\\x1f]*+");
			}
		}

	}

}
