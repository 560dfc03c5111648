/** Mailbox for trying Mailroom: an SMTP server that catches all mail, and its page. */
@ApplicationModule(allowedDependencies = { "host" })
@NullMarked
package dev.mailroom.standalone.mailbox;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
