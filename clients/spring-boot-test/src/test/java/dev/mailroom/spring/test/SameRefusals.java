package dev.mailroom.spring.test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import dev.mailroom.sdk.Attachment;
import dev.mailroom.sdk.Email;
import dev.mailroom.sdk.Mailroom;
import dev.mailroom.sdk.MailroomException;

/**
 * Compares the outbox with a server, and looks at a mail of the server in its mailbox:
 * MAILROOM_URL, MAILROOM_API_KEY, DOMAIN and MAILBOX.
 */
public final class SameRefusals {

	private static final String FROM = "Ada <ada@" + System.getenv("DOMAIN") + ">";

	private SameRefusals() {
	}

	public static void main(String[] args) {
		Mailroom server = Mailroom.create();
		Mailroom outbox = Mailroom.builder()
			.http(new OutboxHttpClient(new Outbox()))
			.apiKey("ek_outbox_key")
			.url("http://o.test/api")
			.build();
		List<String> many = IntStream.range(0, 51).mapToObj((it) -> it + "@x.test").toList();
		List<Attachment> files = IntStream.range(0, 11).mapToObj((it) -> file(1)).toList();
		List<Email> mails = List.of(new Email(), mail(), mail().to(many), mail().to("ann"), mail().from("ada"),
				mail().to(List.of()), mail().cc(many.subList(0, 50)), mail().subject(""),
				mail().subject("x".repeat(999)), mail().text(""), mail().text("").html("<p>Hi"),
				mail().attachments(files), mail().attachments(List.of(file(11 << 20))));
		for (Email mail : mails) {
			same(() -> result(server, mail), () -> result(outbox, mail));
		}
		String head = "From: " + FROM + "\r\n";
		for (String message : List.of("", head + "To: ann@x.test\r\nSubject: Hi\r\n\r\nHi\r\n",
				head + "Bcc: ann@x.test\r\nSubject: Hi\r\n\r\nHi\r\n", head + "Subject: Hi\r\n\r\nHi\r\n",
				head + "To: " + String.join(",", many) + "\r\nSubject: Hi\r\n\r\nHi\r\n")) {
			same(() -> result(server, message), () -> result(outbox, message));
		}
		mailbox(server);
		System.out.println("refusals passed");
	}

	private static void mailbox(Mailroom server) {
		Mailbox mailbox = new Mailbox(System.getenv("MAILBOX"));
		server.emails()
			.send(mail().to("code@x.test")
				.text("Your code is 123456: https://x.test/reset/1")
				.attachments(List.of(file(3))));
		TestMail mail = mailbox.waitFor(MailQuery.to("code@x.test").subject("hi"))
			.hasLink("/reset/")
			.hasAttachment("a");
		check(mail.code("\\d{6}").equals("123456") && mail.attachments().get(0).content().length == 3, mail.toString());
		mailbox.delete("code@x.test");
		try {
			mailbox.waitFor(MailQuery.to("code@x.test").timeout(Duration.ofMillis(1)));
			throw new IllegalStateException("The mail was not deleted");
		}
		catch (AssertionError ex) {
			check(ex.getMessage().contains("code@x.test"), ex.getMessage());
		}
	}

	private static Email mail() {
		return new Email().from(FROM).to("ann@x.test").subject("Hi").text("Hello");
	}

	private static Attachment file(int bytes) {
		byte[] content = new byte[bytes];
		Arrays.fill(content, (byte) 'x');
		return new Attachment().filename("a").content(Base64.getEncoder().encodeToString(content));
	}

	private static String result(Mailroom mailroom, Email mail) {
		return result(() -> mailroom.emails().send(mail));
	}

	private static String result(Mailroom mailroom, String message) {
		return result(() -> mailroom.emails().sendMime(message.getBytes(StandardCharsets.UTF_8)));
	}

	private static String result(Runnable call) {
		try {
			call.run();
			return "sent";
		}
		catch (MailroomException ex) {
			return ex.statusCode() + " " + ex.name() + " "
					+ new TreeSet<>(ex.details().stream().map(MailroomException.FieldError::field).toList());
		}
	}

	private static void same(Supplier<String> server, Supplier<String> outbox) {
		String expected = server.get();
		check(expected.equals(outbox.get()), "The server says " + expected + ", the outbox " + outbox.get());
	}

	private static void check(boolean holds, String message) {
		if (!holds) {
			throw new IllegalStateException(message);
		}
	}

}
