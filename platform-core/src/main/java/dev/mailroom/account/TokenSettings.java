package dev.mailroom.account;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What access tokens say, and how long their keys sign.
 *
 * @param issuer who issues them: the iss of every token
 * @param audience whom they are for: the aud of every token
 * @param signingKeyLifetime how long a key signs before the next takes over
 */
@ConfigurationProperties("mailroom.token")
record TokenSettings(@DefaultValue("http://localhost:8080") String issuer, @DefaultValue("mailroom") String audience,
		@DefaultValue("30d") Duration signingKeyLifetime) {
}
