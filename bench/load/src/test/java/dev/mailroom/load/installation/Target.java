package dev.mailroom.load.installation;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Properties;

import io.gatling.javaapi.http.HttpProtocolBuilder;

import static io.gatling.javaapi.http.HttpDsl.http;

/**
 * The installation under test and the size of the load, from system properties beginning
 * with {@code load.}.
 */
public final class Target {

	private final Properties properties;

	/**
	 * Reads the properties.
	 * @throws IllegalArgumentException if an address is not on this machine and
	 * {@code load.remote} is not true
	 */
	public Target(Properties properties) {
		this.properties = properties;
		for (String url : new String[] { api(), admin(), management(), mailbox() }) {
			requirePermitted(url);
		}
	}

	private void requirePermitted(String url) {
		if (!Boolean.parseBoolean(text("remote", "false")) && !isLoopback(URI.create(url).getHost())) {
			throw new IllegalArgumentException(url + " is not on this machine. Load tests create accounts and send "
					+ "mail: set -Dload.remote=true if the installation is yours.");
		}
	}

	private static boolean isLoopback(String host) {
		try {
			return InetAddress.getByName(host).isLoopbackAddress();
		}
		catch (UnknownHostException ex) {
			throw new IllegalArgumentException("Unknown host " + host, ex);
		}
	}

	/** Base URL of the REST API and of tracked links, without {@code /api}. */
	public String api() {
		return text("url", "http://localhost:8080");
	}

	/** Base URL of the admin app. */
	public String admin() {
		return text("admin", "http://localhost:8081");
	}

	/** Base URL of health and metrics. */
	public String management() {
		return text("management", "http://localhost:8090");
	}

	/** Base URL of the standalone's mailbox. */
	String mailbox() {
		return text("mailbox", "http://localhost:8025");
	}

	/** Users that begin per second, or what the simulation counts instead. */
	public double rate(double usual) {
		return Double.parseDouble(text("rate", Double.toString(usual)));
	}

	/** Duration of the load. */
	public Duration duration(int usualSeconds) {
		return Duration.ofSeconds(number("seconds", usualSeconds));
	}

	/** Limit on the 95th percentile of every request, in milliseconds. */
	public int p95(int usualMillis) {
		return number("p95", usualMillis);
	}

	/** Limit on the time until a delivery or a webhook call, for 95 % of them. */
	public Duration delivery(int usualSeconds) {
		return Duration.ofSeconds(number("delivery", usualSeconds));
	}

	/** Rows that a simulation prepares. */
	public int rows(int usual) {
		return number("rows", usual);
	}

	/** Time within which accepted mail must be settled after the load. */
	public Duration settlement() {
		return Duration.ofSeconds(number("settlement", 180));
	}

	/** Another property, without the prefix. */
	public String text(String name, String usual) {
		return this.properties.getProperty("load." + name, usual);
	}

	private int number(String name, int usual) {
		return Integer.parseInt(text(name, Integer.toString(usual)));
	}

	/** Requests to the REST API over few connections, as from a client library. */
	public HttpProtocolBuilder protocol() {
		return http.baseUrl(api())
			.acceptHeader("application/json")
			.contentTypeHeader("application/json")
			.shareConnections()
			.disableFollowRedirect()
			.disableWarmUp();
	}

}
