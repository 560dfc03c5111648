package dev.mailroom.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.mailroom.load.installation.Client;
import dev.mailroom.load.installation.Ledger;
import dev.mailroom.load.installation.Target;
import dev.mailroom.load.installation.Tenant;
import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpRequestActionBuilder;

import static io.gatling.javaapi.core.CoreDsl.asLongAsDuring;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.forAll;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

/**
 * Simulation with tenants of its own and a ledger, which is compared with the server when
 * the load has ended.
 */
abstract class LoadSimulation extends Simulation {

	final Target target = new Target(System.getProperties());

	final Ledger ledger = new Ledger();

	/** Part of the names of this run's tenants. */
	private final String run = Long.toString(Instant.now().toEpochMilli(), 36);

	private final List<String> accounts = accounts();

	private int tenants;

	LoadSimulation() {
		new Client(this.target.management(), () -> "").get("/actuator/health/readiness");
	}

	private List<String> accounts() {
		String file = this.target.text("accounts", "");
		try {
			return file.isEmpty() ? List.of() : Files.readAllLines(Path.of(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Creates a tenant. With {@code load.accounts} it is the next line of that file:
	 * email, password and verified domain, separated by commas.
	 */
	final Tenant tenant(String name) {
		Tenant tenant = this.accounts.isEmpty() ? Tenant.register(this.target, name + "-" + this.run)
				: given(this.accounts.get(this.tenants++).split(",", 3), name + "-" + this.run);
		this.ledger.open(tenant);
		return tenant;
	}

	private Tenant given(String[] account, String keyName) {
		return new Tenant(this.target, account[0].strip(), account[1].strip(), account[2].strip(), keyName);
	}

	/** Creates a tenant without quota. */
	final Tenant unlimitedTenant(String name) {
		Tenant tenant = tenant(name);
		return this.accounts.isEmpty() ? tenant.on(Tenant.UNLIMITED) : tenant;
	}

	/** GET request of a tenant's owner to the REST API, which must return 200. */
	static HttpRequestActionBuilder get(String name, Tenant tenant, String path) {
		return http(name).get(path).header("Authorization", (_) -> "Bearer " + tenant.token());
	}

	/** POST request of a tenant's owner to the REST API. */
	static HttpRequestActionBuilder post(String name, Tenant tenant, String path) {
		return http(name).post(path).header("Authorization", (_) -> "Bearer " + tenant.token());
	}

	/**
	 * Runs populations at the same time, of which the last one ends last, and compares
	 * the ledger. No request may fail, and the 95th percentile of each is limited.
	 */
	final void run(int p95Millis, PopulationBuilder... populations) {
		run(List.of(global().failedRequests().count().is(0L),
				forAll().responseTime().percentile(95).lt(this.target.p95(p95Millis))), populations);
	}

	/**
	 * Runs populations with other assertions. It is always asserted that there was a load
	 * and that the ledger adds up.
	 */
	final void run(List<Assertion> assertions, PopulationBuilder... populations) {
		List<PopulationBuilder> all = new ArrayList<>(Arrays.asList(populations));
		all.add(all.removeLast().andThen(settlement()));
		List<Assertion> every = new ArrayList<>(assertions);
		every.add(global().allRequests().count().gt(1L));
		every.add(details("ledger").successfulRequests().count().is(1L));
		setUp(all).protocols(this.target.protocol()).assertions(every);
	}

	/** Waits for the settlement of all mails, then makes one request named ledger. */
	private PopulationBuilder settlement() {
		return scenario("Settlement")
			.exec(asLongAsDuring((_) -> !this.ledger.isBalanced(), this.target.settlement()).on(pause(Ledger.INTERVAL)))
			.exec(http("ledger").get(this.target.management() + "/actuator/health/readiness")
				.check(bodyString().transform((_) -> this.ledger.difference()).is("")))
			.injectOpen(atOnceUsers(1));
	}

	@Override
	public void after() {
		System.out.println(this.ledger.summary());
	}

}
