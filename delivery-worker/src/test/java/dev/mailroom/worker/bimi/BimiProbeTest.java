package dev.mailroom.worker.bimi;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPOutputStream;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.mailroom.readiness.BimiRecord;
import dev.mailroom.readiness.BimiRecord.Problem;
import dev.mailroom.worker.Surroundings;
import dev.mailroom.worker.webhook.CheckedAddresses;
import io.netty.handler.ssl.SslContextBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@Surroundings.WorkerAlone
class BimiProbeTest {

	private static final String DOMAIN = "brand.test";

	private static final String LOGOTYPE = "1.3.6.1.5.5.7.1.12=05:00";

	private static final String LOGO = """
			<?xml version="1.0" encoding="UTF-8"?>
			<svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps" viewBox="0 0 64 64">
			  <title>Brand</title>
			  <defs><linearGradient id="g"><stop offset="0"/></linearGradient></defs>
			  <circle cx="32" cy="32" r="30" fill="url(#g)"/>
			</svg>
			""";

	@TempDir
	Path directory;

	@Autowired
	CheckedAddresses addresses;

	private final Map<String, byte[]> files = new ConcurrentHashMap<>();

	private HttpsServer server;

	private BimiProbe probe;

	@BeforeEach
	void serve() throws Exception {
		this.server = HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
		this.server.setHttpsConfigurator(new HttpsConfigurator(Surroundings.HOOK_CERTIFICATE.context()));
		this.server.createContext("/", (exchange) -> {
			byte[] file = this.files.getOrDefault(exchange.getRequestURI().getPath(), new byte[0]);
			boolean moved = exchange.getRequestURI().getPath().equals("/moved");
			if (moved) {
				exchange.getResponseHeaders().set("Location", "/logo.svg");
			}
			exchange.sendResponseHeaders(moved ? 302 : 200, file.length);
			try (OutputStream out = exchange.getResponseBody()) {
				out.write(file);
			}
			catch (IOException _) {
				// The probe has read enough.
			}
		});
		this.server.start();
		this.probe = new BimiProbe(this.addresses, Clock.systemUTC(),
				SslContextBuilder.forClient().trustManager(Surroundings.HOOK_CERTIFICATE.pem().toFile()).build());
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
	}

	@Test
	void aLogoWithItsCertificateHasNoProblems() throws Exception {
		this.files.put("/logo.svg", LOGO.getBytes(StandardCharsets.UTF_8));
		this.files.put("/packed.svg", packed(LOGO.getBytes(StandardCharsets.UTF_8)));
		this.files.put("/mark.pem",
				certificate("mark", "-ext", alternativeName("default._bimi." + DOMAIN), "-ext", LOGOTYPE));
		assertThat(check(url("/logo.svg"), url("/mark.pem"))).isEmpty();
		assertThat(check(url("/packed.svg"), url("/mark.pem"))).isEmpty();
	}

	@Test
	void eachFaultOfALogoIsNamed() throws Exception {
		assertThat(logo("<svg/>")).contains("is no SVG", "baseProfile", "has no title");
		assertThat(logo(LOGO.replace("<title>Brand</title>", "<title> </title>"))).contains("has no title");
		assertThat(logo(LOGO.replace("<circle", "<script>alert(1)</script><circle")))
			.contains("has the element script");
		assertThat(logo(LOGO.replace("<circle", "<circle onload='x()'"))).contains("attribute onload");
		assertThat(logo(LOGO.replace("url(#g)", "url(https://a.test/g)"))).contains("refers to another file");
		assertThat(logo(LOGO.replace("<circle", "<use href='https://a.test/#x'/><circle")))
			.contains("refers to another file");
		assertThat(logo(LOGO.replace("<svg", "<!DOCTYPE svg [<!ENTITY e 'x'>]><svg"))).contains("document type");
		assertThat(logo(LOGO + "<")).contains("is no well-formed XML");
		assertThat(logo(LOGO + " ".repeat(BimiLogo.MAX_BYTES))).contains("more than 32 KB");
		this.files.put("/bomb.svg", packed(new byte[10_000_000]));
		assertThat(findings(check(url("/bomb.svg"), ""))).contains("more than 32 KB");
	}

	@Test
	void eachFaultOfACertificateIsNamed() throws Exception {
		this.files.put("/logo.svg", LOGO.getBytes(StandardCharsets.UTF_8));
		this.files.put("/mark.pem", certificate("old", "-ext", "san=dns:other.test", "-startdate", "-10d"));
		assertThat(findings(check(url("/logo.svg"), url("/mark.pem")))).contains("is valid from", "not of this domain",
				"contains no logo");
		this.files.put("/mark.pem", LOGO.getBytes(StandardCharsets.UTF_8));
		assertThat(findings(check(url("/logo.svg"), url("/mark.pem")))).contains("cannot be read");
		assertThat(check(url("/logo.svg"), "")).singleElement()
			.satisfies((problem) -> assertThat(problem.finding()).contains("names no certificate"));
	}

	@Test
	void filesAreFetchedOverHttpsFromPublicAddressesWithoutRedirections() {
		assertThat(findings(check("http://hook.localhost/logo.svg", ""))).contains("does not begin with https://");
		assertThat(findings(check("https://user@hook.localhost/logo.svg", "")))
			.contains("does not begin with https://");
		assertThat(findings(check(url("/moved"), ""))).contains("the response was 302");
		assertThat(findings(check("https://10.0.0.1/logo.svg", ""))).contains("not public");
		Surroundings.DNS.publish("A", "inside." + DOMAIN, "192.168.0.1");
		assertThat(findings(check("https://inside." + DOMAIN + "/logo.svg", ""))).contains("not public");
		assertThat(
				findings(new BimiProbe(this.addresses, Clock.systemUTC()).check(DOMAIN, record(url("/logo.svg"), ""))))
			.contains("certificate is missing or not valid");
	}

	private String logo(String svg) {
		this.files.put("/logo.svg", svg.getBytes(StandardCharsets.UTF_8));
		return findings(check(url("/logo.svg"), ""));
	}

	private List<Problem> check(String logo, String certificate) {
		return this.probe.check(DOMAIN, record(logo, certificate));
	}

	private static BimiRecord record(String logo, String certificate) {
		return new BimiRecord(DOMAIN, logo, certificate);
	}

	private static String findings(List<Problem> problems) {
		assertThat(problems).allSatisfy((problem) -> assertThat(problem.fix()).isNotBlank());
		return String.join(" ", problems.stream().map(Problem::finding).toList());
	}

	private String url(String path) {
		return "https://hook.localhost:" + this.server.getAddress().getPort() + path;
	}

	private static byte[] packed(byte[] bytes) throws IOException {
		ByteArrayOutputStream packed = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
			gzip.write(bytes);
		}
		return packed.toByteArray();
	}

	/** The extension with a name that keytool takes for no DNS name. */
	private static String alternativeName(String name) {
		byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
		byte[] header = { 0x30, (byte) (bytes.length + 2), (byte) 0x82, (byte) bytes.length };
		HexFormat hex = HexFormat.ofDelimiter(":");
		return "2.5.29.17=" + hex.formatHex(header) + ":" + hex.formatHex(bytes);
	}

	/** A certificate in PEM, valid for two days from its start. */
	private byte[] certificate(String alias, String... options) throws Exception {
		Path store = this.directory.resolve("keys.p12");
		keytool(store, alias, "-genkeypair", List.of(options));
		Path pem = this.directory.resolve(alias + ".pem");
		keytool(store, alias, "-exportcert", List.of("-rfc", "-file", pem.toString()));
		return Files.readAllBytes(pem);
	}

	private static void keytool(Path store, String alias, String act, List<String> options) throws Exception {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), act, "-alias", alias,
						"-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", "changeit"));
		if (act.equals("-genkeypair")) {
			Collections.addAll(command, "-keyalg", "EC", "-dname", "CN=mark", "-validity", "2");
		}
		command.addAll(options);
		assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
	}

}
