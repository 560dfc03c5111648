/**
 * What a sender wrote, and the rules that it must keep. Plain Java without the database.
 * Read {@code MailRules} first.
 */
@ApplicationModule(allowedDependencies = { "template" })
@NullMarked
package dev.mailroom.mail.draft;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
