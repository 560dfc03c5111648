package dev.mailroom.blob;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.mailroom.WrongSetting;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A bucket whose server has a certificate of a private authority. */
class BucketTlsTest {

	private static final String PASSWORD = "changeit";

	private static final byte[] OBJECT = { 1, 2, 3 };

	@TempDir
	static Path directory;

	private static HttpsServer server;

	@BeforeAll
	static void start() throws Exception {
		Path keys = directory.resolve("keys.p12");
		keytool("-genkeypair", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "san=dns:localhost", "-ext",
				"bc=ca:true", "-keystore", keys.toString());
		keytool("-exportcert", "-rfc", "-keystore", keys.toString(), "-file", directory.resolve("ca.pem").toString());
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(keys)) {
			store.load(in, PASSWORD.toCharArray());
		}
		KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		managers.init(store, PASSWORD.toCharArray());
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(managers.getKeyManagers(), null, null);
		server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.setHttpsConfigurator(new HttpsConfigurator(context));
		server.createContext("/", (exchange) -> {
			exchange.sendResponseHeaders(200, OBJECT.length);
			exchange.getResponseBody().write(OBJECT);
			exchange.close();
		});
		server.start();
	}

	@AfterAll
	static void stop() {
		server.stop(0);
	}

	@Test
	void theAuthorityOfTheSettingIsTrusted() throws Exception {
		assertThat(bucket(directory.resolve("ca.pem")).read("mail/0")).isEqualTo(OBJECT);
	}

	@Test
	void withoutTheSettingTheServerIsNotTrusted() {
		for (@Nullable
		Path file : new Path[] { null, Path.of("") }) {
			assertThatExceptionOfType(SSLException.class).isThrownBy(() -> bucket(file).read("mail/0"));
		}
	}

	@Test
	void aFileWithoutCertificatesIsRefused() throws Exception {
		Path broken = Files.writeString(directory.resolve("broken.pem"), "no certificate");
		for (Path file : new Path[] { broken, directory.resolve("missing.pem") }) {
			assertThatExceptionOfType(WrongSetting.class).isThrownBy(() -> bucket(file))
				.withMessageContaining("MAILROOM_S3_CA_FILE")
				.withMessageContaining(file.toString());
		}
	}

	private static Bucket bucket(@Nullable Path caFile) {
		return new Bucket(new BlobSettings.S3("https://localhost:" + server.getAddress().getPort(), "us-east-1",
				"mailroom", "key", "secret", true, caFile));
	}

	private static void keytool(String... arguments) throws Exception {
		String[] command = new String[arguments.length + 7];
		command[0] = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
		System.arraycopy(arguments, 0, command, 1, arguments.length);
		System.arraycopy(new String[] { "-alias", "server", "-storetype", "PKCS12", "-storepass", PASSWORD }, 0,
				command, arguments.length + 1, 6);
		assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
	}

}
