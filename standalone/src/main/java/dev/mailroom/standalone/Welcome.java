package dev.mailroom.standalone;

import java.nio.file.Path;

import dev.mailroom.standalone.demo.Demo;

/**
 * The text printed once Mailroom is ready: addresses, the operator's credentials and a
 * first request to try.
 *
 * @param operatorPassword the generated password, or the place where it is stored
 */
record Welcome(StandaloneSettings settings, FreePorts ports, Path data, String operatorPassword, String demoPassword) {

	@Override
	public String toString() {
		return """

				Mailroom is ready.

				  API          %s/api
				  Admin        http://localhost:%d
				  Management   http://localhost:%d/actuator/health
				%s  Inbound      %s
				  Submission   %s
				  PostgreSQL   %s
				  Kafka        %s
				  Data         %s

				  Operator     %s
				  Password     %s
				%s
				Try it:

				%s%s
				Ctrl-C stops it.
				""".formatted("http://localhost:" + this.ports.of(Port.API), this.ports.of(Port.ADMIN),
				this.ports.of(Port.MANAGEMENT), mail(), listener(Port.INBOUND, "accepts mail for verified domains"),
				listener(Port.SUBMISSION, "sends mail; the password is an API key"), database(), broker(), this.data,
				this.settings.operatorEmail(), password(), demo(), firstTry(this.ports).indent(2), next());
	}

	/** Returns a command that registers a user. */
	static String firstTry(FreePorts ports) {
		return """
				curl http://localhost:%d/api/auth/register \\
				  -H 'Content-Type: application/json' \\
				  -d '{"email": "you@example.test", "password": "correct horse battery"}'
				""".formatted(ports.of(Port.API));
	}

	private String listener(Port port, String description) {
		int number = this.ports.of(port);
		return (number > 0) ? "localhost:" + number + ", " + description : "disabled by " + port.variable();
	}

	private String mail() {
		return this.settings.ownRelay() ? """
				  Mailbox      http://localhost:%d
				  SMTP         localhost:%d, catches all mail: none leaves this machine
				""".formatted(this.ports.of(Port.MAILBOX), this.ports.of(Port.CATCHER))
				: "  Relay        " + this.settings.relayHost() + "\n";
	}

	private String database() {
		return this.settings.ownPostgres()
				? "127.0.0.1:" + this.ports.of(Port.POSTGRES) + ", passwords in the data directory"
				: this.settings.dbUrl();
	}

	private String broker() {
		return this.settings.ownKafka() ? "127.0.0.1:" + this.ports.of(Port.KAFKA) : this.settings.kafkaBootstrap();
	}

	private String password() {
		return this.settings.ownOperatorPassword() ? this.operatorPassword : "as set by MAILROOM_OPERATOR_PASSWORD";
	}

	private String demo() {
		return this.settings.demo() ? """

				  Demo         %s
				  Password     %s
				""".formatted(Demo.EMAIL, this.demoPassword) : "";
	}

	private String next() {
		return this.settings.ownRelay() ? "\nThe verification email then appears in the mailbox.\n" : "";
	}

}
