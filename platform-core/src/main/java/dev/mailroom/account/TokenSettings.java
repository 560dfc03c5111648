package dev.mailroom.account;

import java.time.Duration;

import dev.mailroom.Allowed;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of access tokens.
 *
 * @param issuer the {@code iss} claim
 * @param audience the {@code aud} claim
 * @param signingKeyLifetime time for which a key signs before it is replaced
 */
@ConfigurationProperties("mailroom.token")
record TokenSettings(@DefaultValue("http://localhost:8080") String issuer, @DefaultValue("mailroom") String audience,
		@DefaultValue("30d") @Allowed(from = "1d", to = "365d") Duration signingKeyLifetime) {
}
