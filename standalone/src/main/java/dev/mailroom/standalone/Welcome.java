package dev.mailroom.standalone;

import java.nio.file.Path;

/**
 * What a person wants to know once everything runs: where each thing is, and what to try
 * first.
 */
record Welcome(StandaloneSettings settings, FreePorts ports, Path data, String operatorPassword) {

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

				Try it:

				%s%s
				Ctrl-C stops it.
				""".formatted("http://localhost:" + this.ports.of(Port.API), this.ports.of(Port.ADMIN),
				this.ports.of(Port.MANAGEMENT), mail(), listener(Port.INBOUND, "takes mail for verified domains"),
				listener(Port.SUBMISSION, "sends with an API key as the password"), database(), broker(), this.data,
				this.settings.operatorEmail(), password(), firstTry(this.ports).indent(2), next());
	}

	/** Signs somebody up: the first thing to try. */
	static String firstTry(FreePorts ports) {
		return """
				curl http://localhost:%d/api/auth/register \\
				  -H 'Content-Type: application/json' \\
				  -d '{"email": "you@example.test", "password": "correct horse battery"}'
				""".formatted(ports.of(Port.API));
	}

	private String listener(Port port, String what) {
		int number = this.ports.of(port);
		return (number > 0) ? "localhost:" + number + ", " + what : "nowhere, as " + port.variable() + " has it";
	}

	private String mail() {
		return this.settings.ownRelay() ? """
				  Mailbox      http://localhost:%d
				  SMTP         localhost:%d, catches every mail: none leaves this machine
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
		return this.settings.ownOperatorPassword() ? this.operatorPassword : "as MAILROOM_OPERATOR_PASSWORD has it";
	}

	private String next() {
		return this.settings.ownRelay() ? "\nThe verification mail is in the mailbox then.\n" : "";
	}

}
