package dev.mailroom.account;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What a new account gets.
 *
 * @param defaultPlan the name of its plan
 */
@ConfigurationProperties("mailroom.account")
record AccountSettings(@DefaultValue("free") String defaultPlan) {
}
