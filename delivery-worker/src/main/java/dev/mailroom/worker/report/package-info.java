/**
 * Reading of mails with aggregate reports of DMARC (RFC 9990, RFC 7489) and reports about
 * TLS (RFC 8460), which anybody may send; and reports about TLS to the domains of
 * recipients. Read {@code ReportMails} and {@code TlsReportSender} first.
 */
@ApplicationModule(allowedDependencies = { "compose", "smtp.client" })
@NullMarked
package dev.mailroom.worker.report;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
