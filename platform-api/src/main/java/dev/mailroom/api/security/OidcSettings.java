package dev.mailroom.api.security;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An outside issuer whose tokens are taken beside our own.
 *
 * @param issuer its iss, where its discovery document is found; empty where there is none
 * @param audience what the aud of its tokens must hold
 */
@ConfigurationProperties("mailroom.oidc")
record OidcSettings(@DefaultValue("") String issuer, @DefaultValue("mailroom") String audience) {
}
