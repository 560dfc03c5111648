package dev.mailroom.spring.test;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.jayway.jsonpath.JsonPath;

/** The mailbox of a standalone Mailroom, which catches every mail. */
public final class Mailbox {

	private static final Duration LONGEST_POLL = Duration.ofSeconds(20);

	private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final String url;

	/**
	 * Creates a client.
	 * @param url the address of the mailbox, such as {@code http://localhost:8025}
	 */
	public Mailbox(String url) {
		this.url = url.replaceAll("/+$", "");
	}

	/** Waits up to 30 s for a mail to this recipient, and returns the newest one. */
	public TestMail waitFor(String recipient) {
		return waitFor(MailQuery.to(recipient));
	}

	/**
	 * Waits for a mail, and returns the newest one that fits.
	 * @throws AssertionError if none arrives in time
	 */
	public TestMail waitFor(MailQuery query) {
		long deadline = System.nanoTime() + query.timeout().toNanos();
		Duration left = query.timeout();
		do {
			long seconds = Math.min(left.plusMillis(999).toSeconds(), LONGEST_POLL.toSeconds());
			List<Map<String, Object>> found = messages(query, seconds);
			if (!found.isEmpty()) {
				return mail(found.get(0));
			}
			left = Duration.ofNanos(deadline - System.nanoTime());
		}
		while (left.toMillis() > 0);
		throw new AssertionError("No mail arrived at " + this.url + " in " + query.timeout() + ": " + query);
	}

	/** Deletes the mails to this recipient. */
	public void delete(String recipient) {
		send(HttpRequest.newBuilder(URI.create(this.url + "/messages?to=" + encoded(recipient))).DELETE());
	}

	private List<Map<String, Object>> messages(MailQuery query, long seconds) {
		String address = this.url + "/messages?wait=" + seconds + "&to=" + encoded(query.to())
				+ ((query.subject() != null) ? "&subject=" + encoded(query.subject()) : "") + ((query.since() != null)
						? "&since=" + encoded(query.since().truncatedTo(ChronoUnit.MILLIS).toString()) : "");
		byte[] body = send(HttpRequest.newBuilder(URI.create(address)));
		return JsonPath.parse(new String(body, StandardCharsets.UTF_8)).read("$.messages");
	}

	private TestMail mail(Map<String, Object> json) {
		Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		headers.putAll(JsonPath.read(json, "$.headers"));
		String path = this.url + "/messages/" + json.get("id") + "/attachments/";
		List<TestMail.Attachment> attachments = new ArrayList<>();
		List<Map<String, Object>> files = JsonPath.read(json, "$.attachments");
		for (Map<String, Object> file : files) {
			attachments.add(new TestMail.Attachment(String.valueOf(file.get("filename")),
					String.valueOf(file.get("content_type")),
					send(HttpRequest.newBuilder(URI.create(path + attachments.size())))));
		}
		return new TestMail(headers.getOrDefault("From", String.valueOf(json.get("mail_from"))),
				JsonPath.read(json, "$.rcpt_to"), String.valueOf(json.get("subject")), String.valueOf(json.get("text")),
				String.valueOf(json.get("html")), headers, attachments);
	}

	private byte[] send(HttpRequest.Builder request) {
		try {
			HttpResponse<byte[]> response = this.http.send(request.build(), BodyHandlers.ofByteArray());
			if (response.statusCode() / 100 != 2) {
				throw new AssertionError("The mailbox answered " + response.statusCode() + " to " + response.uri());
			}
			return response.body();
		}
		catch (IOException ex) {
			throw new AssertionError("There is no mailbox at " + this.url, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError("The thread was interrupted", ex);
		}
	}

	private static String encoded(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

}
