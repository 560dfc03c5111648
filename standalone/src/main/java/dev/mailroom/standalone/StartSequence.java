package dev.mailroom.standalone;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.mailroom.database.Migrate;
import dev.mailroom.mail.outcome.ReturnPath;
import dev.mailroom.mail.outcome.Sandbox;
import dev.mailroom.standalone.demo.Demo;
import dev.mailroom.standalone.demo.DemoTarget;
import dev.mailroom.standalone.mailbox.MailboxServer;
import dev.mailroom.tracking.Links;
import dev.mailroom.webhook.WebhookEndpoints;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * The steps of a start, in order: checks of data directory and ports, the embedded
 * servers, the migration of the schema, the apps.
 */
final class StartSequence {

	private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);

	private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

	/** Marker of a complete demo account, among the secrets. */
	private static final String DEMO_COMPLETE = "demo-complete";

	private final Parts parts;

	private final ConfigurableApplicationContext parent;

	private static final String OPERATOR_PASSWORD = "operator-password";

	private final StandaloneSettings settings;

	private final DataDirectory data;

	private final Secrets secrets;

	private @Nullable MailboxServer mailbox;

	/** Whether this start generated the operator's password, which is shown only once. */
	private boolean newPassword;

	private final AppEnvironment environment = new AppEnvironment();

	StartSequence(Parts parts, ConfigurableApplicationContext parent) {
		this.parts = parts;
		this.parent = parent;
		this.settings = parent.getBean(StandaloneSettings.class);
		this.data = new DataDirectory(this.settings.dataDir());
		this.secrets = new Secrets(this.data.secrets());
	}

	/** Starts all parts and returns the welcome text once the apps are ready. */
	Welcome run() throws Exception {
		this.parts.start(this.data);
		checkDemo();
		// A server left by a killed Mailroom would still use the port and the data.
		PostgresProcess.end(this.data.postgres());
		FreePorts ports = FreePorts.settle(this.settings.wantedPorts());
		configureApps(ports);
		Migrate.Owner owner = startServers(ports);
		if (!owner.user().isBlank()) {
			Migrate.run(this.environment.get("MAILROOM_DB_URL"), owner, this.environment.get("MAILROOM_DB_USER"));
		}
		App[] apps = Apps.of(this.environment, ports, this.parent);
		this.parts.start(apps);
		awaitReady(apps);
		if (this.mailbox != null) {
			WebhookEndpoints endpoints = apps[0].bean(WebhookEndpoints.class);
			this.mailbox.verifyWith((url) -> endpoints.secretsOf(url).collectList());
		}
		String demoPassword = this.settings.demo() ? demo(ports, owner, apps[0]) : "";
		String password = this.newPassword ? this.environment.get("MAILROOM_OPERATOR_PASSWORD")
				: "in " + this.secrets.passwordFile(OPERATOR_PASSWORD);
		return new Welcome(this.settings, ports, this.data.root(), password, demoPassword);
	}

	/** Creates the demo account at the first start with it, and returns its password. */
	private String demo(FreePorts ports, Migrate.Owner owner, App api) throws Exception {
		String password = this.secrets.password("demo-password");
		if (!this.secrets.has(DEMO_COMPLETE)) {
			System.out.println("\nThe demo account is being filled, which takes up to half a minute.");
			DemoTarget target = new DemoTarget(ports.of(Port.API), ports.of(Port.ADMIN), ports.of(Port.MAILBOX),
					ports.of(Port.INBOUND), api.bean(Sandbox.class).host(),
					new DemoTarget.Database(this.environment.get("MAILROOM_DB_URL"), owner.user(), owner.password()),
					new DemoTarget.Credentials(this.settings.operatorEmail(),
							this.environment.get("MAILROOM_OPERATOR_PASSWORD")),
					api.bean(Links.class), api.bean(ReturnPath.class));
			new Demo(target, Clock.systemUTC()).fill(password);
			this.secrets.password(DEMO_COMPLETE);
		}
		return password;
	}

	/**
	 * The demo's mail must not leave the machine, and its data must not reach a shared
	 * database.
	 */
	private void checkDemo() {
		if (this.settings.demo() && !(this.settings.ownPostgres() && this.settings.ownRelay())) {
			throw new StartFailure("The demo account needs the embedded PostgreSQL and the mailbox: "
					+ "unset MAILROOM_DEMO, or MAILROOM_DB_URL and MAILROOM_RELAY_HOST.");
		}
	}

	/**
	 * Waits for readiness: at its first start the API creates the platform's accounts
	 * after it begins to listen.
	 */
	private void awaitReady(App... apps) throws Exception {
		long deadline = System.nanoTime() + READY_TIMEOUT.toNanos();
		while (!Stream.of(apps).allMatch(App::isReady)) {
			if (this.parts.stopping()) {
				throw new Parts.Stopping();
			}
			if (System.nanoTime() > deadline) {
				throw new StartFailure("Mailroom was not ready within " + READY_TIMEOUT.toSeconds()
						+ " seconds: see the log above for the reason.");
			}
			TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL.toMillis());
		}
	}

	private void configureApps(FreePorts ports) throws IOException {
		this.newPassword = !this.secrets.contains(OPERATOR_PASSWORD);
		String api = "http://localhost:" + ports.of(Port.API);
		String admin = "http://localhost:" + ports.of(Port.ADMIN);
		this.environment.set("server.address", "127.0.0.1")
			.set(Port.API.variable(), ports.of(Port.API))
			.set(Port.ADMIN.variable(), ports.of(Port.ADMIN))
			.set(Port.MANAGEMENT.variable(), ports.of(Port.MANAGEMENT))
			// Set by key: the environment variables of these two ports bind to the
			// keys directly, with precedence over the worker's file.
			.set("mailroom.inbound.port", ports.of(Port.INBOUND))
			.set("mailroom.submission.port", ports.of(Port.SUBMISSION))
			.set("mailroom.reserved-names", true)
			.set("mailroom.webhook.loopback", true)
			.set("MAILROOM_OPERATOR_EMAIL", this.settings.operatorEmail())
			.set("MAILROOM_OPERATOR_PASSWORD",
					this.settings.ownOperatorPassword() ? this.secrets.password(OPERATOR_PASSWORD)
							: this.settings.operatorPassword())
			.setDefault("MAILROOM_PUBLIC_URL", api)
			.setDefault("MAILROOM_APP_URL", admin)
			.setDefault("MAILROOM_LOG_FORMAT", "plain")
			.setDefault("MAILROOM_RELAY_FINAL", true)
			.setDefault("MAILROOM_DRAIN_TIMEOUT", "8s")
			.setDefault("spring.lifecycle.timeout-per-shutdown-phase", "8s");
		Path certificate = this.secrets.certificate("smtp.pem", Clock.systemUTC().instant());
		this.environment.setDefault("MAILROOM_SUBMISSION_CERT_FILE", certificate)
			.setDefault("MAILROOM_SUBMISSION_KEY_FILE", certificate)
			.setDefault("MAILROOM_INBOUND_CERT_FILE", certificate)
			.setDefault("MAILROOM_INBOUND_KEY_FILE", certificate);
		if (this.settings.ownMasterKey()) {
			this.environment.set("MAILROOM_MASTER_KEY", this.secrets.key("master-key"));
		}
	}

	/** Starts the embedded servers and returns the role that owns the schema. */
	private Migrate.Owner startServers(FreePorts ports) throws Exception {
		List<Part> servers = new ArrayList<>();
		if (this.settings.ownKafka()) {
			KafkaBroker broker = new KafkaBroker(this.data.kafka(), ports.of(Port.KAFKA), ports.of(Port.CONTROLLER));
			this.environment.set("MAILROOM_KAFKA_BOOTSTRAP", broker.bootstrap());
			servers.add(broker);
		}
		if (this.settings.ownRelay()) {
			int catcher = ports.of(Port.CATCHER);
			MailboxServer server = new MailboxServer(catcher, ports.of(Port.MAILBOX), Welcome.firstTry(ports),
					this.settings.demo());
			this.mailbox = server;
			servers.add(new MailboxPart(server));
			this.environment.set("MAILROOM_RELAY_HOST", "127.0.0.1")
				.set("MAILROOM_RELAY_PORT", catcher)
				.set("MAILROOM_RELAY_TLS", "none")
				.setDefault("MAILROOM_RELAY_SHOWN", true);
		}
		Migrate.Owner owner = database(ports, servers);
		this.parts.start(servers.toArray(Part[]::new));
		return owner;
	}

	private Migrate.Owner database(FreePorts ports, List<Part> servers) throws IOException {
		if (!this.settings.ownPostgres()) {
			this.environment.set("MAILROOM_DB_URL", this.settings.dbUrl())
				.set("MAILROOM_DB_USER", this.settings.dbUser());
			return new Migrate.Owner(this.settings.dbOwnerUser(), this.settings.dbOwnerPassword());
		}
		PostgresServer server = new PostgresServer(this.data, this.secrets, ports.of(Port.POSTGRES));
		servers.add(server);
		this.environment.set("MAILROOM_DB_URL", server.url())
			.set("MAILROOM_DB_USER", PostgresServer.APP)
			.set("MAILROOM_DB_PASSWORD", server.appPassword());
		return new Migrate.Owner(PostgresServer.OWNER, server.ownerPassword());
	}

}
