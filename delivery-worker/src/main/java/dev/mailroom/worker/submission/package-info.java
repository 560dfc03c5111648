/** Mail to be sent that comes in over SMTP, with an API key as the password. */
@ApplicationModule(allowedDependencies = "smtpd")
@NullMarked
package dev.mailroom.worker.submission;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
