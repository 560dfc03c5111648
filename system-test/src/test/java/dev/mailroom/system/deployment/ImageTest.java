package dev.mailroom.system.deployment;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.process.Database;
import dev.mailroom.process.Web;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Each app started from the file system of its image, as the image's user, with read-only
 * files and without capabilities, on a database migrated by the command of the chart's
 * job.
 */
@Tag("nightly")
@Order(Integer.MAX_VALUE)
class ImageTest {

	private static final Path ROOT = Path.of("..");

	private static final Duration TIMEOUT = Duration.ofMinutes(3);

	/** Added to the jar when it is packaged, to extract its layers. */
	private static final String EXTRACTOR = "spring-boot-jarmode-tools";

	/**
	 * The app whose image has a cache; the training runs of the others only start and
	 * end.
	 */
	private static final String CACHED = "platform-api";

	private static final String KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

	@TempDir
	private static Path temporary;

	private static Database database;

	private static String url;

	private static final Map<String, Image> images = new HashMap<>();

	@BeforeAll
	static void start() throws Exception {
		for (String app : List.of("platform-api", "tenant-admin", "delivery-worker")) {
			assumeTrue(Files.exists(jar(app)), "SKIPPED: " + jar(app) + " is missing (mvn package), the images are not "
					+ "assembled and started");
		}
		assumeTrue(mayMount(), "SKIPPED: mounting in a name space of one's own is not permitted here, the images are "
				+ "not assembled and started");
		// Those of an earlier run of the class were deleted with its directory.
		images.clear();
		Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
		database = new Database(temporary.resolve("database"));
		database.run("postgres", "create database mailroom owner mailroom_owner");
		url = "postgresql://127.0.0.1:" + database.port() + "/mailroom";
		migrate();
	}

	@AfterAll
	static void stop() throws IOException {
		if (database != null) {
			database.close();
		}
	}

	/** Runs the command of the chart's job. */
	private static void migrate() throws Exception {
		Map<String, Object> job = Chart
			.parse(Files.readString(Chart.SOURCE.resolve("templates/migration.yaml"))
				.lines()
				.filter((line) -> line.strip().startsWith("command: "))
				.map(String::strip)
				.findFirst()
				.orElseThrow())
			.getFirst();
		List<String> command = ((List<?>) job.get("command")).stream().map(Object::toString).toList();
		Path log = temporary.resolve("migration.log");
		Process process = image("platform-api").start(command, Map.of("MAILROOM_DB_URL", url, "MAILROOM_DB_OWNER_USER",
				"mailroom_owner", "MAILROOM_DB_OWNER_PASSWORD", "any", "MAILROOM_DB_USER", Database.APP), log);
		assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		assertThat(process.exitValue()).as(Files.readString(log)).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "platform-api", "tenant-admin", "delivery-worker" })
	void anAppStartsFromItsImage(String app) throws Exception {
		Image image = image(app);
		assertThat(image.user()).isEqualTo("10001:10001");
		int port = freePort();
		int apiPort = freePort();
		Map<String, String> settings = new HashMap<>(Map.of("MAILROOM_DB_URL", url, "MAILROOM_DB_USER", Database.APP,
				"MAILROOM_MASTER_KEY", KEY, "MAILROOM_MANAGEMENT_PORT", Integer.toString(port)));
		settings.putAll(Map.of("MAILROOM_API_PORT", Integer.toString(apiPort), "MAILROOM_ADMIN_PORT",
				Integer.toString(freePort()), "MAILROOM_BIND_ADDRESS", "127.0.0.1", "MAILROOM_KAFKA_BOOTSTRAP",
				"127.0.0.1:1", "MAILROOM_TRACES_ENDPOINT", "http://127.0.0.1:1/v1/traces", "MAILROOM_TRACES_SAMPLE",
				"1"));
		Path log = temporary.resolve(app + ".log");
		List<String> program = new ArrayList<>(image.entryPoint());
		if (app.equals(CACHED)) {
			// With this option a JVM ends that cannot use the cache of its command line.
			program.add(1, "-XX:AOTMode=on");
		}
		Process process = image.start(program, settings, log);
		// Without a broker a worker is alive and not ready.
		String probe = app.equals("delivery-worker") ? "liveness" : "readiness";
		try (Web web = new Web(port)) {
			Await.until(app + " answers or ends", TIMEOUT, Duration.ofMillis(500),
					() -> answers(web, probe) || !process.isAlive());
			assertThat(answers(web, probe)).as(Files.readString(log)).isTrue();
			assertThat(web.get("/actuator/prometheus").body()).contains("application=\"" + app + "\"");
			if (app.equals("platform-api")) {
				tracedRequestsAreExemplars(web, apiPort);
			}
		}
		finally {
			process.destroy();
			if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
				process.destroyForcibly();
			}
		}
	}

	private static void tracedRequestsAreExemplars(Web management, int apiPort) throws Exception {
		try (Web api = new Web(apiPort)) {
			api.get("/api/emails/logs");
		}
		assertThat(
				management.get("/actuator/prometheus", Map.of("Accept", "application/openmetrics-text; version=1.0.0"))
					.body())
			.contains("trace_id=\"");
	}

	private static boolean answers(Web web, String probe) throws InterruptedException {
		try {
			return web.get("/actuator/health/" + probe).status() == 200;
		}
		catch (IOException _) {
			return false;
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "platform-api", "tenant-admin", "delivery-worker" })
	void theBillOfMaterialsListsEveryLibraryOfTheImage(String app) throws Exception {
		Path files = image(app).files();
		JsonNode bill;
		try (JarFile jar = new JarFile(files.resolve(app + ".jar").toFile())) {
			bill = JsonMapper.shared().readTree(jar.getInputStream(jar.getEntry("META-INF/sbom/application.cdx.json")));
		}
		assertThat(bill.get("bomFormat").asString()).isEqualTo("CycloneDX");
		Set<String> listed = bill.get("components")
			.valueStream()
			.map((component) -> component.get("name").asString() + "-" + component.get("version").asString())
			.collect(Collectors.toSet());
		try (Stream<Path> libraries = Files.list(files.resolve("lib"))) {
			assertThat(libraries.map((file) -> file.getFileName().toString())
				.filter((file) -> !file.startsWith(EXTRACTOR))
				.toList()).isNotEmpty()
				.allSatisfy((file) -> assertThat(listed).anySatisfy((name) -> assertThat(file).startsWith(name)));
		}
	}

	@Test
	void theImagesAreMadeByTheSameSteps() throws Exception {
		List<String> steps = steps(CACHED);
		assertThat(steps).anyMatch((step) -> step.contains("-XX:AOTCacheOutput=app.aot"))
			.anyMatch((step) -> step.contains("-XX:AOTCache=app.aot"));
		assertThat(List.of(steps("tenant-admin"), steps("delivery-worker")))
			.allSatisfy((other) -> assertThat(other).isEqualTo(steps));
	}

	/** Instructions of an image except its ports. */
	private static List<String> steps(String app) throws IOException {
		return Files.readAllLines(ROOT.resolve(app).resolve("Dockerfile"))
			.stream()
			.filter((line) -> !line.startsWith("#") && !line.startsWith("EXPOSE "))
			.map((line) -> line.replace(app, "app"))
			.toList();
	}

	@Test
	void theDependenciesAreALayerOfTheirOwn() throws Exception {
		Image image = image("platform-api");
		Path extracted = image.files().getParent().resolveSibling("layers/layers/extracted");
		try (Stream<Path> application = Files.walk(extracted.resolve("application"));
				Stream<Path> dependencies = Files.walk(extracted.resolve("dependencies"))) {
			assertThat(application.filter(Files::isRegularFile).map((file) -> file.getFileName().toString()))
				.contains("platform-api.jar")
				.hasSizeLessThan(10);
			assertThat(dependencies.filter(Files::isRegularFile)).hasSizeGreaterThan(50);
		}
	}

	private static Image image(String app) throws Exception {
		if (!images.containsKey(app)) {
			Path root = Files.createDirectory(temporary.resolve("image-" + app));
			images.put(app, Image.build(ROOT, ROOT.resolve(app).resolve("Dockerfile"), root, app.equals(CACHED)));
		}
		return images.get(app);
	}

	private static Path jar(String app) {
		return ROOT.resolve(app).resolve("target").resolve(app + "-0.1.0-app.jar");
	}

	private static boolean mayMount() throws Exception {
		try {
			return new ProcessBuilder("unshare", "--mount", "setpriv", "--version").start().waitFor() == 0;
		}
		catch (IOException _) {
			return false;
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket free = new ServerSocket(0)) {
			return free.getLocalPort();
		}
	}

}
