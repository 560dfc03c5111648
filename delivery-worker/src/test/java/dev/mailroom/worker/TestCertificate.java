package dev.mailroom.worker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509KeyManager;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A certificate made with keytool, self-signed or issued by another one.
 *
 * @param pem file with the certificate
 * @param keys certificate and private key
 */
public record TestCertificate(Path pem, KeyManagerFactory keys) {

	private static final String PASSWORD = "changeit";

	private static final String STORE = "keys.p12";

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
		keytool(directory, "server", "-dname", "CN=" + host, "-ext", "san=dns:" + host + ",ip:127.0.0.1", "-ext",
				"bc=ca:true", "-validity", "2");
		return load(directory, "server");
	}

	/**
	 * Creates a certificate that this one has issued, in an empty directory.
	 * @param options further options of keytool
	 */
	public TestCertificate issue(String host, Path directory, String... options) throws Exception {
		Files.copy(this.pem.resolveSibling(STORE), directory.resolve(STORE));
		keytool(directory, "issued", Stream
			.concat(Stream.of("-signer", "server", "-dname", "CN=" + host, "-ext", "san=dns:" + host, "-ext",
					"eku=serverAuth"), Stream.of(options))
			.toArray(String[]::new));
		return load(directory, "issued");
	}

	private static TestCertificate load(Path directory, String alias) throws Exception {
		KeyStore store = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(directory.resolve(STORE))) {
			store.load(in, PASSWORD.toCharArray());
		}
		if (!alias.equals("server")) {
			store.deleteEntry("server");
		}
		Path pem = directory.resolve("ca.pem");
		Files.writeString(pem,
				"-----BEGIN CERTIFICATE-----\n"
						+ Base64.getMimeEncoder().encodeToString(store.getCertificate(alias).getEncoded())
						+ "\n-----END CERTIFICATE-----\n");
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keys.init(store, PASSWORD.toCharArray());
		return new TestCertificate(pem, keys);
	}

	/** The certificate. */
	public X509Certificate certificate() throws Exception {
		try (InputStream in = Files.newInputStream(this.pem)) {
			return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
		}
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

	private static void keytool(Path directory, String alias, String... options) throws Exception {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias",
						alias, "-keyalg", "EC", "-storetype", "PKCS12", "-keystore",
						directory.resolve(STORE).toString(), "-storepass", PASSWORD));
		command.addAll(List.of(options));
		assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
	}

}
