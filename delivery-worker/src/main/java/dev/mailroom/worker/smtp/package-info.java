/** SMTP client: opening sessions, TLS, AUTH, and one transaction after another. */
@ApplicationModule(allowedDependencies = "transport")
@NullMarked
package dev.mailroom.worker.smtp;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
