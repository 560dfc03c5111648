package dev.mailroom.spring;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties {@code mailroom.*}.
 *
 * @param apiKey the API key; without one nothing is configured
 * @param url the address of the API, such as {@code https://mail.example/api}
 * @param from the sender of mails that have none
 * @param timeout limit on a call with all of its attempts
 * @param retries attempts after the first one
 * @param webhookSecrets secrets of the endpoints whose calls {@link VerifiedWebhook}
 * accepts; two of one endpoint while its secret is rotated
 * @param mailSender the mail sender
 */
@ConfigurationProperties("mailroom")
public record MailroomProperties(@Nullable String apiKey, @Nullable String url, @Nullable String from,
		@DefaultValue("90s") Duration timeout, @DefaultValue("2") int retries,
		@DefaultValue List<String> webhookSecrets, @DefaultValue Sender mailSender) {

	/**
	 * Properties {@code mailroom.mail-sender.*}.
	 *
	 * @param enabled whether there is a mail sender
	 */
	public record Sender(@DefaultValue("true") boolean enabled) {
	}

}
