package dev.mailroom.database;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.google.common.base.Splitter;
import com.google.common.net.HostAndPort;
import dev.mailroom.WrongSetting;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import org.jspecify.annotations.Nullable;

/**
 * The address of the database in {@code MAILROOM_DB_URL}, and that of its standbys in
 * {@code MAILROOM_DB_REPLICA_URL}, read in one place for every connection: the pools of
 * R2DBC and JDBC and the migrations. The drivers read parameters of different names, and
 * ignore those that they do not know.
 *
 * @param hosts servers with copies of the database; connections go to the one that
 * accepts writes
 * @param parameters {@code sslmode}, {@code sslrootcert} if the server is verified, and
 * {@code sslcert} and {@code sslkey} if the client has a certificate
 */
public record DatabaseUrl(List<HostAndPort> hosts, String database, Map<String, String> parameters) {

	private static final Pattern URL = Pattern
		.compile("(?:r2dbc:)?postgresql://(?<login>[^/@]*@)?(?<hosts>[^/?@]+)/(?<name>[^/?]+)(?:\\?(?<query>.*))?");

	private static final Pattern HOST = Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:[0-9]{1,5})?");

	private static final int DEFAULT_PORT = 5432;

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(20);

	private static final String MODE = "sslmode";

	private static final String DEFAULT_MODE = "prefer";

	private static final String ROOT_CERTIFICATE = "sslrootcert";

	private static final List<String> MODES = List.of("disable", "prefer", "require", "verify-ca", "verify-full");

	private static final String CERTIFICATE = "sslcert";

	private static final String KEY = "sslkey";

	private static final List<String> NAMES = List.of(MODE, ROOT_CERTIFICATE, CERTIFICATE, KEY);

	private static final String PRIMARY = "MAILROOM_DB_URL";

	/** The variable of the standbys for lists, which has the same rules. */
	static final String REPLICAS = "MAILROOM_DB_REPLICA_URL";

	private static final String FORM = "It must be postgresql://host:port/name, or have several hosts,"
			+ " postgresql://host:port,host:port/name.";

	public DatabaseUrl {
		hosts = List.copyOf(hosts);
		parameters = Map.copyOf(parameters);
	}

	/**
	 * Reads a URL,
	 * {@code postgresql://host:port,host:port/name?sslmode=…&sslrootcert=…&sslcert=…&sslkey=…}.
	 * Names of parameters are not case-sensitive. Without a mode it is {@code prefer}.
	 * @throws WrongSetting if a part is missing, not known or would be ignored
	 */
	public static DatabaseUrl parse(String url) {
		return parse(PRIMARY, url);
	}

	/** Like {@link #parse(String)}, with the variable that a refusal names. */
	public static DatabaseUrl parse(String variable, String url) {
		Matcher parts = URL.matcher(url);
		if (!parts.matches()) {
			throw invalid(variable, url, FORM);
		}
		if (parts.group("login") != null) {
			throw invalid(variable, url, "It must contain neither a user nor a password; set MAILROOM_DB_USER and"
					+ " MAILROOM_DB_PASSWORD, for migrations MAILROOM_DB_OWNER_USER and MAILROOM_DB_OWNER_PASSWORD.");
		}
		List<HostAndPort> hosts = Splitter.on(',')
			.splitToStream(parts.group("hosts"))
			.map((host) -> host(variable, url, host))
			.toList();
		return new DatabaseUrl(hosts, decoded(parts.group("name")), parameters(variable, url, parts.group("query")));
	}

	private static HostAndPort host(String variable, String url, String host) {
		if (HOST.matcher(host).matches()) {
			try {
				return HostAndPort.fromString(host).withDefaultPort(DEFAULT_PORT);
			}
			catch (IllegalArgumentException _) {
				// The port is too large.
			}
		}
		throw invalid(variable, url, FORM);
	}

	private static Map<String, String> parameters(String variable, String url, @Nullable String query) {
		Map<String, String> parameters = new LinkedHashMap<>(Map.of(MODE, DEFAULT_MODE));
		for (String parameter : (query != null) ? Splitter.on('&').splitToList(query) : List.<String>of()) {
			int end = parameter.indexOf('=');
			String name = ((end < 0) ? parameter : parameter.substring(0, end)).toLowerCase(Locale.ROOT);
			if (!NAMES.contains(name)) {
				throw invalid(variable, url,
						"It has the parameter " + name + "; only " + String.join(", ", NAMES) + " are known.");
			}
			parameters.put(name, decoded(parameter.substring(end + 1)));
		}
		String mode = parameters.getOrDefault(MODE, "");
		if (!MODES.contains(mode)) {
			throw invalid(variable, url, "sslmode must be one of " + String.join(", ", MODES) + ".");
		}
		if (mode.startsWith("verify") != parameters.containsKey(ROOT_CERTIFICATE)) {
			throw invalid(variable, url,
					"sslmode verify-ca and verify-full need sslrootcert, the file (PEM) of the authority that"
							+ " signed the server's certificate; other modes do not use it.");
		}
		requireClient(variable, url, mode, parameters);
		return parameters;
	}

	/**
	 * Both drivers read a chain and a key in PEM; the names of other formats select these
	 * for JDBC.
	 */
	private static void requireClient(String variable, String url, String mode, Map<String, String> parameters) {
		@Nullable String key = parameters.get(KEY);
		if ((key != null) != parameters.containsKey(CERTIFICATE)) {
			throw invalid(variable, url, "sslcert and sslkey, the client's certificate and its key, need each other.");
		}
		if (key != null && !mode.equals("require") && !mode.startsWith("verify")) {
			throw invalid(variable, url, "sslcert needs sslmode require, verify-ca or verify-full.");
		}
		if (key != null && key.toLowerCase(Locale.ROOT).matches(".*\\.(p12|pfx|der|pk8)")) {
			throw invalid(variable, url, "sslkey must be a file in PEM (PKCS #8), not " + key + ".");
		}
	}

	/**
	 * Tells whether the server knows the client by a certificate, so that it may have no
	 * password.
	 */
	boolean hasCertificate() {
		return this.parameters.containsKey(CERTIFICATE);
	}

	/**
	 * The algorithm of the client's key, which the JDBC driver has to be told.
	 * @throws WrongSetting if the certificate cannot be read
	 */
	@Nullable String keyAlgorithm() {
		@Nullable String file = this.parameters.get(CERTIFICATE);
		if (file == null) {
			return null;
		}
		try (InputStream in = Files.newInputStream(Path.of(file))) {
			return CertificateFactory.getInstance("X.509").generateCertificate(in).getPublicKey().getAlgorithm();
		}
		catch (IOException | CertificateException ex) {
			throw new WrongSetting("MAILROOM_DB_URL has sslcert=" + file + ", which cannot be read: " + ex);
		}
	}

	private static String decoded(String part) {
		return URLDecoder.decode(part, StandardCharsets.UTF_8);
	}

	/** The URLs of the hosts for the JDBC driver, without login. */
	List<String> jdbc() {
		StringBuilder tail = new StringBuilder("/").append(encoded(this.database));
		char separator = '?';
		for (Map.Entry<String, String> parameter : this.parameters.entrySet()) {
			tail.append(separator).append(parameter.getKey()).append('=').append(encoded(parameter.getValue()));
			separator = '&';
		}
		return this.hosts.stream().map((host) -> "jdbc:postgresql://" + host + tail).toList();
	}

	private static String encoded(String part) {
		return URLEncoder.encode(part, StandardCharsets.UTF_8);
	}

	/** The options of the hosts for the R2DBC driver. */
	List<ConnectionFactoryOptions> r2dbc(Login login) {
		return this.hosts.stream().map((host) -> r2dbc(host, login)).toList();
	}

	private ConnectionFactoryOptions r2dbc(HostAndPort host, Login login) {
		ConnectionFactoryOptions.Builder options = ConnectionFactoryOptions.builder()
			.option(ConnectionFactoryOptions.DRIVER, "postgresql")
			.option(ConnectionFactoryOptions.HOST, host.getHost())
			.option(ConnectionFactoryOptions.PORT, host.getPort())
			.option(ConnectionFactoryOptions.DATABASE, this.database)
			.option(ConnectionFactoryOptions.USER, login.user())
			.option(ConnectionFactoryOptions.PASSWORD, login.password())
			.option(Option.valueOf("sslMode"), this.parameters.getOrDefault(MODE, DEFAULT_MODE));
		Map.of(ROOT_CERTIFICATE, "sslRootCert", CERTIFICATE, "sslCert", KEY, "sslKey").forEach((name, option) -> {
			@Nullable String file = this.parameters.get(name);
			if (file != null) {
				options.option(Option.valueOf(option), file);
			}
		});
		return options.build();
	}

	/** The refusal of a URL, which names it without a password. */
	private static WrongSetting invalid(String variable, String url, String reason) {
		return new WrongSetting(
				variable + " is " + url.replaceFirst("^r2dbc:", "").replaceFirst("//[^/@]*@", "//…@") + ". " + reason);
	}

	/**
	 * Opens a connection to the host that accepts writes, for a program without pools.
	 * @throws SQLException if there is none
	 */
	public Connection connect(Login login) throws SQLException {
		return new JdbcConnections(this, login, Map.of(), CONNECT_TIMEOUT, Duration.ZERO).getConnection();
	}

	/**
	 * Like {@link #connect(Login)}, with a limit on the time to connect and on that of a
	 * reply.
	 */
	public Connection connect(Login login, Duration timeout) throws SQLException {
		return new JdbcConnections(this, login, Map.of(), timeout, timeout).getConnection();
	}

	/** A role of the database with its password. */
	public record Login(String user, String password) {
	}

}
