package dev.mailroom.database;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.google.common.base.Splitter;
import dev.mailroom.WrongSetting;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import org.jspecify.annotations.Nullable;

/**
 * The address of the database in {@code MAILROOM_DB_URL}, read in one place for every
 * connection: the pools of R2DBC and JDBC and the migrations. The drivers read parameters
 * of different names, and ignore those that they do not know.
 *
 * @param host name or address, in brackets for IPv6
 * @param parameters {@code sslmode}, and {@code sslrootcert} if the server is verified
 */
public record DatabaseUrl(String host, int port, String database, Map<String, String> parameters) {

	private static final String R2DBC_PREFIX = "r2dbc:";

	private static final int DEFAULT_PORT = 5432;

	private static final String MODE = "sslmode";

	private static final String DEFAULT_MODE = "prefer";

	private static final String ROOT_CERTIFICATE = "sslrootcert";

	private static final List<String> MODES = List.of("disable", "prefer", "require", "verify-ca", "verify-full");

	public DatabaseUrl {
		parameters = Map.copyOf(parameters);
	}

	/**
	 * Reads a URL, {@code postgresql://host:port/name?sslmode=…&sslrootcert=…}. Names of
	 * parameters are not case-sensitive. Without a mode it is {@code prefer}.
	 * @throws WrongSetting if a part is missing, not known or would be ignored
	 */
	public static DatabaseUrl parse(String text) {
		String url = text.startsWith(R2DBC_PREFIX) ? text.substring(R2DBC_PREFIX.length()) : text;
		URI uri;
		try {
			uri = new URI(url);
		}
		catch (URISyntaxException ex) {
			throw invalid(url, "It must be postgresql://host:port/name.");
		}
		String path = (uri.getPath() != null) ? uri.getPath() : "";
		if (!"postgresql".equals(uri.getScheme()) || uri.getHost() == null || path.length() < 2) {
			throw invalid(url, "It must be postgresql://host:port/name.");
		}
		if (uri.getRawUserInfo() != null) {
			throw invalid(url, "It must contain neither a user nor a password; set MAILROOM_DB_USER and"
					+ " MAILROOM_DB_PASSWORD, for migrations MAILROOM_DB_OWNER_USER and MAILROOM_DB_OWNER_PASSWORD.");
		}
		return new DatabaseUrl(uri.getHost(), (uri.getPort() > 0) ? uri.getPort() : DEFAULT_PORT, path.substring(1),
				parameters(url, uri.getRawQuery()));
	}

	private static Map<String, String> parameters(String url, @Nullable String query) {
		Map<String, String> parameters = new LinkedHashMap<>(Map.of(MODE, DEFAULT_MODE));
		for (String parameter : (query != null) ? Splitter.on('&').splitToList(query) : List.<String>of()) {
			int end = parameter.indexOf('=');
			String name = ((end < 0) ? parameter : parameter.substring(0, end)).toLowerCase(Locale.ROOT);
			if (!name.equals(MODE) && !name.equals(ROOT_CERTIFICATE)) {
				throw invalid(url, "It has the parameter " + name + "; only sslmode and sslrootcert are known.");
			}
			parameters.put(name, URLDecoder.decode(parameter.substring(end + 1), StandardCharsets.UTF_8));
		}
		String mode = parameters.getOrDefault(MODE, "");
		if (!MODES.contains(mode)) {
			throw invalid(url, "sslmode must be one of " + String.join(", ", MODES) + ".");
		}
		if (mode.startsWith("verify") != parameters.containsKey(ROOT_CERTIFICATE)) {
			throw invalid(url,
					"sslmode verify-ca and verify-full need sslrootcert, the file (PEM) of the authority that"
							+ " signed the server's certificate; other modes do not use it.");
		}
		return parameters;
	}

	/** The URL for the JDBC driver, without login. */
	String jdbc() {
		StringBuilder url = new StringBuilder("jdbc:postgresql://").append(this.host)
			.append(':')
			.append(this.port)
			.append('/')
			.append(this.database);
		char separator = '?';
		for (Map.Entry<String, String> parameter : this.parameters.entrySet()) {
			url.append(separator)
				.append(parameter.getKey())
				.append('=')
				.append(URLEncoder.encode(parameter.getValue(), StandardCharsets.UTF_8));
			separator = '&';
		}
		return url.toString();
	}

	/** The options for the R2DBC driver. */
	ConnectionFactoryOptions r2dbc(Login login) {
		ConnectionFactoryOptions.Builder options = ConnectionFactoryOptions.builder()
			.option(ConnectionFactoryOptions.DRIVER, "postgresql")
			.option(ConnectionFactoryOptions.HOST, this.host.replaceAll("[\\[\\]]", ""))
			.option(ConnectionFactoryOptions.PORT, this.port)
			.option(ConnectionFactoryOptions.DATABASE, this.database)
			.option(ConnectionFactoryOptions.USER, login.user())
			.option(ConnectionFactoryOptions.PASSWORD, login.password())
			.option(Option.valueOf("sslMode"), this.parameters.getOrDefault(MODE, DEFAULT_MODE));
		@Nullable String certificate = this.parameters.get(ROOT_CERTIFICATE);
		if (certificate != null) {
			options.option(Option.valueOf("sslRootCert"), certificate);
		}
		return options.build();
	}

	/** The refusal of a URL, which names it without a password. */
	private static WrongSetting invalid(String url, String reason) {
		return new WrongSetting("MAILROOM_DB_URL is " + url.replaceFirst("//[^/@]*@", "//…@") + ". " + reason);
	}

	/** A role of the database with its password. */
	public record Login(String user, String password) {
	}

}
