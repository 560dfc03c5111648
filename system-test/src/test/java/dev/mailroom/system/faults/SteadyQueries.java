package dev.mailroom.system.faults;

import java.io.IOException;
import java.net.ConnectException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import dev.mailroom.process.Program;
import dev.mailroom.process.Tenant;
import dev.mailroom.process.Web;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A person who signs in at the admin app and then sends a query to it again and again,
 * each over a new connection and with the same access token, until it is stopped.
 */
final class SteadyQueries implements AutoCloseable {

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	private static final String QUERY = body("{ viewer { account { email } } }");

	private final ExecutorService client = Executors.newSingleThreadExecutor();

	private final AtomicInteger answered = new AtomicInteger();

	private final AtomicInteger refused = new AtomicInteger();

	private final AtomicInteger cut = new AtomicInteger();

	private final Set<String> faults = ConcurrentHashMap.newKeySet();

	private final int port;

	private final String token;

	private final String cookie;

	private final Future<?> end;

	private volatile boolean stopped;

	SteadyQueries(Program admin) throws Exception {
		this.port = admin.apiPort();
		try (Web web = new Web(this.port)) {
			Web.Answer answer = web.post("/graphql",
					body("mutation { signIn(input: { email: \"%s\", password: \"%s\" }) { accessToken } }"
						.formatted(Tenant.EMAIL, Tenant.PASSWORD)));
			this.token = answer.json(200).at("/data/signIn/accessToken").stringValue();
			this.cookie = answer.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
		}
		this.end = this.client.submit(this::ask);
	}

	private static String body(String operation) {
		return JsonMapper.shared().writeValueAsString(Map.of("query", operation));
	}

	private Void ask() throws InterruptedException {
		while (!this.stopped) {
			try (Web web = new Web(this.port)) {
				web.use(this.token);
				Web.Answer answer = web.post("/graphql", QUERY);
				if (answer.status() == 200 && answer.body().contains(Tenant.EMAIL)) {
					this.answered.incrementAndGet();
				}
				else {
					this.faults.add(answer.status() + " " + answer.body());
				}
			}
			catch (ConnectException _) {
				this.refused.incrementAndGet();
			}
			catch (IOException _) {
				this.cut.incrementAndGet();
			}
			LockSupport.parkNanos(PAUSE_NANOS);
		}
		return null;
	}

	/** Number of answered queries. */
	int answered() {
		return this.answered.get();
	}

	/** Number of queries whose connection was refused. */
	int refused() {
		return this.refused.get();
	}

	/** Number of queries whose connection was made, and closed without an answer. */
	int cut() {
		return this.cut.get();
	}

	/** Other answers than the one expected. */
	Set<String> faults() {
		return this.faults;
	}

	/** A new access token for the refresh token of the session; empty if it has ended. */
	String refreshed() throws Exception {
		try (Web web = new Web(this.port)) {
			JsonNode session = web
				.post("/graphql", body("mutation { refresh { accessToken } }"), Map.of("Cookie", this.cookie))
				.json(200);
			return session.at("/data/refresh/accessToken").asString("");
		}
	}

	/** Waits for the last query. */
	void stop() throws Exception {
		this.stopped = true;
		this.end.get();
	}

	@Override
	public void close() {
		this.stopped = true;
		this.client.close();
	}

}
