package dev.mailroom.standalone;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.mailroom.schema.Migrate;
import dev.mailroom.standalone.mailbox.Mailbox;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * One start, step by step: look whether it can be, then the parts that stand in for
 * outside servers, then the schema, then the apps.
 */
final class StartSequence {

	private static final Duration PATIENCE = Duration.ofSeconds(120);

	private static final Duration PAUSE = Duration.ofMillis(20);

	private final Parts parts;

	private final ConfigurableApplicationContext parent;

	private final StandaloneSettings settings;

	private final DataDirectory data;

	private final Secrets secrets;

	private final AppEnvironment variables = new AppEnvironment();

	StartSequence(Parts parts, ConfigurableApplicationContext parent) {
		this.parts = parts;
		this.parent = parent;
		this.settings = parent.getBean(StandaloneSettings.class);
		this.data = new DataDirectory(this.settings.dataDir());
		this.secrets = new Secrets(this.data.secrets());
	}

	/** Returns what there is to say once everything runs. */
	Welcome run() throws Exception {
		this.parts.start(this.data);
		// One that outlived a killed Mailroom would hold port and data.
		PostgresProcess.end(this.data.postgres());
		FreePorts ports = FreePorts.settle(this.settings.wantedPorts());
		stateTheUsual(ports);
		Migrate.Owner owner = startServers(ports);
		if (!owner.user().isBlank()) {
			Migrate.run(this.variables.settled("MAILROOM_DB_URL"), owner, this.variables.settled("MAILROOM_DB_USER"));
		}
		App[] apps = Apps.of(this.variables, ports, this.parent);
		this.parts.start(apps);
		awaitReady(apps);
		return new Welcome(this.settings, ports, this.data.root(),
				this.variables.settled("MAILROOM_OPERATOR_PASSWORD"));
	}

	/** At its first start the API still makes the platform's accounts when it answers. */
	private void awaitReady(App... apps) throws Exception {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!Stream.of(apps).allMatch(App::isReady)) {
			if (this.parts.stopping()) {
				throw new Parts.Stopping();
			}
			if (System.nanoTime() > deadline) {
				throw new StartFailure(
						"Mailroom was not ready within " + PATIENCE.toSeconds() + " seconds: the log above says why.");
			}
			TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
		}
	}

	private void stateTheUsual(FreePorts ports) throws IOException {
		String api = "http://localhost:" + ports.of(Port.API);
		String admin = "http://localhost:" + ports.of(Port.ADMIN);
		this.variables.settle("server.address", "127.0.0.1")
			.settle(Port.API.variable(), ports.of(Port.API))
			.settle(Port.ADMIN.variable(), ports.of(Port.ADMIN))
			.settle(Port.MANAGEMENT.variable(), ports.of(Port.MANAGEMENT))
			// Their variables stand for these keys by themselves, above what the
			// worker's file makes of them.
			.settle("mailroom.inbound.port", ports.of(Port.INBOUND))
			.settle("mailroom.submission.port", ports.of(Port.SUBMISSION))
			.settle("mailroom.reserved-names", true)
			.settle("mailroom.webhook.loopback", true)
			.settle("MAILROOM_OPERATOR_EMAIL", this.settings.operatorEmail())
			.settle("MAILROOM_OPERATOR_PASSWORD",
					this.settings.ownOperatorPassword() ? this.secrets.password("operator-password")
							: this.settings.operatorPassword())
			.suggest("MAILROOM_PUBLIC_URL", api)
			.suggest("MAILROOM_APP_URL", admin)
			.suggest("MAILROOM_LOG_FORMAT", "plain")
			.suggest("MAILROOM_RELAY_FINAL", true)
			.suggest("MAILROOM_DRAIN_TIMEOUT", "8s")
			.suggest("spring.r2dbc.pool.initial-size", 1)
			.suggest("spring.lifecycle.timeout-per-shutdown-phase", "8s");
		Path certificate = this.secrets.certificate("smtp.pem", Clock.systemUTC().instant());
		this.variables.suggest("MAILROOM_SUBMISSION_CERT_FILE", certificate)
			.suggest("MAILROOM_SUBMISSION_KEY_FILE", certificate)
			.suggest("MAILROOM_INBOUND_CERT_FILE", certificate)
			.suggest("MAILROOM_INBOUND_KEY_FILE", certificate);
		if (this.settings.ownMasterKey()) {
			this.variables.settle("MAILROOM_MASTER_KEY", this.secrets.key("master-key"));
		}
	}

	/** Returns who owns the schema. */
	private Migrate.Owner startServers(FreePorts ports) throws Exception {
		List<Part> servers = new ArrayList<>();
		if (this.settings.ownKafka()) {
			KafkaBroker broker = new KafkaBroker(this.data.kafka(), ports.of(Port.KAFKA), ports.of(Port.CONTROLLER));
			this.variables.settle("MAILROOM_KAFKA_BOOTSTRAP", broker.bootstrap());
			servers.add(broker);
		}
		if (this.settings.ownRelay()) {
			int catcher = ports.of(Port.CATCHER);
			servers.add(new MailboxPart(new Mailbox(catcher, ports.of(Port.MAILBOX), Welcome.firstTry(ports))));
			this.variables.settle("MAILROOM_RELAY_HOST", "127.0.0.1")
				.settle("MAILROOM_RELAY_PORT", catcher)
				.settle("MAILROOM_RELAY_TLS", "none");
		}
		Migrate.Owner owner = database(ports, servers);
		this.parts.start(servers.toArray(Part[]::new));
		return owner;
	}

	private Migrate.Owner database(FreePorts ports, List<Part> servers) throws IOException {
		if (!this.settings.ownPostgres()) {
			this.variables.settle("MAILROOM_DB_URL", this.settings.dbUrl())
				.settle("MAILROOM_DB_USER", this.settings.dbUser());
			return new Migrate.Owner(this.settings.dbOwnerUser(), this.settings.dbOwnerPassword());
		}
		PostgresServer server = new PostgresServer(this.data, this.secrets, ports.of(Port.POSTGRES));
		servers.add(server);
		this.variables.settle("MAILROOM_DB_URL", server.url())
			.settle("MAILROOM_DB_USER", PostgresServer.APP)
			.settle("MAILROOM_DB_PASSWORD", server.appPassword());
		return new Migrate.Owner(PostgresServer.OWNER, server.ownerPassword());
	}

}
