package dev.mailroom.api.tracking;

import dev.mailroom.Allowed;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of certificates that this installation orders.
 *
 * @param directory URL of the authority's directory; empty if none are ordered
 * @param address address to listen on for HTTPS below tracking domains; all if empty
 * @param port port of it
 */
@ConfigurationProperties("mailroom.acme")
record AcmeSettings(@DefaultValue("") String directory, @DefaultValue("") String address,
		@DefaultValue("8443") @Allowed(from = "0", to = "65535") int port) {

	boolean isConfigured() {
		return !this.directory.isBlank();
	}

}
