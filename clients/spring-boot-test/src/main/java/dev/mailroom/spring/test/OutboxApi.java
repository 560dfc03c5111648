package dev.mailroom.spring.test;

import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import com.jayway.jsonpath.JsonPath;

/** The operations that send, and that of the key; no other is known. */
final class OutboxApi {

	private final Outbox outbox;

	/** Answers by route and Idempotency-Key. */
	private final Map<String, Answer> answered = new ConcurrentHashMap<>();

	OutboxApi(Outbox outbox) {
		this.outbox = outbox;
	}

	Answer answer(HttpRequest request, byte[] body) {
		String route = request.method() + " " + request.uri().getPath();
		String key = route + " " + request.headers().firstValue("Idempotency-Key").orElse(UUID.randomUUID().toString());
		Answer earlier = this.answered.get(key);
		if (earlier != null) {
			return new Answer(earlier.status, earlier.body, Map.of("Idempotency-Replayed", List.of("true")));
		}
		Answer answer = switch (route) {
			case "POST /api/emails" -> one(DraftMail.of(JsonPath.parse(text(body)).read("$")));
			case "POST /api/emails/mime" -> one(DraftMail.read(body, recipients(request.uri())));
			case "POST /api/emails/batch" -> batch(JsonPath.parse(text(body)).read("$"));
			case "GET /api/api-keys/current" -> json(200,
					Map.of("success", true, "data", Map.of("apiKey",
							Map.of("id", UUID.randomUUID().toString(), "account", true, "key_prefix", "ek_outbox",
									"key_name", "outbox", "permissions", List.of("emails.send"), "created_at", now()),
							"account", Map.of("id", UUID.randomUUID().toString(), "plan", "test"))));
			default -> refused(404, "not_found", "The outbox of tests only takes mails, and does not know " + route,
					List.of());
		};
		if (answer.status == 200) {
			this.answered.put(key, answer);
		}
		return answer;
	}

	private Answer one(DraftMail mail) {
		List<Map<String, String>> faults = mail.faults();
		return faults.isEmpty() ? json(200, accepted(mail)) : refused(400, "validation_error", message(faults), faults);
	}

	private Answer batch(List<Map<String, Object>> mails) {
		List<Object> results = new ArrayList<>();
		for (Map<String, Object> fields : mails) {
			DraftMail mail = DraftMail.of(fields);
			List<Map<String, String>> faults = mail.faults();
			results.add(faults.isEmpty() ? Map.of("emailId", accepted(mail).get("id")) : Map.of("error", Map.of("name",
					"validation_error", "error", "Validation error", "message", message(faults), "statusCode", 400)));
		}
		return json(200, Map.of("data", results));
	}

	private Map<String, Object> accepted(DraftMail mail) {
		this.outbox.add(mail.sent());
		return Map.of("id", UUID.randomUUID().toString(), "from", mail.from(), "to", mail.to(), "created_at", now());
	}

	private static String message(List<Map<String, String>> faults) {
		return faults.stream()
			.map((it) -> it.get("field") + ": " + it.get("message"))
			.collect(Collectors.joining("; "));
	}

	private static Answer refused(int status, String name, String message, List<Map<String, String>> details) {
		return json(status,
				Map.of("success", false, "name", name, "statusCode", status, "message", message, "details", details));
	}

	private static Answer json(int status, Map<String, Object> body) {
		return new Answer(status, JsonPath.parse(body).jsonString(), Map.of());
	}

	private static String now() {
		return Instant.now().toString();
	}

	private static String text(byte[] body) {
		return new String(body, StandardCharsets.UTF_8);
	}

	private static List<String> recipients(URI uri) {
		return (uri.getRawQuery() == null) ? List.of()
				: Arrays.stream(uri.getRawQuery().split("&"))
					.filter((it) -> it.startsWith("to="))
					.map((it) -> URLDecoder.decode(it.substring("to=".length()), StandardCharsets.UTF_8))
					.toList();
	}

	/** A response. */
	record Answer(int status, String body, Map<String, List<String>> headers) {
	}

}
