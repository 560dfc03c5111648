package dev.mailroom.worker.smtp.server;

import java.util.Locale;
import java.util.Set;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Names of the platform.
 *
 * @param platformDomain domain of the platform's own mail
 * @param mxHost the server that receives inbound mail
 * @param operatorEmail recipient of mail to the postmaster; empty for none
 */
@ConfigurationProperties("mailroom")
record PostmasterSettings(@DefaultValue("mailroom.localhost") String platformDomain,
		@DefaultValue("mx.mailroom.localhost") String mxHost, @DefaultValue("") String operatorEmail) {

	/** The platform's domain in lower case, as domains are stored. */
	String domain() {
		return this.platformDomain.toLowerCase(Locale.ROOT);
	}

	/** Whether a host in lower case is the platform's domain or its MX host. */
	boolean isPlatformHost(String host) {
		return Set.of(domain(), this.mxHost.toLowerCase(Locale.ROOT)).contains(host);
	}

}
