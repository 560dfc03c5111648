package dev.mailroom.admin.webapp;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.sun.net.httpserver.HttpServer;
import dev.mailroom.Await;
import dev.mailroom.TestDatabase;
import dev.mailroom.admin.TenantAdmin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

@SpringBootTest(classes = TenantAdmin.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "spring.config.name=" + TenantAdmin.CONFIG, "management.server.port=0",
				"management.prometheus.metrics.export.enabled=true", "mailroom.public-url=https://api.x.test",
				"MAILROOM_CELL=eu1", "MAILROOM_CELLS=as1=https://as1.test,eu1=https://api.x.test,us1=https://us1.test",
				"spring.main.cloud-platform=kubernetes", "MAILROOM_TRACES_SAMPLE=1",
				"management.opentelemetry.tracing.export.schedule-delay=100ms", "spring.application.version=3.2.1",
				"MAILROOM_TRACES_HEADERS=authorization=Bearer%20collector, X-Tenant=a=b" })
@ContextConfiguration(initializers = TestDatabase.class)
@ExtendWith(OutputCaptureExtension.class)
class WebAppTest {

	private static final Pattern NONCE = Pattern.compile("'nonce-([A-Za-z0-9_-]{22})'");

	private static final Pattern SCRIPT = Pattern.compile("src=\"(/assets/[^\"]+\\.js)\"");

	private static final String ENDPOINT = "MAILROOM_TRACES_ENDPOINT";

	private static final Queue<String> SPANS = new ConcurrentLinkedQueue<>();

	private static final Set<String> CREDENTIALS = ConcurrentHashMap.newKeySet();

	private static HttpServer collector;

	@LocalServerPort
	int port;

	@LocalManagementPort
	int managementPort;

	/** The app reads the endpoint before a test can set a property of its context. */
	@BeforeAll
	static void collect() throws IOException {
		collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		collector.createContext("/v1/traces", (exchange) -> {
			try (exchange) {
				CREDENTIALS.add(exchange.getRequestHeaders().getFirst("Authorization") + " "
						+ exchange.getRequestHeaders().getFirst("X-Tenant"));
				SPANS.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
				exchange.sendResponseHeaders(200, -1);
			}
		});
		collector.start();
		System.setProperty(ENDPOINT, "http://localhost:" + collector.getAddress().getPort() + "/v1/traces");
	}

	@AfterAll
	static void stop() {
		System.clearProperty(ENDPOINT);
		collector.stop(0);
	}

	@Test
	void requestsAreTracedWithTheNameAndVersionOfTheApp() {
		page("/traced/page?token=secret");
		Await.until("a span", Duration.ofSeconds(30),
				() -> SPANS.stream()
					.anyMatch((spans) -> spans.contains("http get") && spans.contains("tenant-admin")
							&& spans.contains("service.version") && spans.contains("3.2.1")));
		assertThat(SPANS).noneMatch((spans) -> spans.contains("secret"));
		assertThat(CREDENTIALS).containsExactly("Bearer collector a=b");
	}

	@Test
	void anOperationOfGraphQlContinuesTheTraceOfItsClient() {
		String trace = "0af7651916cd43dd8448eb211c80319c";
		client(this.port).post()
			.uri("/graphql")
			.header("traceparent", "00-" + trace + "-b7ad6b7169203331-01")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue("{\"query\":\"{ __typename }\"}")
			.exchange()
			.expectStatus()
			.isOk();
		String bytes = new String(HexFormat.of().parseHex(trace), StandardCharsets.ISO_8859_1);
		Await.until("the span of the operation", Duration.ofSeconds(30),
				() -> SPANS.stream().anyMatch((spans) -> spans.contains("graphql query") && spans.contains(bytes)));
	}

	@Test
	void thePageAllowsOnlyItsOwnFilesAndStylesWithANewNonce() {
		String first = nonce(page("/"));
		String second = nonce(page("/"));
		assertThat(first).isNotEqualTo(second);
	}

	@Test
	void thePageShowsTheUrlOfTheApi() {
		assertThat(page("/").getResponseBody()).contains("content=\"https://api.x.test\"")
			.doesNotContain("MAILROOM_NONCE", "MAILROOM_API_URL");
	}

	@Test
	void thePageNamesTheCellsOfTheConsoleAndThisOneFirst() {
		assertThat(page("/cells/us1/operator").getResponseBody())
			.contains("<meta name=\"mailroom-cells\" content=\"eu1 as1 us1\">");
		assertThat(new PageController.Cells("", List.of()).names()).isEmpty();
	}

	@Test
	void pathsThatABrowserNavigatesToAreAnsweredWithThePage() {
		for (String path : new String[] { "/login", "/domains/01983ad0-11be-7d02-9a53-2f7bc0c2ee41",
				"/verify-email?token=x" }) {
			assertThat(page(path).getResponseBody()).as(path).contains("<div id=\"root\">");
		}
	}

	@Test
	void filesWithAHashAreCachedForAYearAndCompressed() throws Exception {
		Matcher script = SCRIPT.matcher(page("/").getResponseBody());
		assertThat(script.find()).isTrue();
		// Not the client of the other tests, which decodes the content.
		try (HttpClient client = HttpClient.newHttpClient()) {
			for (String coding : new String[] { "br", "gzip" }) {
				HttpResponse<Void> response = client
					.send(HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + script.group(1)))
						.header("Accept-Encoding", coding)
						.build(), HttpResponse.BodyHandlers.discarding());
				assertThat(response.statusCode()).isEqualTo(200);
				assertThat(response.headers().firstValue("Content-Encoding")).hasValue(coding);
				assertThat(response.headers().firstValue("Cache-Control"))
					.hasValue("max-age=31536000, public, immutable");
				assertThat(response.headers().firstValue("Content-Type")).hasValue("text/javascript");
			}
		}
		at(this.port, "/theme.js").expectStatus().isOk().expectHeader().valueEquals("Cache-Control", "no-cache");
	}

	@Test
	void theManagementPortAnswersOnlyUnderANameOfThisMachine() throws Exception {
		for (String path : new String[] { "/actuator/prometheus", "/%61ctuator/prometheus", "/other" }) {
			assertThat(management(path, "rebound.test")).startsWith("HTTP/1.1 421").doesNotContain("mailroom_");
		}
		assertThat(management("/actuator/health", "localhost:" + this.managementPort)).startsWith("HTTP/1.1 200");
	}

	private String management(String path, String host) throws Exception {
		try (Socket socket = new Socket("localhost", this.managementPort)) {
			socket.setSoTimeout(30_000);
			socket.getOutputStream()
				.write("GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(path, host)
					.getBytes(StandardCharsets.US_ASCII));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	@Test
	void otherPathsOfTheAdminPortAreNotFound() {
		for (String path : new String[] { "/actuator/health", "/api/emails", "/index.html", "/assets/none.js",
				"/.vite/manifest.json", "/.stamp", "/openapi.json", "/preview/x", "/%61pi/emails" }) {
			URI uri = URI.create("http://localhost:" + this.port + path);
			client(this.port).get().uri(uri).accept(MediaType.TEXT_HTML).exchange().expectStatus().isNotFound();
		}
		at(this.port, "/domains").expectStatus().isNotFound();
	}

	@Test
	void healthAndMetricsUseASeparatePortAndShowNoDetails() {
		assertThat(this.managementPort).isNotEqualTo(this.port);
		for (String path : new String[] { "/actuator/health/readiness", "/actuator/health/liveness" }) {
			at(this.managementPort, path).expectStatus().isOk().expectBody().json("{\"status\":\"UP\"}");
		}
		at(this.managementPort, "/actuator/health").expectBody(String.class)
			.value((body) -> assertThat(body).doesNotContain("components", "details"));
		at(this.managementPort, "/actuator/prometheus").expectStatus().isEqualTo(HttpStatus.OK);
		at(this.managementPort, "/actuator/env").expectStatus().isNotFound();
	}

	@Test
	void theLevelOfALoggerIsSetForATimeFromThisMachineOnlyAndTheChangeIsLogged(CapturedOutput output) throws Exception {
		String path = "/actuator/loggers/dev.mailroom.sample";
		levels("localhost", path, "2d").expectStatus().isBadRequest();
		levels("localhost", path, "1h").expectStatus().isNoContent();
		assertThat(output).contains("The level of the logger dev.mailroom.sample is set to DEBUG for PT1H");
		at(this.managementPort, path).expectStatus()
			.isOk()
			.expectBody()
			.json("{\"configuredLevel\":\"DEBUG\",\"effectiveLevel\":\"DEBUG\"}");
		levels("localhost", path, "10ms").expectStatus().isNoContent();
		Await.until("the end of the change", Duration.ofSeconds(30),
				() -> output.getAll().contains("dev.mailroom.sample is that of its parent again"));
		at(this.managementPort, path).expectBody().jsonPath("$.configuredLevel").doesNotExist();
		String other = NetworkInterface.networkInterfaces()
			.flatMap(NetworkInterface::inetAddresses)
			.filter((address) -> address instanceof Inet4Address && !address.isLoopbackAddress())
			.findFirst()
			.map(InetAddress::getHostAddress)
			.orElse(null);
		assumeThat(other).as("an address beside the loopback address").isNotNull();
		levels(other, "/actuator/loggers/dev.mailroom.other", "1h").expectStatus()
			.isEqualTo(HttpStatus.METHOD_NOT_ALLOWED);
		at(this.managementPort, "/actuator/loggers/dev.mailroom.other").expectStatus().isNotFound();
	}

	private WebTestClient.ResponseSpec levels(String host, String path, String duration) {
		return client(this.managementPort).post()
			.uri(URI.create("http://" + host + ":" + this.managementPort + path))
			.header("X-Forwarded-For", "127.0.0.1")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue("{\"configuredLevel\":\"debug\",\"duration\":\"" + duration + "\"}")
			.exchange();
	}

	private EntityExchangeResult<String> page(String path) {
		return client(this.port).get()
			.uri(path)
			.accept(MediaType.TEXT_HTML)
			.exchange()
			.expectStatus()
			.isOk()
			.expectHeader()
			.valueEquals("Cache-Control", "no-store")
			.expectHeader()
			.valueEquals("Referrer-Policy", "no-referrer")
			.expectHeader()
			.valueEquals("X-Content-Type-Options", "nosniff")
			.expectHeader()
			.valueMatches("Strict-Transport-Security", "max-age=\\d{8}.*")
			.expectBody(String.class)
			.returnResult();
	}

	/** The nonce of the response, which is in its policy and in its page. */
	private static String nonce(EntityExchangeResult<String> page) {
		String policy = page.getResponseHeaders().getFirst("Content-Security-Policy");
		assertThat(policy).startsWith("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-")
			.contains("frame-ancestors 'none'")
			.doesNotContain("unsafe");
		Matcher nonce = NONCE.matcher(policy);
		assertThat(nonce.find()).isTrue();
		assertThat(page.getResponseBody()).contains("property=\"csp-nonce\" nonce=\"" + nonce.group(1) + "\"");
		return nonce.group(1);
	}

	private static WebTestClient.ResponseSpec at(int port, String path) {
		return client(port).get().uri(path).exchange();
	}

	private static WebTestClient client(int port) {
		return WebTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
	}

}
