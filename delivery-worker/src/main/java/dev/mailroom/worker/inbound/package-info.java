/** Inbound mail: received over SMTP, checked, parsed and stored for its recipients. */
@ApplicationModule(allowedDependencies = { "checks", "feedback", "smtpd" })
@NullMarked
package dev.mailroom.worker.inbound;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
