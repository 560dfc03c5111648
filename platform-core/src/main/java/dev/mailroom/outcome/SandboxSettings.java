package dev.mailroom.outcome;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where the recipients live who are nobody.
 *
 * @param platformDomain under whose name
 */
@ConfigurationProperties("mailroom")
record SandboxSettings(@DefaultValue("mailroom.localhost") String platformDomain) {
}
