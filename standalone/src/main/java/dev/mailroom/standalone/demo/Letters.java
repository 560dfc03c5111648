package dev.mailroom.standalone.demo;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Texts of the mails that the demo account sends. */
final class Letters {

	static final String DOMAIN = "quillmoor.example";

	static final String NEWS_DOMAIN = "news.quillmoor.example";

	private static final String SENDER = "Quillmoor Press <orders@" + DOMAIN + ">";

	private static final List<String> BOOKS = List.of("The Salt Road", "A Field Guide to Fog", "Letters from Skerry",
			"The Clockmaker's Daughters", "Small Hours", "An Atlas of Tides", "The Lantern Year", "Winter Orchard");

	private static final String SITE = "https://quillmoor.example/";

	private static final String MONTHLY = "What we read this month";

	private static final String MONTHLY_TEASER = "Five books about weather, and one about its absence.";

	private static final List<String> COUNTRIES = List.of("Portugal", "Japan", "Norway", "Scotland", "Ghana");

	private Letters() {
	}

	/**
	 * Returns a mail to a customer; the tag kind names its occasion.
	 */
	static Map<String, Object> transactional(DemoPerson person, int number, Random random,
			Map<String, String> templates) {
		String book = BOOKS.get(random.nextInt(BOOKS.size()));
		String order = Integer.toString(20_000 + number);
		return switch (random.nextInt(10)) {
			case 0, 1, 2, 3 ->
				fromTemplate(person, templates.getOrDefault("Order confirmation", ""), "order", Map.of("first_name",
						person.first(), "order", order, "book", book, "total", 12 + random.nextInt(60) + ".50 €"));
			case 4, 5 -> mail(person, "Your order " + order + " is on its way", "shipping",
					"<p>Dear " + person.first() + ",</p><p><b>" + book + "</b> left our warehouse today. "
							+ "<a href=\"https://quillmoor.example/orders/" + order + "\">Follow the parcel</a>.</p>");
			case 6 -> invoice(person, order);
			case 7, 8 -> fromTemplate(person, templates.getOrDefault("Password reset", ""), "account",
					Map.of("first_name", person.first(), "code", 100_000 + random.nextInt(900_000)));
			default -> mail(person, "How did you like “" + book + "”?", "review",
					"<p>Dear " + person.first() + ",</p><p>Other readers would like to know. "
							+ "<a href=\"https://quillmoor.example/review/" + order + "\">Write a line</a>.</p>");
		};
	}

	/** Returns a plain mail to an address. */
	static Map<String, Object> note(String recipient, String subject, String text) {
		Map<String, Object> mail = new TreeMap<>();
		mail.put("from", SENDER);
		mail.put("to", recipient);
		mail.put("subject", subject);
		mail.put("text", text);
		mail.put("html", "<p>" + text + "</p>");
		return mail;
	}

	private static Map<String, Object> mail(DemoPerson person, String subject, String kind, String html) {
		Map<String, Object> mail = note(person.mailbox(), subject, "");
		mail.remove("text");
		mail.put("html", page(subject, html));
		mail.put("tags", Map.of("kind", kind));
		return mail;
	}

	private static Map<String, Object> fromTemplate(DemoPerson person, String template, String kind,
			Map<String, Object> variables) {
		return new TreeMap<>(Map.of("from", SENDER, "to", person.mailbox(), "template_id", template, "variables",
				variables, "tags", Map.of("kind", kind)));
	}

	private static Map<String, Object> invoice(DemoPerson person, String order) {
		Map<String, Object> mail = mail(person, "Invoice " + order, "invoice",
				"<p>Dear " + person.first() + ",</p><p>Your invoice is attached. Thank you for reading with us.</p>");
		String lines = "Quillmoor Press\nInvoice " + order + "\n\n1 book, 24.00 EUR\n";
		mail.put("attachments", List.of(Map.of("filename", "invoice-" + order + ".txt", "content_type", "text/plain",
				"content", Base64.getEncoder().encodeToString(lines.getBytes(UTF_8)))));
		mail.put("cc", "Accounts <accounts@" + DOMAIN + ">");
		return mail;
	}

	/** Templates of the account, with the fields of the API. */
	static List<Map<String, Object>> templates() {
		return List.of(template("Order confirmation", "Your order {{order}}",
				"Dear {{first_name}},\n\nthank you for ordering {{book}}. We charge {{total}} when it leaves our "
						+ "warehouse.\n\nhttps://quillmoor.example/orders/{{order}}\n",
				"<p>Dear {{first_name}},</p><p>thank you for ordering <b>{{book}}</b>. We charge {{total}} "
						+ "when it leaves our warehouse.</p><p><a href=\"https://quillmoor.example/orders/"
						+ "{{order}}\">See your order</a></p>"),
				template("Password reset", "Your code: {{code}}",
						"Dear {{first_name}},\n\nthe code to set a new password is {{code}}. It is valid for 15 minutes.\n",
						"<p>Dear {{first_name}},</p><p>the code to set a new password is <b>{{code}}</b>. "
								+ "It is valid for 15 minutes.</p>"),
				Map.of("name", "Monthly letter", "subject", "{{first_name|Hello}}, here is what we read this month",
						"html_content", letter(MONTHLY, MONTHLY_TEASER, "monthly"), "text_content",
						letterText(MONTHLY, MONTHLY_TEASER, "monthly")),
				template("Invitation", "You are invited: {{event}}",
						"Dear {{first_name}},\n\nwe would be glad to see you.\n\nhttps://quillmoor.example/events\n",
						"<p>Dear {{first_name}},</p><p>we would be glad to see you at {{event}}.</p>"
								+ "<p><a href=\"https://quillmoor.example/events\">Keep a seat</a></p>"));
	}

	private static Map<String, Object> template(String name, String subject, String text, String html) {
		return Map.of("name", name, "subject", subject, "html_content", page(name, html), "text_content", text);
	}

	/** Returns the HTML of a newsletter with links and a link to unsubscribe. */
	static String letter(String title, String teaser, String path) {
		return page(title,
				"<div style=\"display: none\">" + teaser + "</div><h1>" + title
						+ "</h1><p>Dear {{first_name|reader}},</p><p>" + teaser + "</p><p><a href=\"" + SITE + path
						+ "\">Read on</a> · <a href=\"" + SITE + "shop\">Visit the shop</a></p>"
						+ "<p><small><a href=\"{{unsubscribe_url}}\">Unsubscribe</a></small></p>");
	}

	/** Returns the text of a newsletter. */
	static String letterText(String title, String teaser, String path) {
		return title + "\n\nDear {{first_name|reader}},\n\n" + teaser + "\n\nRead on: " + SITE + path
				+ "\nUnsubscribe: {{unsubscribe_url}}\n";
	}

	/** Returns a contact as the API expects it. */
	static Map<String, Object> contact(DemoPerson person, int number, String interest) {
		return Map.of("email", person.email(), "firstName", person.first(), "lastName", person.last(), "subscribed",
				number % 23 != 4, "properties",
				Map.of("interest", interest, "country", COUNTRIES.get(number % COUNTRIES.size())));
	}

	private static String page(String title, String body) {
		return "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title + "</title></head>"
				+ "<body style=\"font-family: Georgia, serif; color: #23302c; background: #fdfcf8; max-width: 34rem; margin: 0 auto; "
				+ "padding: 2rem\">" + body
				+ "<p style=\"color: #5e6b67\">Quillmoor Press, 3 Harbour Row, Skerry</p></body></html>";
	}

}
