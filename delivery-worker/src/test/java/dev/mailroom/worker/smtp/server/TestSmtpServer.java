package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.mailroom.Scope;
import dev.mailroom.worker.TestCertificate;
import dev.mailroom.worker.smtp.server.SmtpHandler.SmtpClient;
import dev.mailroom.worker.smtp.server.SmtpServerOptions.SmtpLimits;
import io.netty.handler.ssl.SslContext;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.util.FileSystemUtils;

/**
 * A server with TLS and AUTH on a real socket. It accepts every mail; its user is ada
 * with the password right.
 */
final class TestSmtpServer implements AutoCloseable, SmtpHandler {

	static final Scope ADA = Scope.of(UUID.randomUUID());

	private static final SslContext TLS = tls();

	private final List<SmtpMail> mails = new CopyOnWriteArrayList<>();

	private final SmtpServer server;

	private volatile Sinks.Empty<Void> replies = completed();

	TestSmtpServer() {
		this(SmtpLimits.usual());
	}

	TestSmtpServer(SmtpLimits limits) {
		this.server = new SmtpServer(
				new SmtpServerOptions("127.0.0.1", 0, "mx.x.test", TLS, false, 1_000_000, 10, limits), this);
		this.server.start();
	}

	private static Sinks.Empty<Void> completed() {
		Sinks.Empty<Void> completed = Sinks.empty();
		completed.tryEmitEmpty();
		return completed;
	}

	private static SslContext tls() {
		try {
			Path directory = Files.createTempDirectory("certificate");
			try {
				return TestCertificate.of("mx.x.test", directory).nettyContext();
			}
			finally {
				FileSystemUtils.deleteRecursively(directory);
			}
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Accepted mails. */
	List<SmtpMail> mails() {
		return this.mails;
	}

	int port() {
		return this.server.port();
	}

	/** A client that has read the greeting. */
	SmtpTestClient connect() throws IOException {
		SmtpTestClient client = new SmtpTestClient(port());
		client.expect("220 mx.x.test ESMTP");
		return client;
	}

	/** A client after STARTTLS and EHLO. */
	SmtpTestClient connectWithTls() throws IOException {
		SmtpTestClient client = connect();
		client.send("STARTTLS\r\n");
		client.expect("220 ");
		client.startTls();
		client.send("EHLO me\r\n");
		client.expect("250 ");
		return client;
	}

	/** A client after AUTH. */
	SmtpTestClient authenticate() throws IOException {
		SmtpTestClient client = connectWithTls();
		client.send("AUTH PLAIN " + SmtpTestClient.plain("ada", "right") + "\r\n");
		client.expect("235 ");
		return client;
	}

	@Override
	public boolean requiresAuth() {
		return true;
	}

	@Override
	public Mono<Scope> signIn(SmtpClient client, String user, String password) {
		return Mono.just(ADA).filter((_) -> user.equals("ada") && password.equals("right"));
	}

	/** Fails for a sender that begins with broken. */
	@Override
	public Mono<SmtpReply> sender(SmtpClient client, String sender) {
		return sender.startsWith("broken") ? Mono.error(new IllegalStateException("broken")) : Mono.just(OK);
	}

	/** Refuses a recipient that begins with refused; replies from another thread. */
	@Override
	public Mono<SmtpReply> recipient(SmtpClient client, String sender, List<String> earlier, String recipient) {
		return Mono.just(recipient.startsWith("refused") ? new SmtpReply(550, "5.1.1", "No such mailbox") : OK)
			.delayElement(Duration.ofMillis(1));
	}

	@Override
	public Mono<SmtpReply> mail(SmtpMail mail) {
		this.mails.add(mail);
		return this.replies.asMono().thenReturn(new SmtpReply(250, "2.6.0", "Accepted"));
	}

	/** Withholds the replies to mails until the result is completed. */
	Sinks.Empty<Void> withholdReplies() {
		this.replies = Sinks.empty();
		return this.replies;
	}

	@Override
	public int memoryFactor() {
		return 4;
	}

	@Override
	public void close() {
		this.server.close();
	}

}
