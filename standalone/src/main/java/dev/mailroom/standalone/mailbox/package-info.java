/**
 * Mailbox for trying Mailroom: an SMTP server that catches all mail, and its page. Read
 * {@code MailboxServer} first.
 */
@ApplicationModule(allowedDependencies = { "host" })
@NullMarked
package dev.mailroom.standalone.mailbox;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
