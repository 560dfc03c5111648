/**
 * The one SMTP server of the product: the protocol, its limits and its TLS. What becomes
 * of a mail is its handlers' business.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.worker.smtpd;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
