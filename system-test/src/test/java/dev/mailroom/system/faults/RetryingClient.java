package dev.mailroom.system.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.Await;
import dev.mailroom.process.Program;
import dev.mailroom.process.Web;
import tools.jackson.databind.JsonNode;

/**
 * HTTP client that uses the instances of the API in turn. A request that fails is
 * repeated with the same {@code Idempotency-Key} at the next instance until it is
 * accepted.
 */
final class RetryingClient implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofMinutes(3);

	private final List<Web> apis;

	private int requests;

	/**
	 * Creates a client.
	 * @param first position of the instance that gets the first request
	 */
	RetryingClient(Testbed testbed, int first) {
		this.apis = testbed.apis().stream().map(Program::apiPort).map(Web::new).toList();
		this.apis.forEach((api) -> api.use(testbed.tenant().key()));
		this.requests = first;
	}

	/** Posts a mail or an array of mails. */
	Accepted post(String body) throws Exception {
		String key = UUID.randomUUID().toString();
		String path = body.startsWith("[") ? "/api/emails/batch" : "/api/emails";
		AtomicReference<Accepted> accepted = new AtomicReference<>();
		Await.until("the mail is accepted", TIMEOUT, () -> {
			int api = Math.floorMod(this.requests++, this.apis.size());
			try {
				Web.Answer response = this.apis.get(api).post(path, body, key);
				if (response.status() != 503 && response.status() != 409) {
					accepted.set(new Accepted(api, ids(response.json(200))));
				}
			}
			catch (IOException _) {
				// The result is unknown: the request is repeated.
			}
			return accepted.get() != null;
		});
		return accepted.get();
	}

	private static List<String> ids(JsonNode answer) {
		return answer.has("id") ? List.of(answer.get("id").stringValue())
				: answer.get("data").valueStream().map((mail) -> mail.get("emailId").stringValue()).toList();
	}

	@Override
	public void close() {
		this.apis.forEach(Web::close);
	}

	/**
	 * Mails of an accepted request.
	 *
	 * @param api position of the instance that accepted it
	 */
	record Accepted(int api, List<String> ids) {
	}

}
