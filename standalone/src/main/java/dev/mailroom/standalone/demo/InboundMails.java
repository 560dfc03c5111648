package dev.mailroom.standalone.demo;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Properties;

import jakarta.mail.Address;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Mails that arrive from outside, sent to the inbound SMTP server. */
final class InboundMails {

	/** From, To, Subject and text; some with the name and the text of a file. */
	private static final List<List<String>> MAILS = List.of(
			List.of("Mara Lindqvist <mara@northmail.example>", "hello@quillmoor.example", "Manuscript: The Ferry Years",
					"Dear editors,\n\nhere is a first chapter. May I send you the others?\n\nMara Lindqvist",
					"chapter-1.txt", "The ferry was late, as it was every year on the first of March."),
			List.of("Otto Brandt <otto.brandt@postamt.example>", "orders@quillmoor.example", "Re: Your order 20417",
					"The parcel arrived with a wet corner. Could you replace the atlas?\n\nOtto"),
			List.of("Harbour Books <buying@harbour.example>", "hello@quillmoor.example", "Spring order, 40 copies",
					"We would like forty copies of The Salt Road on the usual terms."),
			List.of("Aiko Tanaka <aiko@letterbox.example>", "letters@news.quillmoor.example", "翻訳について",
					"日本語版の権利についてお尋ねします。"),
			List.of("Win Now <prize@lucky-draw.example>", "hello@quillmoor.example", "You have WON!!!",
					"Click here to claim your prize within 24 hours."),
			List.of("Skerry Library <library@skerry.example>", "hello@quillmoor.example", "Reading on 14 March",
					"Would one of your authors read here in spring? We have forty chairs and a stove."),
			List.of("Quillmoor Press <orders@quillmoor.example>", "accounts@quillmoor.example", "Urgent payment",
					"Please pay the attached invoice today."),
			List.of("Inês Duarte <ines@correo.example>", "orders@quillmoor.example", "Change of address",
					"My new address is Rua do Cais 12, Porto."),
			List.of("Paper Mill <sales@mill.example>", "hello@quillmoor.example", "Prices from April",
					"The price of our book paper rises by three percent in April."),
			List.of("Rowan Pike <rowan.pike@alma.example>", "letters@news.quillmoor.example", "Thank you for the poems",
					"I read the seventh one twice on the ferry."));

	private InboundMails() {
	}

	/** Sends all mails; their verdicts are set with their times. */
	static void send(int port) throws IOException {
		for (List<String> mail : MAILS) {
			String text = "From: " + mail.get(0) + "\nTo: " + mail.get(1) + "\nSubject: " + mail.get(2)
					+ "\nMIME-Version: 1.0\n" + ((mail.size() > 4) ? withFile(mail) : plain(mail.get(3)));
			hand(port, mail.get(0), mail.get(1), text);
		}
	}

	private static String plain(String text) {
		return "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n" + text + "\n";
	}

	private static String withFile(List<String> mail) {
		return "Content-Type: multipart/mixed; boundary=part\n\n--part\n" + plain(mail.get(3))
				+ "--part\nContent-Disposition: attachment; filename=" + mail.get(4) + "\n" + plain(mail.get(5))
				+ "--part--\n";
	}

	/** Reports a mail as spam (RFC 5965). */
	static void complain(int port, String returnPath) throws IOException {
		hand(port, "feedback@postamt.example", returnPath, """
				From: feedback@postamt.example
				To: %1$s
				Subject: A recipient reported this mail
				MIME-Version: 1.0
				Content-Type: multipart/report; report-type=feedback-report; boundary=report

				--report
				Content-Type: text/plain

				This is a report of unwanted mail.
				--report
				Content-Type: message/feedback-report

				Feedback-Type: abuse
				User-Agent: Postamt/1.0
				Version: 1
				Original-Mail-From: <%1$s>

				--report--
				""".formatted(returnPath));
	}

	/** Returns a mail to its sender after it was accepted (RFC 3464). */
	static void bounce(int port, String returnPath) throws IOException {
		hand(port, "mailer-daemon@correo.example", returnPath, """
				From: Mail Delivery System <mailer-daemon@correo.example>
				To: %s
				Subject: Undelivered mail returned to sender
				MIME-Version: 1.0
				Content-Type: multipart/report; report-type=delivery-status; boundary=report

				--report
				Content-Type: text/plain

				The mailbox is full.
				--report
				Content-Type: message/delivery-status

				Reporting-MTA: dns; mx.correo.example

				Final-Recipient: rfc822; reader@correo.example
				Action: failed
				Status: 5.2.2
				Diagnostic-Code: smtp; 552 5.2.2 The mailbox is full

				--report--
				""".formatted(returnPath));
	}

	private static void hand(int port, String from, String to, String text) throws IOException {
		Properties settings = new Properties();
		settings.setProperty("mail.smtp.host", "127.0.0.1");
		settings.setProperty("mail.smtp.port", Integer.toString(port));
		settings.setProperty("mail.mime.allowutf8", "true");
		try {
			settings.setProperty("mail.smtp.from", new InternetAddress(from).getAddress());
			MimeMessage mail = new MimeMessage(Session.getInstance(settings),
					new ByteArrayInputStream(text.replace("\n", "\r\n").getBytes(UTF_8)));
			Transport.send(mail, new Address[] { new InternetAddress(to) });
		}
		catch (MessagingException ex) {
			throw new IOException("The inbound SMTP server refused a mail of the demo account", ex);
		}
	}

}
