package dev.mailroom.load.installation;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.fasterxml.jackson.databind.JsonNode;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;

import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;

/**
 * Times of delivery of a tenant's mails, which the server records in their events.
 */
public final class Deliveries {

	/** Mails of which the times are read. */
	private static final int SAMPLE = 300;

	private final Tenant tenant;

	private final Instant due;

	/** Times from which the deliveries are counted, by id of the mail. */
	private final Map<String, Instant> expected = new ConcurrentHashMap<>();

	private final Map<String, Instant> delivered = new ConcurrentHashMap<>();

	private boolean printed;

	/** Creates an object that counts from the acceptance of each mail. */
	public Deliveries(Tenant tenant) {
		this(tenant, Instant.MIN);
	}

	/**
	 * Creates an object that counts from a time, or from the acceptance if that is later.
	 */
	public Deliveries(Tenant tenant, Instant due) {
		this.tenant = tenant;
		this.due = due;
	}

	/** A request that sends a mail. */
	public ChainBuilder of(HttpRequestActionBuilder send) {
		return exec(send.check(jsonPath("$.id").saveAs("id"), jsonPath("$.created_at").saveAs("created_at")))
			.exec((session) -> {
				String id = session.getString("id");
				if (id != null && this.expected.size() < SAMPLE) {
					Instant accepted = Instant.parse(session.getString("created_at"));
					this.expected.put(id, accepted.isAfter(this.due) ? accepted : this.due);
				}
				return session;
			});
	}

	/** Condition for the ledger: the 95th percentile is between zero and a limit. */
	public String within(String name, Duration limit) {
		long[] millis = this.expected.keySet()
			.stream()
			.mapToLong((id) -> Duration.between(this.expected.get(id), time(id)).toMillis())
			.sorted()
			.toArray();
		if (millis.length == 0) {
			return name + ": no deliveries";
		}
		long p95 = millis[(int) Math.min(millis.length - 1, millis.length * 0.95)];
		String times = name + ": delivered within %d ms (median), %d ms (95 %%), %d ms (all)"
			.formatted(millis[millis.length / 2], p95, millis[millis.length - 1]);
		if (millis[0] < 0) {
			return times + ", the first one " + -millis[0] + " ms too early";
		}
		if (!this.printed) {
			this.printed = true;
			System.out.println(times);
		}
		return (p95 <= limit.toMillis()) ? "" : times + " instead of " + limit.toMillis() + " ms";
	}

	private Instant time(String id) {
		return this.delivered.computeIfAbsent(id, this::read);
	}

	private Instant read(String id) {
		for (JsonNode event : this.tenant.sender().get("/api/emails/" + id + "/events").at("/data/events")) {
			if (event.at("/type").asText().equals("email.delivered")) {
				return Instant.parse(event.at("/created_at").asText());
			}
		}
		throw new IllegalStateException("The mail " + id + " was not delivered");
	}

}
