/**
 * Messages in the format of mail, read as submissions. The only user of the mail library
 * in the core. Read {@code SubmittedMessage} first.
 */
@ApplicationModule(allowedDependencies = { "mail.accept", "mail.draft", "secret" })
@NullMarked
package dev.mailroom.mail.mime;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
