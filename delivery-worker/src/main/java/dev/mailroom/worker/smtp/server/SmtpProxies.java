package dev.mailroom.worker.smtp.server;

import java.util.List;

import dev.mailroom.account.Networks;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Proxies before the SMTP listeners.
 *
 * @param proxies addresses, or networks as address/bits, whose connections begin with the
 * PROXY protocol
 */
@ConfigurationProperties("mailroom.smtp")
record SmtpProxies(@DefaultValue List<String> proxies) {

	Networks networks() {
		return Networks.of("MAILROOM_SMTP_PROXIES", this.proxies);
	}

}
