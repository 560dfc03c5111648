package dev.mailroom.worker.smtp.server;

import java.time.Duration;

import dev.mailroom.Allowed;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Scanners of received mail.
 *
 * @param rspamdUrl URL of the spam filter; empty for none
 * @param rspamdPassword password sent to the spam filter; empty for none
 * @param clamavAddress host:port of the virus scanner; empty for none
 * @param scanTimeout limit on each check; the sending server waits for it
 */
@ConfigurationProperties("mailroom.inbound")
record ScannerSettings(@DefaultValue("") String rspamdUrl, @DefaultValue("") String rspamdPassword,
		@DefaultValue("") String clamavAddress,
		@DefaultValue("30s") @Allowed(from = "1s", to = "5m") Duration scanTimeout) {
}
