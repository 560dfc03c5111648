/**
 * SMTP server of all listeners: protocol, limits and TLS. Handlers decide on senders,
 * recipients and mails.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.worker.smtpd;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
