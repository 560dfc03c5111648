package dev.mailroom.worker.transport;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A certificate of a test's own, made by the JDK's tool.
 *
 * @param pem a file that holds it
 * @param context for a server that shows it
 */
record TestCertificate(Path pem, SSLContext context) {

	static TestCertificate of(String host, Path directory) throws Exception {
		KeyStore keys = keys(host, directory);
		Path pem = directory.resolve("ca.pem");
		Files.writeString(pem,
				"-----BEGIN CERTIFICATE-----\n"
						+ Base64.getMimeEncoder().encodeToString(keys.getCertificate("server").getEncoded())
						+ "\n-----END CERTIFICATE-----\n");
		KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		managers.init(keys, "changeit".toCharArray());
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(managers.getKeyManagers(), null, null);
		return new TestCertificate(pem, context);
	}

	private static KeyStore keys(String host, Path directory) throws Exception {
		Path file = directory.resolve("keys.p12");
		Process tool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=" + host, "-ext",
				"san=dns:" + host + ",ip:127.0.0.1", "-ext", "bc=ca:true", "-validity", "2", "-storetype", "PKCS12",
				"-keystore", file.toString(), "-storepass", "changeit")
			.inheritIO()
			.start();
		assertThat(tool.waitFor()).isZero();
		KeyStore keys = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(file)) {
			keys.load(in, "changeit".toCharArray());
		}
		return keys;
	}

}
