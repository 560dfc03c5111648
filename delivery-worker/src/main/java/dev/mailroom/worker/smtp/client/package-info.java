/**
 * Transports of mail: sessions with the relay or with the servers of the recipients,
 * their limits and breakers, and the sandbox. Read {@code Transport} and {@code
 * SmtpSession} first.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.worker.smtp.client;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
