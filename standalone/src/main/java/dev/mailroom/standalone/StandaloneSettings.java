package dev.mailroom.standalone;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

import dev.mailroom.Allowed;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Configuration of the standalone: the parts to start, their ports and their data.
 *
 * @param dataDir the directory for all data that must survive a restart
 * @param ports the ports on the loopback address; 0 for any free port
 * @param dbUrl the URL of an external PostgreSQL; empty for the embedded one
 * @param dbUser the database role of the apps
 * @param dbOwnerUser the role that owns the schema of an external PostgreSQL
 * @param dbOwnerPassword the password of that role
 * @param kafkaBootstrap the address of an external broker; empty for the embedded one
 * @param relayHost the host of an external relay; empty for the catching server
 * @param masterKey an external master key; empty for a generated one
 * @param masterKeyFile a file that contains an external master key
 * @param operatorEmail the email address of the first operator
 * @param operatorPassword the first operator's password; empty for a generated one
 * @param demo whether to create the demo account
 */
@ConfigurationProperties("mailroom.standalone")
record StandaloneSettings(Path dataDir, Ports ports, String dbUrl, String dbUser, String dbOwnerUser,
		String dbOwnerPassword, String kafkaBootstrap, String relayHost, String masterKey, String masterKeyFile,
		String operatorEmail, String operatorPassword, boolean demo) {

	boolean ownPostgres() {
		return this.dbUrl.isBlank();
	}

	boolean ownKafka() {
		return this.kafkaBootstrap.isBlank();
	}

	boolean ownRelay() {
		return this.relayHost.isBlank();
	}

	boolean ownMasterKey() {
		return this.masterKey.isBlank() && this.masterKeyFile.isBlank();
	}

	boolean ownOperatorPassword() {
		return this.operatorPassword.isBlank();
	}

	/** Returns the configured numbers of the ports that this start needs. */
	Map<Port, Integer> wantedPorts() {
		Map<Port, Integer> wanted = new EnumMap<>(Port.class);
		wanted.put(Port.API, this.ports.api);
		wanted.put(Port.ADMIN, this.ports.admin);
		wanted.put(Port.MANAGEMENT, this.ports.management);
		wanted.put(Port.INBOUND, this.ports.inbound);
		wanted.put(Port.SUBMISSION, this.ports.submission);
		if (ownRelay()) {
			wanted.put(Port.CATCHER, this.ports.catcher);
			wanted.put(Port.MAILBOX, this.ports.mailbox);
		}
		if (ownPostgres()) {
			wanted.put(Port.POSTGRES, this.ports.postgres);
		}
		if (ownKafka()) {
			wanted.put(Port.KAFKA, this.ports.kafka);
			wanted.put(Port.CONTROLLER, 0);
		}
		return wanted;
	}

	/** Ports on the loopback address; 0 for any free port. */
	record Ports(@Allowed(from = "0", to = "65535") int api, @Allowed(from = "0", to = "65535") int admin,
			@Allowed(from = "0", to = "65535") int management, @Allowed(from = "0", to = "65535") int catcher,
			@Allowed(from = "0", to = "65535") int mailbox, @Allowed(from = "0", to = "65535") int postgres,
			@Allowed(from = "0", to = "65535") int kafka, @Allowed(from = "-1", to = "65535") int inbound,
			@Allowed(from = "-1", to = "65535") int submission) {

	}

}
