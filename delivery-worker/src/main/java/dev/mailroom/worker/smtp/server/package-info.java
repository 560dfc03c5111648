/**
 * SMTP listeners: submission by tenants, inbound mail with its checks, feedback about
 * sent mail, and reports about domains. Read {@code SmtpServer} and {@code Dialogue}
 * first.
 */
@ApplicationModule(allowedDependencies = { "compose", "dns", "report" })
@NullMarked
package dev.mailroom.worker.smtp.server;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
