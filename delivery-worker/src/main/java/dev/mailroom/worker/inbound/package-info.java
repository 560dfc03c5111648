/** Mail that comes in: judged, read, and kept for those it is addressed to. */
@ApplicationModule(allowedDependencies = { "feedback", "smtpd" })
@NullMarked
package dev.mailroom.worker.inbound;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
