/**
 * Automatic pause of accounts with risky bounce or complaint rates, before mailbox
 * providers block the whole platform.
 */
@ApplicationModule(allowedDependencies = { "account", "campaign", "notice", "reputation" })
@NullMarked
package dev.mailroom.autopause;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
