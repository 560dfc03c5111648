package dev.mailroom.worker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509KeyManager;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A self-signed certificate made with keytool.
 *
 * @param pem file with the certificate
 * @param keys certificate and private key
 */
public record TestCertificate(Path pem, KeyManagerFactory keys) {

	private static final String PASSWORD = "changeit";

	/** Creates a certificate for a host that tests share. */
	public static TestCertificate of(String host) {
		try {
			return of(host, Files.createTempDirectory("certificate"));
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Creates a certificate for a host in an empty directory. */
	public static TestCertificate of(String host, Path directory) throws Exception {
		KeyStore store = store(host, directory);
		Path pem = directory.resolve("ca.pem");
		Files.writeString(pem,
				"-----BEGIN CERTIFICATE-----\n"
						+ Base64.getMimeEncoder().encodeToString(store.getCertificate("server").getEncoded())
						+ "\n-----END CERTIFICATE-----\n");
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keys.init(store, PASSWORD.toCharArray());
		return new TestCertificate(pem, keys);
	}

	/** Context of a server with the JDK's sockets. */
	public SSLContext context() throws Exception {
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(this.keys.getKeyManagers(), null, null);
		return context;
	}

	/** Context of a server with Netty. */
	public SslContext nettyContext() throws Exception {
		return SslContextBuilder.forServer(this.keys).build();
	}

	/** Writes the certificate to a file (PEM). */
	public void writeCertificate(Path file) throws IOException {
		Files.writeString(file, Files.readString(this.pem));
	}

	/** Writes the private key to a file (PEM, PKCS #8). */
	public void writeKey(Path file) throws IOException {
		X509KeyManager manager = (X509KeyManager) this.keys.getKeyManagers()[0];
		byte[] key = manager.getPrivateKey(manager.getServerAliases("EC", null)[0]).getEncoded();
		Files.writeString(file, "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(key)
				+ "\n-----END PRIVATE KEY-----\n");
	}

	private static KeyStore store(String host, Path directory) throws Exception {
		Path file = directory.resolve("keys.p12");
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=" + host, "-ext",
				"san=dns:" + host + ",ip:127.0.0.1", "-ext", "bc=ca:true", "-validity", "2", "-storetype", "PKCS12",
				"-keystore", file.toString(), "-storepass", PASSWORD)
			.inheritIO()
			.start();
		assertThat(keytool.waitFor()).isZero();
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(file)) {
			store.load(in, PASSWORD.toCharArray());
		}
		return store;
	}

}
