/**
 * SMTP listeners: submission by tenants, inbound mail with its checks, and feedback about
 * sent mail. Read {@code SmtpServer} and {@code Dialogue} first.
 */
@ApplicationModule(allowedDependencies = { "dns" })
@NullMarked
package dev.mailroom.worker.smtp.server;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
