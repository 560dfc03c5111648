package dev.mailroom.account;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of new accounts.
 *
 * @param defaultPlan name of the plan of a new account
 */
@ConfigurationProperties("mailroom.account")
record AccountSettings(@DefaultValue("free") String defaultPlan) {
}
