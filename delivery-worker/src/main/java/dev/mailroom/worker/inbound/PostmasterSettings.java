package dev.mailroom.worker.inbound;

import java.util.Locale;
import java.util.Set;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whose servers these are.
 *
 * @param platformDomain the domain of the platform's own mail
 * @param mxHost the server that mail is brought to
 * @param operatorEmail who reads what is written to the postmaster; empty for nobody
 */
@ConfigurationProperties("mailroom")
record PostmasterSettings(@DefaultValue("mailroom.localhost") String platformDomain,
		@DefaultValue("mx.mailroom.localhost") String mxHost, @DefaultValue("") String operatorEmail) {

	/** Lower-case, as domains are kept. */
	String domain() {
		return this.platformDomain.toLowerCase(Locale.ROOT);
	}

	/** Whether a host is the platform's by its name alone. */
	boolean isOurs(String host) {
		return Set.of(domain(), this.mxHost.toLowerCase(Locale.ROOT)).contains(host);
	}

}
