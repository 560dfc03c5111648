package dev.mailroom.load.installation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.http.HttpDsl.http;

/**
 * Mails accepted according to the responses, compared with the lists of the server. Every
 * request that creates mails passes through it.
 */
public final class Ledger {

	/** Time between two comparisons, which are seven requests for each tenant. */
	public static final Duration INTERVAL = Duration.ofSeconds(1);

	private final Map<Tenant, Account> accounts = new LinkedHashMap<>();

	private final List<Supplier<String>> conditions = new ArrayList<>();

	/** Begins to count the mails of a tenant. */
	public void open(Tenant tenant) {
		this.accounts.put(tenant, new Account(Totals.of(tenant)));
	}

	/**
	 * Adds a condition that must hold when all mails are settled: an empty text, or what
	 * is wrong.
	 */
	public void require(Supplier<String> condition) {
		this.conditions.add(condition);
	}

	/** Request that sends a mail. */
	public HttpRequestActionBuilder send(String name, Tenant tenant) {
		return post(name, tenant, "/api/emails", 1, (_) -> Client.json(tenant.mail()));
	}

	/** Request that sends a number of mails at once. */
	public HttpRequestActionBuilder batch(String name, Tenant tenant, int mails) {
		return post(name, tenant, "/api/emails/batch", mails, (_) -> Client.json(tenant.mails(mails)));
	}

	/**
	 * Request that creates mails.
	 * @param mails number of mails it creates at most
	 */
	public HttpRequestActionBuilder post(String name, Tenant tenant, String path, int mails,
			Function<Session, String> body) {
		Account account = account(tenant);
		return http(name).post(path).header("Authorization", "Bearer " + tenant.key()).body(StringBody((session) -> {
			account.begun.add(mails);
			return body.apply(session);
		})).transformResponse((response, _) -> {
			boolean replayed = response.headers().contains("Idempotency-Replayed");
			account.answered.add(mails);
			account.accepted.add(replayed ? 0 : accepted(response.status().code(), response.body().string()));
			return response;
		});
	}

	private static long accepted(int status, String body) {
		if (status != 200) {
			return 0;
		}
		JsonNode response = Client.tree(body);
		if (response.has("id")) {
			return 1;
		}
		return response.at("/data").findValues("emailId").stream().filter(JsonNode::isTextual).count();
	}

	/** Sends mails in batches of 100 and waits until they are settled. */
	public void prepare(Tenant tenant, int mails, Duration timeout) {
		for (int sent = 0; sent < mails; sent += 100) {
			tenant.sender().post("/api/emails/batch", tenant.mails(Math.min(100, mails - sent)));
		}
		expect(tenant, mails);
		Instant deadline = Instant.now().plus(timeout);
		while (!account(tenant).difference(Totals.of(tenant)).isEmpty() && Instant.now().isBefore(deadline)) {
			LockSupport.parkNanos(INTERVAL.toNanos());
		}
	}

	/** Counts mails that the server creates by itself, as those of a campaign. */
	public void expect(Tenant tenant, int mails) {
		Account account = account(tenant);
		account.begun.add(mails);
		account.answered.add(mails);
		account.accepted.add(mails);
	}

	/** Number of mails of a tenant that were accepted. */
	public long accepted(Tenant tenant) {
		return account(tenant).accepted.sum();
	}

	private Account account(Tenant tenant) {
		return Objects.requireNonNull(this.accounts.get(tenant));
	}

	/** Whether all mails are settled and every condition holds. */
	public boolean isBalanced() {
		return difference().isEmpty();
	}

	/** Differences between client and server in words; empty if there are none. */
	public String difference() {
		List<String> differences = new ArrayList<>();
		this.accounts.forEach((tenant, account) -> {
			String difference = account.difference(Totals.of(tenant));
			if (!difference.isEmpty()) {
				differences.add(tenant.domain() + ": " + difference);
			}
		});
		if (differences.isEmpty()) {
			this.conditions.stream().map(Supplier::get).filter((text) -> !text.isEmpty()).forEach(differences::add);
		}
		return String.join("; ", differences);
	}

	/** Totals of all tenants since the beginning, for people. */
	public String summary() {
		List<String> lines = new ArrayList<>();
		this.accounts.forEach((tenant, account) -> lines.add("Ledger of " + tenant.domain() + ": accepted "
				+ account.accepted.sum() + "; on the server " + Totals.of(tenant).since(account.before)));
		return String.join("\n", lines);
	}

	/** Counts of the requests of one tenant. */
	private static final class Account {

		private final Totals before;

		/** Mails in requests that were sent. */
		private final LongAdder begun = new LongAdder();

		/** Mails in requests that got a response. */
		private final LongAdder answered = new LongAdder();

		private final LongAdder accepted = new LongAdder();

		private Account(Totals before) {
			this.before = before;
		}

		/**
		 * Compares with the server. A request without a response may have been accepted.
		 */
		private String difference(Totals now) {
			Totals made = now.since(this.before);
			long least = this.accepted.sum();
			long most = least + this.begun.sum() - this.answered.sum();
			if (made.all() < least || made.all() > most) {
				return "accepted " + least + ((most > least) ? " to " + most : "") + ", but on the server " + made;
			}
			if (made.all() != made.sum()) {
				return "the statuses do not add up: " + made;
			}
			return (made.pending() == 0) ? "" : "not settled: " + made;
		}

	}

}
