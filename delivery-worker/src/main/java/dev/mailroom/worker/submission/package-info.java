/** SMTP server for mail to be sent (RFC 6409), with an API key as the password. */
@ApplicationModule(allowedDependencies = "smtpd")
@NullMarked
package dev.mailroom.worker.submission;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
