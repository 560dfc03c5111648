package dev.mailroom.standalone;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * What decides which parts are started, and where.
 *
 * @param dataDir where everything that must outlive a restart is kept
 * @param ports on the loopback address; 0 for any
 * @param dbUrl an outside PostgreSQL; empty for the embedded one
 * @param dbUser the role that the apps sign in with
 * @param dbOwnerUser the role that owns the schema of an outside PostgreSQL
 * @param dbOwnerPassword its password
 * @param kafkaBootstrap an outside broker; empty for the embedded one
 * @param relayHost an outside relay; empty for the catching server
 * @param masterKey a master key from outside; empty for one of our own
 * @param masterKeyFile a file that holds one
 * @param operatorEmail who signs in as the first operator
 * @param operatorPassword with what; empty for one made at the first start
 */
@ConfigurationProperties("mailroom.standalone")
record StandaloneSettings(Path dataDir, Ports ports, String dbUrl, String dbUser, String dbOwnerUser,
		String dbOwnerPassword, String kafkaBootstrap, String relayHost, String masterKey, String masterKeyFile,
		String operatorEmail, String operatorPassword) {

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

	/** The ports that this start needs, as they were asked for. */
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

	/** Ports on the loopback address; 0 for any. */
	record Ports(int api, int admin, int management, int catcher, int mailbox, int postgres, int kafka, int inbound,
			int submission) {

	}

}
