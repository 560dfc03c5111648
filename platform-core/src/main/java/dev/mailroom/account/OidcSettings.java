package dev.mailroom.account;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An outside OIDC issuer whose access tokens are accepted besides Mailroom's own.
 *
 * @param issuer issuer identifier, equal to the {@code iss} claim; its discovery document
 * is read from there; empty for none
 * @param audience value that the {@code aud} claim must contain
 */
@ConfigurationProperties("mailroom.oidc")
record OidcSettings(@DefaultValue("") String issuer, @DefaultValue("mailroom") String audience) {
}
